"""Looking at a PostgreSQL database without changing anything; a standby will do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg

from tapisvert.refusal import Refused
from tapisvert.store.port import Tx
from tapisvert.store.postgres import READ, PostgresTx
from tapisvert.store.postgres_database import connect, must_be_todays, one_line, shown
from tapisvert.store.postgres_schema import described
from tapisvert.store.schema import Schema


@contextmanager
def looking(url: str) -> Iterator[tuple[Tx, Schema]]:
    """Open one snapshot, and what the server says of its tables."""
    name = shown(url)
    try:
        with closing(connect(url, reading=True)) as connection:
            must_be_todays(connection, name)
            connection.execute(READ, prepare=False)
            yield PostgresTx(connection), described(connection)
    except psycopg.Error as error:
        raise Refused("store/unreadable", file=name, reason=one_line(error)) from None
