"""One simulated night: actions, faults, and the final checks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from simulation.back_office import Operator
from simulation.disk import SqliteDisk
from simulation.letters import Request
from simulation.money_checks import POT_CURRENCY
from simulation.postgres_disk import PostgresDisk
from simulation.server import Server
from simulation.state_checks import acknowledged_is_kept, audit_finds_nothing
from simulation.tables import GAMES
from simulation.tabs import EUROS, Person, Tab
from simulation.world import Violated, Violation, World
from stores import SQLITE
from tapisvert.bank import seals
from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.rounds import PlayerService

T = TypeVar("T")
GUESTS, ACCOUNTS, TABS, OPERATORS = 2, 2, 2, ("ada", "bo")
PATIENCE = 3_000  # steps until everyone must have been answered
MINUTE_MS, DAY_MS = 60_000, 86_400_000


@dataclass(frozen=True)
class Report:
    """The result of a night."""

    seed: int
    operations: int
    units: int
    crashes: int
    violations: tuple[Violation, ...]
    trace: str


class Rounds:
    """Housekeeping as a sender whose answers are ignored."""

    def __init__(self, number: int) -> None:
        self.name = f"keeper {number}"

    def hear(self, request: Request, outcome: object) -> None:
        """Ignore the answer."""


class Night:
    """A world with its players and operators."""

    def __init__(self, seed: int, operations: int, engine: str = SQLITE) -> None:
        self.seed, self.operations = seed, operations
        self.world = World(seed, SqliteDisk() if engine == SQLITE else PostgresDisk())
        self.world.go_on = self.step
        self.keepers = [Rounds(server.number) for server in self.world.servers]
        bold = [self.world.rng.random() < 0.5 for _ in range(GUESTS + ACCOUNTS)]
        self.people = [Person(f"guest {n}", bold.pop(), guest=True) for n in range(GUESTS)]
        self.people += [Person(f"player {n}", bold.pop(), guest=False) for n in range(ACCOUNTS)]
        games = tuple(self.world.rng.sample(GAMES, 2))
        self.parties: list[Tab | Operator] = [
            Tab(self.world, person, games, n)
            for person in self.people
            for n in range(self.world.rng.randint(1, TABS))
        ]

    def run(self) -> Report:
        """Run the night, then the final checks."""
        try:
            for name in OPERATORS:
                self.parties.append(Operator(self.world, name, self._token(name), self.people))
            self._open_pot()
            while self.world.requests < self.operations:
                self.step()
            self._settle_down()
            self._last_round()
        except Violated:
            pass
        finally:
            self.world.disk.close()
        world = self.world
        return Report(
            self.seed,
            world.requests,
            world.units,
            world.crashes,
            tuple(world.violations),
            world.trace,
        )

    # One step --------------------------------------------------------------------------------

    def step(self) -> None:
        """Perform one of all possible actions."""
        world, rng = self.world, self.world.rng
        world.clock.steady_ms += rng.randrange(50)
        busy = [server for server in world.servers if server.busy]
        down = [server for server in world.servers if not server.up]
        idle = [server for server in world.servers if server.up and not server.ticking]
        choices: list[tuple[int, Callable[[], None]]] = [
            (20 * min(len(world.letters), 4), self._letter),
            (30 * len(busy), lambda: world.work(rng.choice(busy))),
            (20 * len(down), lambda: world.start(rng.choice(down).number)),
        ]
        if not world.calm:
            choices += [
                (40, lambda: rng.choice(self.parties).act()),
                (len(idle), lambda: self._tick(rng.choice(idle))),
                (1, self._time_passes),
                (4, self._trouble),
            ]
        weights, actions = [weight for weight, _ in choices], [act for _, act in choices]
        if any(weights):
            rng.choices(actions, weights)[0]()

    def _letter(self) -> None:
        self.world.arrive(self.world.rng.choice(self.world.letters))

    def _tick(self, server: Server) -> None:
        number, keeper = self.world.number(), self.keepers[server.number]
        self.world.tick(server, Request(number, keeper, "tick", _nobody))

    def _time_passes(self) -> None:
        rng = self.world.rng
        longest = rng.choices((MINUTE_MS, 30 * MINUTE_MS, 2 * DAY_MS), (3, 6, 1))[0]
        self.world.clock.steady_ms += rng.randrange(longest)

    def _trouble(self) -> None:
        """Lose, duplicate or replay a message, kill a server, set the clock ..."""
        world, rng = self.world, self.world.rng
        server = rng.choice(world.servers)
        what = rng.random()
        if what < 0.2 and world.letters:
            world.letters.remove(rng.choice(world.letters))
        elif what < 0.4 and world.letters:
            world.letters.append(rng.choice(world.letters))
        elif what < 0.6 and world.sent:
            world.send(rng.choice(world.sent))  # it was lying somewhere, who knows how long
        elif what < 0.7 and server.up:
            world.crash(server)
        elif what < 0.72:
            server.source_fails = True
        elif what < 0.85 and not any(each.ticking for each in world.servers):
            span = rng.choice((1_000, 10 * MINUTE_MS, DAY_MS))
            world.clock.set_by_ms += rng.randrange(-span, span)
            for each in world.servers:  # a clock is not set twice between two ticks
                if each.up:
                    self._tick(each)

    # The end ---------------------------------------------------------------------------------

    def _settle_down(self) -> None:
        """Stop all faults: every sender gets its answer."""
        world = self.world
        world.calm = True
        self._start_again()
        for _ in range(PATIENCE):
            if not world.letters and not any(server.busy for server in world.servers):
                waiting = [party.waiting for party in self.parties if party.waiting is not None]
                if not waiting:
                    return
                for request in waiting:
                    world.send(request)
            self.step()
        world.check("everyone-is-answered", [f"{len(world.letters)} letters are under way"])
        world.stop_if_violated()

    def _last_round(self) -> None:
        """After every delay has passed, a tick leaves no round open, and all checks pass."""
        world = self.world
        world.check("audit-finds-nothing", audit_finds_nothing(world.model))
        latest = max((each.void_at_ms or 0 for each in world.model.rounds.values()), default=0)
        world.clock.set_by_ms += max(0, latest - world.clock.wall())
        self._start_again()
        for server in world.servers:
            self._tick(server)
        world.check("sweep-leaves-nothing-due", self._left_open())
        world.check("seal-covers-everything", self._left_unsealed())
        world.check("acknowledged-is-kept", acknowledged_is_kept(world.model, world.heard))
        world.check("history-never-changes", self._told_otherwise())
        world.check("audit-finds-nothing", audit_finds_nothing(world.model))
        world.check_rounds(world.model.rounds)
        world.stop_if_violated()

    def _start_again(self) -> None:
        for server in self.world.servers:
            if server.up:
                self.world.crash(server)
            self.world.start(server.number)

    def _left_open(self) -> Iterator[str]:
        for stored in self.world.model.rounds.values():
            if stored.state == "open":
                yield f"round {stored.id} is still open"

    def _left_unsealed(self) -> Iterator[str]:
        tx = self.world.model.tx
        sealed = seals.last_seal(tx).reach
        for table, last in (seals.unsealed(tx) or {}).items():
            if last > sealed[table]:
                yield f"{table} are sealed to {sealed[table]}, not to {last}"

    def _told_otherwise(self) -> Iterator[str]:
        """Compare every event any player was shown with the round's record."""
        for round_id, told in self.world.model.told.items():
            events = self.world.model.replay(self.world.model.rounds[round_id]).events
            for n, event in told.items():
                if n >= len(events) or json.loads(msgspec.json.encode(events[n])) != json.loads(
                    event
                ):
                    yield f"event {n} of round {round_id} was told as {event}"

    def _token(self, name: str) -> str:
        """Create an operator, before any fault."""
        return self._calmly(lambda operator: operator.create_operator(name))["token"]

    def _open_pot(self) -> None:
        """Open the pot of Royal Poker, for real money in two currencies."""
        self._calmly(lambda operator: operator.open_jackpot("blackjack", POT_CURRENCY))
        self._calmly(lambda operator: operator.set_rate("blackjack", "EUR", EUROS))

    def _calmly(self, work: Callable[[OperatorCommands], T]) -> T:
        server = self.world.servers[0]
        request = Request(self.world.number(), self.keepers[0], "operator", _nobody)
        with server.store.asking(request):
            future = server.store.write(lambda tx: work(OperatorCommands(tx, server.house, "root")))
        calm, self.world.calm = self.world.calm, True
        self.world.work(server)
        self.world.calm = calm
        return future.result()


def _nobody(house: PlayerService) -> Future[Any]:
    raise AssertionError("a keeper sends no letters")
