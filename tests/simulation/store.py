"""The store of a simulated server: the house's store interface, run one step at a time.

Units wait until the scheduler runs a group of them, with the code of the real store (disk.py).
Waiting for a future runs the world until it completes. A unit of several players' commands is
recorded as one unit per command (grouped.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from simulation import grouped
from simulation.disk import Disk, Ended, Fault, Job
from simulation.grouped import Rows
from simulation.letters import Moved, Noted, Request, Step, Unit
from tapisvert.bank import covered_tables
from tapisvert.rounds.repository import find_any
from tapisvert.store import Tx
from tapisvert.store.sqlite import _Job
from tapisvert.store.tails import IntegrityKey

T = TypeVar("T")
_TRANSFERS = (
    f"SELECT id, {', '.join(covered_tables.TRANSFER)}, hash FROM transfers WHERE id > ? ORDER BY id"
)
_EVENTS = (
    f"SELECT id, {', '.join(covered_tables.EVENT)}, hash FROM significant_events"
    " WHERE id > ? ORDER BY id"
)
_STEPS = "SELECT round_id, was, now FROM steps WHERE n > ? ORDER BY n"
_NUMBERED = ("transfers", "significant_events", "steps")


class Waited(Future[T]):
    """A future that runs the world until it completes."""

    def __init__(self, go_on: Callable[[Future[Any]], None]) -> None:
        super().__init__()
        self._go_on = go_on

    def result(self, timeout: float | None = None) -> T:
        """Run the world until there is a result."""
        if not self.done():
            self._go_on(self)
        return super().result(timeout)


class SimulatedStore:
    """One server's queue on the shared disk."""

    def __init__(
        self,
        disk: Disk,
        note: Callable[[Request], Unit],
        asked_by: Callable[[Future[Any]], Request],
        go_on: Callable[[Future[Any]], None],
    ) -> None:
        self._disk, self._note, self._asked_by, self._go_on = disk, note, asked_by, go_on
        self.schema = ""
        self.groups_at_once = disk.groups_at_once
        self.sizes: list[int] = []  # of the groups of players' commands so far
        self._objects = False
        self._begun_ms: dict[Future[Any], int] = {}  # when a command was first decided
        self._asking: list[Request] = []
        self._units: list[Unit] = []
        self.writes: list[Job] = []
        self.reads: list[Job] = []

    @contextmanager
    def asking(self, request: Request) -> Iterator[None]:
        """Attribute the work queued in the block to this request."""
        self._asking.append(request)
        try:
            yield
        finally:
            self._asking.pop()

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        """Queue work for a group; work of a starting server runs at once."""
        if not self._asking:
            job = cast(Job, _Job(work))
            self._disk.commit([job], None, [])
            job.answer()
            return job.future
        request = self._asking[-1]
        return self._queue(self.writes, lambda tx: self._watched(tx, work, request), request)

    def read(self, work: Callable[[Tx], T]) -> Future[T]:
        """Queue queries; those of a starting server run at once."""
        if not self._asking:
            answered: Future[T] = Future()
            answered.set_result(self._disk.look(work))
            return answered
        return self._queue(self.reads, work, self._asking[-1])

    def protect_with(self, integrity: IntegrityKey) -> None:
        """Do nothing: the disk protects committed rows."""

    def barrier(self) -> Future[bool]:
        """Return True: one group runs at a time, and numbers its rows as it commits."""
        passed: Future[bool] = Future()
        passed.set_result(True)
        return passed

    def close(self) -> None:
        """Do nothing: the disk outlives its servers."""

    def run_group(
        self, jobs: Sequence[Job], fault: Fault | None, *, objects: bool = False
    ) -> Ended:
        """Commit a group and answer it; return the committed units, and whether the server died.

        With `objects`, the database rejects the combined rows of several commands: each must then
        run alone, with the same outcome.
        """
        self.writes = [job for job in self.writes if job not in jobs]
        self._units, self._objects = [], objects
        committed, died = self._disk.commit(jobs, fault, self._units)
        # A crash not yet due happens here: everything is written, and no caller is answered.
        if died or (fault and fault.kind == "crash"):
            return Ended(committed, died=True)
        for job in jobs:
            self._answer(job)
        return Ended(committed, died=False)

    def run_read(self, job: Job) -> None:
        """Run queries on committed rows, and answer."""
        self.reads.remove(job)
        try:
            job.result = self._disk.look(job.work)
        except Exception as error:
            job.error = error
        self._answer(job)

    def _queue(self, queue: list[Job], work: Callable[[Tx], T], request: Request) -> Future[T]:
        job = Job(work, request, Waited(self._go_on))
        queue.append(job)
        return job.future

    def _answer(self, job: Job) -> None:
        """Answer; work the house queues in reply belongs to the same request."""
        with self.asking(job.request):
            job.answer()

    def _watched(self, tx: Tx, work: Callable[[Tx], T], request: Request) -> T:
        """Run a unit, and record the rows it has written at its end."""
        unit, group = self._note(request), grouped.group_of(work)
        before = [_last(self._disk.looking, table) for table in _NUMBERED]
        try:
            result = work(tx)
        except Exception as error:
            unit.outcome, unit.raised = error, True
            self._units += [unit] if group is None else grouped.failed(group, unit, self._asked_by)
            raise
        rows = self._rows_after(before)
        if group is None:
            unit.outcome = result
            unit.transfers, unit.events = rows.transfers, rows.events
            unit.steps, unit.rounds = rows.steps, rows.rounds
            self._units.append(grouped.on_its_own(unit))
            return result
        self.sizes.append(len(group.commands))
        for waiting in group.commands:
            self._begun_ms.setdefault(waiting.future, unit.at_ms)
        if self._objects and len(group.commands) > 1:
            raise self._disk.objection
        self._units += grouped.taken_apart(group, unit, rows, self._asked_by, self._begun_ms)
        return result

    def _rows_after(self, before: Sequence[int]) -> Rows:
        """Return the rows written since these last rows of their tables."""
        looking = self._disk.looking
        rows = Rows(
            [Moved(*row) for row in looking.rows(_TRANSFERS, before[:1])],
            [Noted(*row) for row in looking.rows(_EVENTS, before[1:2])],
            [Step(*row) for row in looking.rows(_STEPS, before[2:])],
        )
        for step in rows.steps:
            found = find_any(looking, step.round_id)
            if found is not None:
                rows.rounds[step.round_id] = found
        return rows


def _last(tx: Tx, table: str) -> int:
    row = tx.row(f"SELECT COALESCE(MAX({'n' if table == 'steps' else 'id'}), 0) FROM {table}")
    assert row is not None
    return int(row[0])
