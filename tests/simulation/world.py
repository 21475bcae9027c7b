"""The simulated world: servers that die, messages lost, duplicated or delayed, and the model.

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
CRASH, DISK = 0.05, 0.015  # probability that a group ends in a crash
OBJECTS = 0.06  # probability that the database rejects a group of players' commands
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
    """A broken invariant, and the evidence."""

    name: str
    what: str


class Violated(BaseException):
    """An invariant is broken: the run ends. No `except Exception` of the house may catch it."""


class World:
    """Servers, messages, clocks and the model; one seed determines everything."""

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
        """Return the trace, which is equal for equal runs."""
        return self._trace.hexdigest()[:16]

    # The network -----------------------------------------------------------------------------

    def number(self) -> int:
        self.requests += 1
        return self.requests

    def send(self, request: Request) -> None:
        self.letters.append(Letter(request))
        self.sent.append(request)

    def arrive(self, letter: Letter) -> None:
        """Deliver a message; without a server it is lost."""
        self.letters.remove(letter)
        request = letter.request
        if letter.back:
            self.heard.append((request, letter.outcome))
            request.party.hear(request, letter.outcome)
        elif up := [server for server in self.servers if server.up]:
            self.rng.choice(up).ask(request)

    # Servers ---------------------------------------------------------------------------------

    def start(self, number: int) -> None:
        """Start a server, possibly with new sheets; the other one gets them at its next start."""
        if self.rng.random() < 0.1:
            self._sheets = tonight(self.rng)
        self.servers[number] = self._server(number)

    def crash(self, server: Server) -> None:
        """Kill a server; acknowledged outcomes must still be stored, and no seal missing."""
        server.up = False
        self.crashes += not self.calm  # in the end they are only started anew
        self.check("acknowledged-is-kept", acknowledged_is_kept(self.model, self.heard))
        self.check("crash-leaves-cover", cover_holds(self.model))
        self.stop_if_violated()

    def work(self, server: Server) -> None:
        """Let a server run a group of queued units, or a query."""
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
        """Run housekeeping; it may crash, or find the disk full."""
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
        """Run the world until a server has its answer, or is dead."""
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
        """Record a broken invariant; an exception in a check is a failure too."""
        try:
            self.violations += [Violation(name, what) for what in found]
        except Exception as error:
            self.violations.append(Violation(name, f"cannot be checked: {error!r}"))

    def stop_if_violated(self) -> None:
        """End the run at the first broken invariant."""
        if self.violations:
            raise Violated

    def _committed(self, units: list[Unit]) -> None:
        """Add committed units to the model, one by one, and check the database."""
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
        """Replay rounds and compare them with the ledger."""
        for round_id in round_ids:
            stored = self.model.rounds[round_id]
            if stored.opened_at_ms is not None:
                for name, check in ROUND_CHECKS.items():
                    self.check(name, check(self.model, stored))

    def _leaves(self, request: Request, outcome: object) -> None:
        """Check an outgoing reply, and send it back."""
        reply = read(outcome)
        for name, check in REPLY_CHECKS.items():
            self.check(name, check(self.model, request, outcome, reply))
        self.letters.append(Letter(request, back=True, outcome=outcome))
