"""A store whose units wait at a gate, and that counts the statements of each unit.

While the gate is closed, commands queue up. When it opens, the waiting unit takes them all as one
group. One group runs at a time, on either database.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

from rounds.guest_seat import PATIENCE_S
from tapisvert.store import Row, Store, Tx
from tapisvert.store.tails import IntegrityKey

T = TypeVar("T")
_LOOKING = ("SELECT", "WITH")


class Counts:
    """The number of reading and of writing statements of a unit."""

    def __init__(self) -> None:
        self.reads = self.writes = 0

    def both(self) -> tuple[int, int]:
        """Return reads and writes."""
        return self.reads, self.writes


class CountingTx:
    """A transaction that counts its statements; a call without rows is no statement."""

    def __init__(self, tx: Tx, counts: Counts) -> None:
        self._tx, self._counts = tx, counts

    def run(self, sql: str, params: Sequence[object] = ()) -> int:
        """Count a statement."""
        self._count(sql)
        return self._tx.run(sql, params)

    def inserted_ids(
        self, sql: str, params: Sequence[object] = (), *, number: str = "id", rows: int = 1
    ) -> Sequence[int]:
        """Count a statement."""
        self._count(sql)
        return self._tx.inserted_ids(sql, params, number=number, rows=rows)

    def row(self, sql: str, params: Sequence[object] = ()) -> Row | None:
        """Count a statement."""
        self._count(sql)
        return self._tx.row(sql, params)

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Count a statement."""
        self._count(sql)
        return self._tx.rows(sql, params)

    def look_up(self, sql: str, columns: Mapping[str, str], given: Sequence[Row]) -> list[Row]:
        """Count a query."""
        self._counts.reads += bool(given)
        return self._tx.look_up(sql, columns, given)

    def insert(
        self, table: str, columns: Sequence[str], rows: Sequence[Row], *, number: str = "id"
    ) -> Sequence[int]:
        """Count a statement."""
        self._counts.writes += bool(rows)
        return self._tx.insert(table, columns, rows, number=number)

    def insert_missing(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Count a statement."""
        self._counts.writes += bool(rows)
        self._tx.insert_missing(table, columns, rows)

    def update(
        self, table: str, columns: Sequence[str], keys: Sequence[str], rows: Sequence[Row]
    ) -> int:
        """Count a statement."""
        self._counts.writes += bool(rows)
        return self._tx.update(table, columns, keys, rows)

    def try_lock(self, table: str, names: Sequence[str]) -> set[str]:
        """Count a query."""
        self._counts.reads += bool(names)
        return self._tx.try_lock(table, names)

    def lock(self, table: str, name: str) -> None:
        """Count a query."""
        self._counts.reads += 1
        self._tx.lock(table, name)

    def undo(self) -> None:
        """Delegate."""
        self._tx.undo()

    def add_to_tail(self, table: str, number: int, digest: bytes, count: int = 1) -> None:
        """Delegate: it is no statement."""
        self._tx.add_to_tail(table, number, digest, count)

    def mark(self, content: bytes) -> bytes:
        """Delegate."""
        return self._tx.mark(content)

    def _count(self, sql: str) -> None:
        if sql.startswith(_LOOKING):
            self._counts.reads += 1
        else:
            self._counts.writes += 1


class Gated:
    """A store with a gate before every unit that writes."""

    groups_at_once = 1

    def __init__(self, store: Store) -> None:
        self.store, self.schema = store, store.schema
        self.units: list[Counts] = []  # of every unit that has run
        self._open = threading.Event()
        self._open.set()

    @contextmanager
    def closed(self) -> Iterator[None]:
        """Hold every unit until the block ends."""
        self._open.clear()
        try:
            yield
        finally:
            self._open.set()

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run work when the gate is open."""

        def unit(tx: Tx) -> T:
            assert self._open.wait(PATIENCE_S)
            counts = Counts()
            try:
                return work(CountingTx(tx, counts))
            finally:
                self.units.append(counts)

        return self.store.write(unit)

    def read(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run queries."""
        return self.store.read(work)

    def protect_with(self, integrity: IntegrityKey) -> None:
        """Delegate."""
        self.store.protect_with(integrity)

    def barrier(self) -> Future[bool]:
        """Delegate."""
        return self.store.barrier()

    def close(self) -> None:
        """Delegate."""
        self.store.close()
