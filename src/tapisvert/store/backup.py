"""A copy of the database while it serves, and a new database from such a copy.

The copy is SQLite's own online backup: one consistent state, whatever is written meanwhile. It is
written beside its name, fsynced, and named last, so that a file of that name is always whole.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from tapisvert.refusal import Refused
from tapisvert.store.sqlite_file import connect, prepare

_PAGES_AT_ONCE = 1_000  # writers get their turn in between


def backup(database: Path, copy: Path) -> None:
    """Copy a database; `copy` must not exist yet."""
    if not database.exists():
        raise Refused("store/unreadable", file=str(database), reason="there is no such file")
    if copy.exists():
        raise Refused("backup/exists", file=str(copy))
    part = copy.with_name(f"{copy.name}.part")
    part.unlink(missing_ok=True)
    try:
        source, target = connect(database, query_only=True), sqlite3.connect(part)
        try:
            source.backup(target, pages=_PAGES_AT_ONCE)
            target.execute("PRAGMA journal_mode = DELETE")
        finally:
            source.close()
            target.close()
        with part.open("rb") as whole:
            os.fsync(whole.fileno())
        part.rename(copy)
        _sync_folder(copy.parent)
    except (OSError, sqlite3.Error) as error:
        part.unlink(missing_ok=True)
        raise Refused("backup/failed", file=str(copy), reason=str(error)) from None


def restore(copy: Path, database: Path) -> None:
    """Make a new database of a copy; an existing one is never overwritten."""
    for leftover in (
        database,
        *(database.with_name(database.name + end) for end in ("-wal", "-shm")),
    ):
        if leftover.exists():
            raise Refused("backup/exists", file=str(leftover))
    backup(copy, database)
    prepare(database)  # ours, sound, and brought up to date


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
