"""PostgreSQL with another server's command between two statements of a unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import psycopg

from tapisvert.store import Row
from tapisvert.store.postgres import PostgresStore
from tapisvert.store.postgres_database import Connection
from tapisvert.store.postgres_tx import PostgresTx
from tapisvert.store.tails import IntegrityKey


class _Tx(PostgresTx):
    def __init__(
        self, connection: Connection, integrity: IntegrityKey | None, read: Callable[[str], None]
    ) -> None:
        super().__init__(connection, integrity)
        self._read = read

    def _send(self, sql: str, params: Sequence[object]) -> psycopg.Cursor[Row]:
        found = super()._send(sql, params)
        self._read(sql)
        return found


class InterruptedStore(PostgresStore):
    """A store that interrupts its next unit at the nth read of, or insert into, given tables."""

    _interrupted: Callable[[], object] | None = None
    _tables: tuple[str, ...] = ()
    _left = 0

    def interrupt(self, tables: Sequence[str], looks: int, by: Callable[[], object]) -> None:
        """Run an action at the nth read of, or insert into, any of the tables."""
        self._tables, self._left, self._interrupted = tuple(tables), looks, by

    def go_on(self) -> bool:
        """Stop interrupting; tell whether the interruption occurred."""
        came, self._interrupted = self._interrupted is None, None
        return came

    def transaction(self, connection: Connection) -> PostgresTx:
        return _Tx(connection, self._integrity, self._looked)

    def _looked(self, sql: str) -> None:
        words = ("FROM", "JOIN", "INTO")
        touched = (f"{word} {table}" in sql for word in words for table in self._tables)
        if self._interrupted is None or not any(touched):
            return
        self._left -= 1
        if self._left == 0:
            happens, self._interrupted = self._interrupted, None
            happens()
