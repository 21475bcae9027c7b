"""The simulated world: servers that die, letters that get lost, doubled and late, and the books.

After every commit, crash and reply the invariants are checked, each under its name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from random import Random
from typing import Any, NamedTuple

from simulation.disk import Crash, Disk, Fault
from simulation.letters import Letter, Request, Unit, code_of
from simulation.model import Model
from simulation.money_checks import AFTER_CHECKS, MONEY_CHECKS
from simulation.pot_checks import POT_STATE_CHECKS, POT_UNIT_CHECKS
from simulation.server import Clock, Server
from simulation.state_checks import (
    ROUND_CHECKS,
    STATE_CHECKS,
    Ledger,
    acknowledged_is_kept,
    cover_holds,
)
from simulation.tables import tonight
from simulation.told_checks import REPLY_CHECKS, TOLD_CHECKS, read
from simulation.unit_checks import UNIT_CHECKS

SERVERS = 2
CRASH, DISK = 0.05, 0.015  # how likely a group ends in one
OBJECTS = 0.06  # how likely the database objects to a group of players' commands
LONGEST_FUSE = (
    10,
    60,
    200,
)  # points: there are two to a statement, and some 20 statements to a unit
INVARIANTS = {
    *UNIT_CHECKS,
    *MONEY_CHECKS,
    *AFTER_CHECKS,
    *TOLD_CHECKS,
    *REPLY_CHECKS,
    *STATE_CHECKS,
    *ROUND_CHECKS,
    *POT_UNIT_CHECKS,
    *POT_STATE_CHECKS,
    "acknowledged-is-kept",
    "sweep-leaves-nothing-due",
    "everyone-is-answered",
    "audit-finds-nothing",
    "crash-leaves-cover",
}


class Violation(NamedTuple):
    """An invariant that does not hold, and what shows it."""

    name: str
    what: str


class Violated(BaseException):
    """Something does not hold: the run ends. No `except Exception` of the house may stop it."""


class World:
    """Servers, letters, clocks and books; everything is drawn from one seed."""

    def __init__(self, seed: int, disk: Disk) -> None:
        self.rng = Random(seed)
        self._entropy = Random(f"the randomness of {seed}")
        self.disk, self.clock = disk, Clock()
        self.model = Model(disk.looking)
        self.ledger = Ledger(self.model)
        self.letters: list[Letter] = []
        self.sent: list[Request] = []
        self.heard: list[tuple[Request, object]] = []
        self.violations: list[Violation] = []
        self.calm = False  # nothing goes wrong any more
        self.go_on: Callable[[], None] = lambda: None  # one step of everything else
        self.requests = self.crashes = self.units = 0
        self._trace = hashlib.sha256()
        self._sheets = tonight(self.rng)
        self.servers = [self._server(number) for number in range(SERVERS)]

    @property
    def trace(self) -> str:
        """Return what tells two runs apart."""
        return self._trace.hexdigest()[:16]

    # The network -----------------------------------------------------------------------------

    def number(self) -> int:
        """Number a request."""
        self.requests += 1
        return self.requests

    def send(self, request: Request) -> None:
        """Put a request on its way."""
        self.letters.append(Letter(request))
        self.sent.append(request)

    def arrive(self, letter: Letter) -> None:
        """Bring a letter where it goes; one that finds no server is lost."""
        self.letters.remove(letter)
        request = letter.request
        if letter.back:
            self.heard.append((request, letter.outcome))
            request.party.hear(request, letter.outcome)
        elif up := [server for server in self.servers if server.up]:
            self.rng.choice(up).ask(request)

    # Servers ---------------------------------------------------------------------------------

    def start(self, number: int) -> None:
        """Start a server, perhaps with new sheets; the other one gets them when it is started."""
        if self.rng.random() < 0.1:
            self._sheets = tonight(self.rng)
        self.servers[number] = self._server(number)

    def crash(self, server: Server) -> None:
        """Let a server die; what was acknowledged must still be there, and no seal be missing."""
        server.up = False
        self.crashes += not self.calm  # in the end they are only started anew
        self.check("acknowledged-is-kept", acknowledged_is_kept(self.model, self.heard))
        self.check("crash-leaves-cover", cover_holds(self.model))
        self.stop_if_violated()

    def work(self, server: Server) -> None:
        """Let a server run a group of what is queued, or a query."""
        store = server.store
        if store.reads and (not store.writes or self.rng.random() < 0.5):
            store.run_read(self.rng.choice(store.reads))
        else:
            size = 1 if self.rng.random() < 0.5 else self.rng.randint(1, len(store.writes))
            chosen, fault = self.rng.sample(store.writes, size), self._fault()
            objects = self.rng.random() < OBJECTS and not self.calm
            units, died = store.run_group(chosen, fault, objects=objects)
            self._committed(units)
            if died:
                self.crash(server)
                return
        for request, outcome in server.answers():
            self._leaves(request, outcome)
        self.stop_if_violated()

    def tick(self, server: Server, request: Request) -> None:
        """Let a keeper do its rounds; it may die of it, or find the disk full."""
        server.ticking = True
        try:
            with server.store.asking(request):
                outcome: object = server.keeper.tick()
        except Crash:
            return
        except Exception as error:
            outcome = error
        server.ticking = False
        self._leaves(request, outcome)
        self.stop_if_violated()

    def _server(self, number: int) -> Server:
        return Server(number, self.disk, self.clock, self._sheets, self._entropy, self._wait)

    def _wait(self, server: Server, future: Future[Any]) -> None:
        """Let everything go on until a server has its answer, or is dead."""
        while not future.done():
            if not server.up:
                raise Crash
            self.go_on()

    def _fault(self) -> Fault | None:
        drawn, points = self.rng.random(), self.rng.randrange(self.rng.choice(LONGEST_FUSE))
        if self.calm or drawn > CRASH + DISK:
            return None
        troubles = self.disk.troubles
        return Fault("crash" if drawn < CRASH else troubles[points % len(troubles)], points)

    # The books -------------------------------------------------------------------------------

    def check(self, name: str, found: Iterable[str]) -> None:
        """Note what does not hold; a check that cannot be made does not hold either."""
        try:
            self.violations += [Violation(name, what) for what in found]
        except Exception as error:
            self.violations.append(Violation(name, f"cannot be checked: {error!r}"))

    def stop_if_violated(self) -> None:
        """End the run at the first thing that does not hold."""
        if self.violations:
            raise Violated

    def _committed(self, units: list[Unit]) -> None:
        """Take committed units into the books, one by one, and look at the database."""
        for unit in units:
            before = (*UNIT_CHECKS.items(), *MONEY_CHECKS.items(), *POT_UNIT_CHECKS.items())
            for name, check in before:
                self.check(name, check(self.model, unit))
            self.model.apply(unit)
            for name, check in (*AFTER_CHECKS.items(), *TOLD_CHECKS.items()):
                self.check(name, check(self.model, unit))
            self.units += 1
            told = (unit.request.number, unit.request.kind, code_of(unit.outcome), unit.transfers)
            self._trace.update(repr(told).encode())
        self.ledger.look()
        for name, look in (*STATE_CHECKS.items(), *POT_STATE_CHECKS.items()):
            self.check(name, look(self.ledger))
        touched = {round_id: None for unit in units for round_id in unit.rounds}
        self.check_rounds(touched)
        self.stop_if_violated()

    def check_rounds(self, round_ids: Iterable[str]) -> None:
        """Replay rounds and hold them against the ledger."""
        for round_id in round_ids:
            stored = self.model.rounds[round_id]
            if stored.opened_at_ms is not None:
                for name, check in ROUND_CHECKS.items():
                    self.check(name, check(self.model, stored))

    def _leaves(self, request: Request, outcome: object) -> None:
        """Check what leaves the house, and put it on its way back."""
        reply = read(outcome)
        for name, check in REPLY_CHECKS.items():
            self.check(name, check(self.model, request, outcome, reply))
        self.letters.append(Letter(request, back=True, outcome=outcome))
