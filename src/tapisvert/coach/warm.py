"""Warm-up: compile kernels and make tables once, and cache both on disk.

Games are warmed one after the other, a requested game first. The remaining time is estimated from
each step's time on a reference machine and the speed of this machine.
"""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Callable
from threading import Lock
from typing import Literal

from msgspec import Struct

from tapisvert.coach.advice import advise, rules
from tapisvert.games.registry import GAMES, OFFERED

LIBRARY = "numba"  # always the first step
# Seconds of each step with an empty cache, on two busy cores at 2.5 GHz.
SECONDS = {LIBRARY: 0.7} | dict(
    sorted(((game.id, game.position.warm_s) for game in GAMES.values()), key=lambda each: each[1])
)
# With cached kernels all steps take less than this: an earlier estimate would be far too high.
GUESS_AFTER_S = 2.5


class CoachState(Struct, frozen=True):
    """Warm-up state of the coach: steps done, steps in all, and the estimated seconds left.

    The seconds are None until they can be estimated. If the server lacks the extra `prove`, `code`
    is that of the refusal and `detail` its sentence, in the reader's language.
    """

    state: Literal["warming", "ready", "absent"]
    done: int = 0
    of: int = 0
    seconds_left: int | None = None
    code: str | None = None
    detail: str | None = None


def step(name: str) -> None:
    """Run one step: load the library, or advise once at a game, with the rules of its card."""
    if name == LIBRARY:
        importlib.import_module(LIBRARY)
    else:
        example = {"game": name, "next": True, **GAMES[name].position.example}
        advise(example)
        rules(example)


class Warming:
    """The steps done and to do; one thread runs them, another queries them."""

    def __init__(
        self, do: Callable[[str], None] = step, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._do, self._clock = do, clock
        self._lock = Lock()
        self._waiting = [*SECONDS]
        self._now: tuple[str, float] | None = None  # the running step, and its start time
        self._took: dict[str, float] = {}
        self._failed: set[str] = set()
        self._began = clock()

    def run(self) -> None:
        """Run every step. A failing game does not stop the others."""
        while True:
            with self._lock:
                if not self._waiting:
                    return
                name = self._waiting.pop(0)
                self._now = (name, begun := self._clock())
            try:
                self._do(name)
            except Exception:
                self._failed.add(name)
            with self._lock:
                self._took[name] = self._clock() - begun
                self._now = None

    def want(self, game: str) -> None:
        """Move a game to the front of the queue."""
        with self._lock:
            if game in self._waiting:
                self._waiting.remove(game)
                self._waiting.insert(self._waiting[:1] == [LIBRARY], game)

    def state(self, game: str | None = None) -> CoachState:
        """Return the warm-up state of a game, or of all."""
        with self._lock:
            if self._failed & ({game, LIBRARY} if game else {*SECONDS}):
                return CoachState("absent")
            left = [] if self._now is None else [self._now[0]]
            if game is None:
                left += self._waiting
            elif game in self._waiting:
                left += self._waiting[: self._waiting.index(game) + 1]
            elif game not in left:
                left = []
            done = len(self._took)
            if not left:
                return CoachState("ready", done, done)
            return CoachState("warming", done, done + len(left), self._seconds(left))

    def _seconds(self, left: list[str]) -> int | None:
        """Estimate the seconds some steps take, from the times of the steps done."""
        games = {name: took for name, took in self._took.items() if name != LIBRARY}
        now = self._clock()
        if not games and now - self._began < GUESS_AFTER_S:
            return None
        speed = sum(games.values()) / sum(SECONDS[name] for name in games) if games else 1.0
        expected = {name: speed * SECONDS[name] for name in left}
        if self._now is not None:
            name, begun = self._now
            # A step past its estimate is assumed to need a tenth of its time so far.
            expected[name] = max(expected[name] - (now - begun), (now - begun) / 10)
        return math.ceil(sum(expected.values()))


def warm(tell: Callable[[str, float], None]) -> None:
    """Advise once at every game, so that the next answer is fast; report the seconds of each."""
    for game in OFFERED:
        started = time.monotonic()
        step(game)
        tell(game, time.monotonic() - started)
