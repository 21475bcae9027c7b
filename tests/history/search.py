"""Linearisability search: Wing and Gong's algorithm, with Lowe's memoisation.

The search looks for an order of operations that respects real time (an operation that returned
before another was invoked comes first) and in which the model gives the recorded answers. It goes
forward while answers match and backtracks otherwise. A state already visited with the same
operations done is not entered again. An unanswered operation may happen at any time after its
request, or never.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from history.model import GRANTED, Model, Task
from history.rules import RULES

STATES_MAX = 400_000
NO_RANK = 1 << 62


@dataclass
class Found:
    """The result of a search."""

    accepted: bool
    states: int  # explored
    reason: str = ""
    undecided: bool = False
    order: Sequence[Task] = field(default=(), repr=False)  # one that explains it all


@dataclass
class _Frame:
    candidates: list[Task]
    next: int = 0
    chosen: Task | None = None
    mark: int = 0
    first: int = 0


@dataclass
class Search:
    """A search through the orders of one piece."""

    model: Model
    tasks: Sequence[Task]
    rank: dict[int, int] = field(default_factory=dict)  # the required order of some operations
    states: int = 0
    _ahead: set[int] = field(default_factory=set)  # done, beyond the first that is not
    _maybe_done: set[int] = field(default_factory=set)
    _first: int = 0
    _furthest: int = -1
    _wrong: dict[int, str] = field(default_factory=dict)  # where it got no further

    def run(self) -> Found:
        """Search until an order is found or all are exhausted."""
        self._must = [task for task in self.tasks if not task.optional]
        self._maybe = [task for task in self.tasks if task.optional]
        self._place = {id(task): place for place, task in enumerate(self._must)}
        self._maybe_place = {id(task): place for place, task in enumerate(self._maybe)}
        seen = {self._config()}
        frames = [_Frame(self._candidates())]
        while self._first < len(self._must):
            if self.states > STATES_MAX:
                return Found(False, self.states, f"undecided: {self._told()}", undecided=True)
            frame = frames[-1]
            if frame.next == len(frame.candidates):
                frames.pop()
                if not frames:
                    return Found(False, self.states, self._told())
                self._back(frames[-1])
                continue
            task = frame.candidates[frame.next]
            frame.next += 1
            if self._forward(frame, task):
                config = self._config()
                if config in seen:
                    self._back(frame)
                else:
                    seen.add(config)
                    frames.append(_Frame(self._candidates()))
        order = [frame.chosen for frame in frames if frame.chosen is not None]
        return Found(True, self.states, order=order)

    def _candidates(self) -> list[Task]:
        """Return the possible next operations: those invoked before any remaining one returned."""
        found: list[Task] = []
        earliest = 1 << 63
        for place in range(self._first, len(self._must)):
            task = self._must[place]
            if task.invoked > earliest:
                break
            if place not in self._ahead:
                earliest = min(earliest, task.returned)
                found.append(task)
        ranks = [self.rank.get(task.operation.number, NO_RANK) for task in found]
        lowest = min(ranks, default=NO_RANK)
        found = [
            task
            for task, rank in zip(found, ranks, strict=True)
            if task.invoked < earliest and rank in (NO_RANK, lowest)
        ]
        found.sort(key=lambda task: task.returned)
        lost: list[Task] = []
        for place, task in enumerate(self._maybe):
            if task.invoked > earliest:
                break
            if place not in self._maybe_done:
                lost.append(task)
        # A refusal affects only its own answer: take it as soon as it matches. An unanswered
        # operation's effect soon becomes visible: try it only when nothing else fits.
        refused = [task for task in lost if task.code not in ("", GRANTED)]
        return [*refused, *found, *(task for task in lost if task.code in ("", GRANTED))]

    def _forward(self, frame: _Frame, task: Task) -> bool:
        """Run a task if its answer matches."""
        books = self.model.books
        mark, self.states = books.mark(), self.states + 1
        wrong = self.model.run(task, RULES)
        if wrong is not None or (task.optional and books.mark() == mark):
            books.undo(mark)
            if wrong is not None:
                self._note(task, wrong)
            return False
        frame.chosen, frame.mark, frame.first = task, mark, self._first
        if task.optional:
            self._maybe_done.add(self._maybe_place[id(task)])
        else:
            self._ahead.add(self._place[id(task)])
            while self._first in self._ahead:
                self._ahead.discard(self._first)
                self._first += 1
        return True

    def _back(self, frame: _Frame) -> None:
        task = frame.chosen
        assert task is not None
        self.model.books.undo(frame.mark)
        if task.optional:
            self._maybe_done.discard(self._maybe_place[id(task)])
            return
        self._ahead.update(range(frame.first, self._first))
        self._first = frame.first
        self._ahead.discard(self._place[id(task)])

    def _config(self) -> tuple[int, frozenset[int], frozenset[int], int]:
        ahead, maybe = frozenset(self._ahead), frozenset(self._maybe_done)
        return self._first, ahead, maybe, self.model.books.digest

    def _note(self, task: Task, wrong: str) -> None:
        """Remember the mismatch at the furthest point of the search."""
        done = self._first + len(self._ahead)
        if done > self._furthest:
            self._furthest, self._wrong = done, {}
        if done == self._furthest and len(self._wrong) < 4:
            self._wrong.setdefault(task.operation.number, f"{task.operation}: {wrong}")

    def _told(self) -> str:
        stuck = "; or ".join(self._wrong.values())
        return f"no order explains what comes after {self._furthest} operations: {stuck}"
