"""Read-only access to a PostgreSQL database; a standby suffices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

import psycopg

from tapisvert.refusal import Refused
from tapisvert.store.port import Row, Tx
from tapisvert.store.postgres import READ
from tapisvert.store.postgres_database import Connection, connect, must_be_current, one_line, shown
from tapisvert.store.postgres_schema import described
from tapisvert.store.postgres_tx import PostgresTx
from tapisvert.store.schema import Schema


class Reading(PostgresTx):
    """A snapshot that survives a failed query: forged amounts can overflow a sum."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        connection.execute("SAVEPOINT reading", prepare=False)

    def _execute(self, sql: str, params: Sequence[object]) -> psycopg.Cursor[Row]:
        try:
            return super()._execute(sql, params)
        except (psycopg.Error, Refused):
            self._connection.execute("ROLLBACK TO SAVEPOINT reading", prepare=False)
            raise


@contextmanager
def open_snapshot(url: str) -> Iterator[tuple[Tx, Schema]]:
    """Open one snapshot; yield it with the schema the server describes."""
    name = shown(url)
    try:
        with closing(connect(url, reading=True)) as connection:
            must_be_current(connection, name)
            connection.execute(READ, prepare=False)
            yield Reading(connection), described(connection)
    except psycopg.Error as error:
        raise Refused("store/unreadable", file=name, reason=one_line(error)) from None
