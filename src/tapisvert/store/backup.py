"""Online backup of a SQLite database, and restore.

The backup uses SQLite's online backup API in a single step: it copies one snapshot while the server
goes on writing. (In several steps it would restart at every commit and never finish under load.) It
is written under a temporary name, fsynced, then renamed, so a file under the final name is always
complete.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from tapisvert.refusal import Refused
from tapisvert.store.sqlite_file import prepare


def backup(database: Path, copy: Path) -> None:
    """Copy a database to `copy`, which must not exist. Only its owner can read the copy."""
    if not database.exists():
        raise Refused("store/unreadable", file=str(database), reason="there is no such file")
    must_be_new(copy)
    part = copy.with_name(f"{copy.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        with closing(_reader(database)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # one file, without a write-ahead log
        with part.open("rb") as whole:
            os.fsync(whole.fileno())
        part.rename(copy)
        _sync_folder(copy.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise Refused("backup/failed", file=str(copy), reason=str(error)) from None


def restore(copy: Path, database: Path) -> None:
    """Create a database from a copy; refuse to overwrite an existing one."""
    files = [database.with_name(database.name + end) for end in ("", "-wal", "-shm")]
    for file in files:
        must_be_new(file)
    backup(copy, database)
    try:
        prepare(database)  # check and migrate it
    except Refused:
        for file in files:
            file.unlink(missing_ok=True)
        raise


def must_be_new(file: Path) -> None:
    """Refuse to overwrite a file."""
    if file.exists():
        raise Refused("backup/exists", file=str(file))


def _reader(database: Path) -> sqlite3.Connection:
    """Open a database read-only: a backup may be on a read-only mount."""
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True, timeout=5.0)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
