"""Looking at a database without changing anything: for an audit, of a copy on a read-only medium
or of a standby too.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec import Struct

from tapisvert.refusal import Refused
from tapisvert.store.port import Tx
from tapisvert.store.schema import Schema
from tapisvert.store.sqlite_file import described, expected, must_be_todays
from tapisvert.store.sqlite_tx import SqliteTx


class ReadOnlyView(Struct, frozen=True):
    """One snapshot: its rows, what it says of its tables, and what it must say if that is known."""

    tx: Tx
    schema: Schema
    wanted: Schema | None


@contextmanager
def looking_at(database: Path | str) -> Iterator[ReadOnlyView]:
    """Look at a SQLite file, or at a PostgreSQL database by its address."""
    if isinstance(database, str):
        from tapisvert.store.postgres_reading import looking

        with looking(database) as (tx, schema):
            yield ReadOnlyView(tx, schema, None)
        return
    try:
        with closing(_reader(database)) as connection:
            must_be_todays(connection, database)
            connection.execute("BEGIN")
            yield ReadOnlyView(SqliteTx(connection), described(connection), expected())
    except sqlite3.Error as error:
        raise Refused("store/unreadable", file=str(database), reason=str(error)) from None


def _reader(path: Path) -> sqlite3.Connection:
    """Open a file to read. SQLite wants to write beside a file with a log; where it cannot, and
    there is no log, nobody else can be writing either.
    """
    if not path.exists():
        reason = "there is no such file"
        raise Refused("store/unreadable", file=str(path), reason=reason)
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=5.0, isolation_level=None)
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        connection.close()
        if path.with_name(f"{path.name}-wal").exists():
            raise
        connection = sqlite3.connect(f"{address}&immutable=1", uri=True, isolation_level=None)
    return connection
