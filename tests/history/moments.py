"""One moment for all pieces: when a switch was set, or a page of the journal read.

Pieces are checked one after the other, but an operator's act on all players must have happened at
one moment, the same in every piece. Otherwise each player could have been stopped at another time.
So the order of these operations is the desk's, and the time span of each narrows from piece to
piece. If in the end each still has a moment, the pieces combine into one order of the whole
history.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from history.model import Task

SHARED = ("stop", "resume", "events")
_SHOWS_STOPS = ("show", "deposit", "withdraw", "pay-debt")
_WRITES_DOWN = ("deposit", "withdraw", "pay-debt", "void", "expire", "player", "new-token")
# An opening refused for one of these was refused before the switches were checked.
_BEFORE_THE_GATE = ("session/", "idempotency/", "seat/")


def minds(task: Task, shared: Task) -> bool:
    """Tell whether the order of two operations, one of them shared, may matter."""
    if shared.kind == "events":
        return task.kind in _WRITES_DOWN
    if task.kind == "stops":
        return True
    if task.kind == "open":
        return not task.code.startswith(_BEFORE_THE_GATE)
    return task.kind in _SHOWS_STOPS and shared.args["scope"].startswith("player:")


class Moments:
    """The time span in which each shared operation may have happened, by its number."""

    def __init__(self, desk: Sequence[Task]) -> None:
        shared = [task for task in desk if task.kind in SHARED]
        self.rank = {task.operation.number: place for place, task in enumerate(shared)}
        self._span = {task.operation.number: (task.invoked, task.returned) for task in shared}
        self.narrow(desk)

    def narrowed(self, piece: Iterable[Task]) -> list[Task]:
        """Return a piece with the known spans of its shared operations; those that never happened
        go.
        """
        tasks = []
        for task in piece:
            if task.kind in SHARED:
                span = self._span.get(task.operation.number)
                if span is None:
                    continue  # never answered, and at the desk it has not happened
                task = replace(task, invoked=span[0], returned=span[1], optional=False)
            tasks.append(task)
        return sorted(tasks, key=lambda task: task.invoked)

    def narrow(self, order: Sequence[Task]) -> None:
        """Narrow the spans of shared operations by an order that explains a piece.

        Operations whose order does not matter can be moved past a shared one. So its span is
        bounded by the last one before it whose order matters, with all before that, and the first
        such one after it, with all that follow.
        """
        begun, ended = [0] * (len(order) + 1), [1 << 63] * (len(order) + 1)
        for place, task in enumerate(order):
            begun[place + 1] = max(begun[place], 0 if task.kind in SHARED else task.invoked)
        for place in range(len(order) - 1, -1, -1):
            task = order[place]
            returned = 1 << 63 if task.kind in SHARED else task.returned
            ended[place] = min(ended[place + 1], returned)
        for place, task in enumerate(order):
            if task.kind in SHARED:
                before, after = place - 1, place + 1
                while before >= 0 and not minds(order[before], task):
                    before -= 1
                while after < len(order) and not minds(order[after], task):
                    after += 1
                lowest, highest = self._span[task.operation.number]
                self._span[task.operation.number] = (
                    max(lowest, begun[before + 1]),
                    min(highest, ended[after]),
                )

    def agree(self) -> bool:
        """Tell whether every shared operation has a moment, in order."""
        now = 0
        for number in sorted(self.rank, key=self.rank.__getitem__):
            lowest, highest = self._span[number]
            now = max(now, lowest)
            if now >= highest:
                return False
        return True
