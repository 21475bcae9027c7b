"""A folder in memory for everything the tests write, where this machine has one with room.

A test opens a database, writes a few rows and throws it away; on a disk most of that time is spent
waiting for it. A file system in memory keeps the same promises to a program, killed or not: only a
power cut tells them apart, and no test cuts the power (tests/soak/wal.py cuts the log instead).
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM_MIN = 4 << 30  # bytes: what all workers together may hold at a time, twice over


def folder() -> Path | None:
    """Return where files are kept in memory, if there is such a place."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
        return MEMORY if shutil.disk_usage(MEMORY).free >= ROOM_MIN else None
    return None


def use() -> None:
    """Write temporary files there from now on; a `TMPDIR` that somebody chose stays."""
    chosen = folder()
    if chosen is not None and "TMPDIR" not in os.environ:
        os.environ["TMPDIR"] = tempfile.tempdir = str(chosen)
