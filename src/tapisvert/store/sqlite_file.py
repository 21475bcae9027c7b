"""Opening a SQLite file: check application id, integrity and schema version."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from functools import cache
from pathlib import Path

from tapisvert.refusal import Refused
from tapisvert.store import schema
from tapisvert.store.schema import Schema

_APPLICATION_ID = 0x54415049  # "TAPI"
_MIGRATIONS = Path(__file__).parent / "migrations"
_START_TRIES, _START_PAUSE_S = 250, 0.02  # five seconds, as for any lock
# Pages in the log before they are copied to the file: a page that changes often is copied less.
# SQLite's own 1,000 are the pages of about 140 commands; 4,000 are a log of 16 MB.
_CHECKPOINT_PAGES = 4000
_FULLY_CHECKED_BYTES = 32 * 2**20  # a full check of a larger file would slow every start


def connect(path: Path, *, query_only: bool = False) -> sqlite3.Connection:
    """Open a connection; every pragma is set here, because `synchronous` is per connection."""
    connection = sqlite3.connect(
        path, timeout=5.0, isolation_level=None, check_same_thread=False, cached_statements=256
    )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA recursive_triggers = ON")  # so delete triggers refuse REPLACE
    connection.execute("PRAGMA temp_store = MEMORY")  # for the undo pages of savepoints
    if query_only:
        connection.execute("PRAGMA query_only = ON")
    return connection


def prepare(path: Path) -> None:
    """Create or check the file, and migrate its tables."""
    try:
        if path.exists() and _cut_short(path):
            raise Refused("store/damaged", file=str(path), reason="its last page is cut short")
        connection = sqlite3.connect(path, timeout=5.0, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise Refused("store/unreadable", file=str(path), reason=str(error)) from None
    try:
        _patiently(connection, path)
    except sqlite3.OperationalError as error:
        raise Refused("store/unreadable", file=str(path), reason=str(error)) from None
    except sqlite3.DatabaseError as error:
        raise Refused("store/damaged", file=str(path), reason=str(error)) from None
    finally:
        connection.close()


def _patiently(connection: sqlite3.Connection, path: Path) -> None:
    """Check and migrate, with retries.

    Servers may start together. SQLite's busy time-out does not cover a change of journal mode.
    """
    tries = _START_TRIES
    while True:
        try:
            if connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
                _check(connection, path)
            _migrate(connection)
            schema.must_be(described(connection), expected(), str(path))
            return
        except sqlite3.OperationalError as error:
            tries -= 1
            if "locked" not in str(error) or tries == 0:
                raise
            time.sleep(_START_PAUSE_S)


def migrations() -> list[Path]:
    """Return the forward-only migrations, first to last."""
    return sorted(_MIGRATIONS.glob("*.sql"))


def described(connection: sqlite3.Connection) -> Schema:
    """Return the definitions of the file's tables, indexes, triggers and views."""
    rows = connection.execute(
        "SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ).fetchall()
    return dict(rows)


def expected() -> Schema:
    """Return the definitions of a new file's objects."""
    return _made_by(*migrations())


@cache
def _made_by(*paths: Path) -> Schema:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for path in paths:
            connection.executescript(path.read_text(encoding="utf-8"))
        return described(connection)


def must_be_current(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is not ours or has another schema version: a reader cannot migrate it."""
    found, known = _version(connection, path)
    if found < known:
        raise Refused("store/older", file=str(path), found=found, known=known)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is not ours, is from a newer version, or is damaged."""
    _version(connection, path)
    if path.stat().st_size <= _FULLY_CHECKED_BYTES:
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise Refused("store/damaged", file=str(path), reason=" ".join(str(verdict).split()))


def _version(connection: sqlite3.Connection, path: Path) -> tuple[int, int]:
    """Return the number of migrations applied, and the number known; refuse a newer file."""
    if _pragma(connection, "application_id") != _APPLICATION_ID:
        raise Refused("store/not_ours", file=str(path))
    found, known = _pragma(connection, "user_version"), len(migrations())
    if found > known:
        raise Refused("store/newer", file=str(path), found=found, known=known)
    return found, known


def _cut_short(path: Path) -> bool:
    """Tell whether the file ends inside a page: SQLite would silently read zeros there."""
    with path.open("rb") as file:
        header = file.read(18)
    page = int.from_bytes(header[16:18], "big")
    if page == 1:  # the header stores 65,536 as 1
        page = 65_536
    ours = header.startswith(b"SQLite format 3") and page
    return bool(ours and path.stat().st_size % page)


def _migrate(connection: sqlite3.Connection) -> None:
    """Run the missing migrations, each in its own transaction."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    for number, path in enumerate(migrations(), start=1):
        if _pragma(connection, "user_version") < number:
            try:
                connection.executescript(
                    f"BEGIN IMMEDIATE;\n{path.read_text(encoding='utf-8')}\n"
                    f"PRAGMA application_id = {_APPLICATION_ID};\n"
                    f"PRAGMA user_version = {number};\nCOMMIT;"
                )
            except sqlite3.OperationalError:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if _pragma(connection, "user_version") < number:
                    raise  # unless another server, starting at the same time, has run it


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
