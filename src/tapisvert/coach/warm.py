"""Warm-up: compile kernels and make tables once, and cache both on disk.

Games are warmed one after the other, the one that somebody waits for first. How long the rest will
take is told from what each step took on the machine it was measured on, and how fast this one is.
"""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Callable
from threading import Lock
from typing import Literal

from msgspec import Struct

from tapisvert.coach.advice import advise
from tapisvert.games.registry import GAMES, OFFERED

LIBRARY = "numba"  # the first step, whatever is asked for
# Seconds of each step with nothing on disk, on two cores at 2.5 GHz with others at work.
SECONDS = {LIBRARY: 0.7} | dict(
    sorted(((game.id, game.position.warm_s) for game in GAMES.values()), key=lambda each: each[1])
)
# With the kernels on disk everything is done in less: a guess before that would frighten for
# nothing.
GUESS_AFTER_S = 2.5


class CoachState(Struct, frozen=True):
    """How far the coach is: steps done of those before he can answer, and the seconds left.

    No seconds are told where nobody can know them yet.
    """

    state: Literal["warming", "ready", "absent"]
    done: int = 0
    of: int = 0
    seconds_left: int | None = None


def step(name: str) -> None:
    """Do one step: load the library, or advise once at a game."""
    if name == LIBRARY:
        importlib.import_module(LIBRARY)
    else:
        advise({"game": name, **GAMES[name].position.example})


class Warming:
    """The steps that are done and those that are not; asked by one thread, done in another."""

    def __init__(
        self, do: Callable[[str], None] = step, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._do, self._clock = do, clock
        self._lock = Lock()
        self._waiting = [*SECONDS]
        self._now: tuple[str, float] | None = None  # the step that is being done, and since when
        self._took: dict[str, float] = {}
        self._failed: set[str] = set()
        self._began = clock()

    def run(self) -> None:
        """Do every step. A failing game does not stop the others."""
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
        """Let a game be the next."""
        with self._lock:
            if game in self._waiting:
                self._waiting.remove(game)
                self._waiting.insert(self._waiting[:1] == [LIBRARY], game)

    def state(self, game: str | None = None) -> CoachState:
        """Tell how far a game is, or all of them."""
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
        """Guess how long some steps will take, from how long those before them took."""
        games = {name: took for name, took in self._took.items() if name != LIBRARY}
        now = self._clock()
        if not games and now - self._began < GUESS_AFTER_S:
            return None
        speed = sum(games.values()) / sum(SECONDS[name] for name in games) if games else 1.0
        expected = {name: speed * SECONDS[name] for name in left}
        if self._now is not None:
            name, begun = self._now
            # Later than expected, it is as good as done: a tenth more is as honest as anything.
            expected[name] = max(expected[name] - (now - begun), (now - begun) / 10)
        return math.ceil(sum(expected.values()))


def warm(tell: Callable[[str, float], None]) -> None:
    """Advise once at every game, so that the next answer is quick; tell how long each took."""
    for game in OFFERED:
        started = time.monotonic()
        step(game)
        tell(game, time.monotonic() - started)
