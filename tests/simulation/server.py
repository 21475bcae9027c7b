"""A server of the house that can be killed and restarted, and the clocks it reads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from random import Random
from typing import Any

from simulation.disk import KEY, Disk
from simulation.letters import Request, Unit
from simulation.store import SimulatedStore
from simulation.tables import stacked
from tapisvert.engine.sheet import Sheet
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Sealer


class Clock:
    """A wall clock that is set now and then, and a monotonic clock."""

    def __init__(self) -> None:
        self.steady_ms = 0
        self.set_by_ms = 1_700_000_000_000

    def wall(self) -> int:
        """Return the wall-clock time."""
        return self.steady_ms + self.set_by_ms

    def steady(self) -> int:
        """Return the monotonic time."""
        return self.steady_ms


class Server:
    """One server process: a house on the shared disk, its queue, its housekeeping."""

    def __init__(
        self,
        number: int,
        disk: Disk,
        clock: Clock,
        sheet_of: Callable[[str], Sheet],
        entropy: Random,
        go_on: Callable[[Server, Future[Any]], None],
    ) -> None:
        self.number, self.clock, self.started_ms = number, clock, clock.steady()
        self.up = True
        self.ticking = False
        self.source_fails = False  # from the next draw on
        self.source_failed = False
        self.calls: list[tuple[Request, Future[Any]]] = []  # not answered yet
        self._asked: dict[Future[Any], Request] = {}  # by whom, of all calls
        self._random = entropy
        self.store = SimulatedStore(
            disk, self._note, self._asked_by, lambda future: go_on(self, future)
        )
        dealer = Dealer(Sealer(KEY), self._entropy, stacked)
        self.house = PlayerService(self.store, dealer, sheet_of=sheet_of, clock=clock.wall)
        self.keeper = Housekeeping(self.house, clock.steady)

    @property
    def busy(self) -> bool:
        return self.up and bool(self.store.writes or self.store.reads)

    def ask(self, request: Request) -> None:
        with self.store.asking(request):
            future = request.send(self.house)
        self.calls.append((request, future))
        self._asked[future] = request

    def answers(self) -> list[tuple[Request, object]]:
        """Return the requests answered now, with their outcomes."""
        done = [(request, future) for request, future in self.calls if future.done()]
        self.calls = [call for call in self.calls if call not in done]
        return [(request, future.exception() or future.result()) for request, future in done]

    def _entropy(self, size: int) -> bytes:
        if self.source_fails and not self.source_failed:
            self.source_failed = True
            raise OSError("no randomness")  # once; then it works, but stays distrusted
        return self._random.randbytes(size)

    def _asked_by(self, future: Future[Any]) -> Request:
        return self._asked[future]

    def _note(self, request: Request) -> Unit:
        return Unit(request, self.number, self.source_failed, self.started_ms, self.clock.steady())
