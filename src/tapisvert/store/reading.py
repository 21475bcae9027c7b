"""Read-only access to a database for an audit: also of a copy on a read-only mount, or of a
standby.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec import Struct

from tapisvert.extras import need
from tapisvert.refusal import Refused
from tapisvert.store.port import Tx
from tapisvert.store.schema import Schema
from tapisvert.store.sqlite_file import described, expected, must_be_current
from tapisvert.store.sqlite_tx import SqliteTx


class ReadOnlyView(Struct, frozen=True):
    """One snapshot: its rows, its schema, and the expected schema if known."""

    tx: Tx
    schema: Schema
    wanted: Schema | None


@contextmanager
def open_read_only(database: Path | str) -> Iterator[ReadOnlyView]:
    """Open a SQLite file, or a PostgreSQL database by its address."""
    if isinstance(database, str):
        need("operate")
        from tapisvert.store.postgres_reading import open_snapshot

        with open_snapshot(database) as (tx, schema):
            yield ReadOnlyView(tx, schema, None)
        return
    try:
        with closing(_reader(database)) as connection:
            must_be_current(connection, database)
            connection.execute("BEGIN")
            yield ReadOnlyView(SqliteTx(connection), described(connection), expected())
    except sqlite3.Error as error:
        raise Refused("store/unreadable", file=str(database), reason=str(error)) from None


def _reader(path: Path) -> sqlite3.Connection:
    """Open a file read-only.

    SQLite writes files beside a database in WAL mode. On a read-only mount it cannot. If there is
    no write-ahead log either, no other process can be writing, and the file is opened as immutable.
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
