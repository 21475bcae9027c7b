"""A copy of the database while it serves, and a new database from such a copy.

The copy is SQLite's own online backup, in one step: one snapshot, beside which the server goes on
writing. (In several steps it would begin again at every commit and never end under load.) It is
written beside its name, fsynced, and named last, so that a file of that name is always whole.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from tapisvert.refusal import Refused
from tapisvert.store.sqlite_file import prepare


def backup(database: Path, copy: Path) -> None:
    """Copy a database; `copy` must not exist yet. Only its owner can read it."""
    if not database.exists():
        raise Refused("store/unreadable", file=str(database), reason="there is no such file")
    must_be_new(copy)
    part = copy.with_name(f"{copy.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        with closing(_reader(database)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
        with part.open("rb") as whole:
            os.fsync(whole.fileno())
        part.rename(copy)
        _sync_folder(copy.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise Refused("backup/failed", file=str(copy), reason=str(error)) from None


def restore(copy: Path, database: Path) -> None:
    """Make a new database of a copy; an existing one is never overwritten."""
    files = [database.with_name(database.name + end) for end in ("", "-wal", "-shm")]
    for file in files:
        must_be_new(file)
    backup(copy, database)
    try:
        prepare(database)  # ours, sound, and brought up to date
    except Refused:
        for file in files:
            file.unlink(missing_ok=True)
        raise


def must_be_new(file: Path) -> None:
    """Refuse to write over a file."""
    if file.exists():
        raise Refused("backup/exists", file=str(file))


def _reader(database: Path) -> sqlite3.Connection:
    """Open a database read-only: a backup may lie on a read-only medium."""
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True, timeout=5.0)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
