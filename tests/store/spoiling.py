"""Files that cannot be opened: damaged, of another program, of another version."""

from __future__ import annotations

import gzip
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

VERSION_1 = gzip.decompress(Path(__file__).with_name("version_1.sql.gz").read_bytes()).decode()


def damaged(path: Path) -> None:
    """Overwrite four pages."""
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(random.Random(4).randbytes(16384))


def truncated(path: Path) -> None:
    """Cut off the end."""
    os.truncate(path, 10_000)


def newer(path: Path) -> None:
    """Set a later schema version."""
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA user_version = 99")


def foreign(path: Path) -> None:
    """Create another program's database there."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE recipes (soup TEXT)")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def of_version_1(path: Path) -> None:
    """Create a database of version 1 there."""
    with closing(sqlite3.connect(path)) as file:
        file.executescript(VERSION_1)
        file.execute("PRAGMA application_id = 0x54415049")
        file.execute("PRAGMA user_version = 1")
