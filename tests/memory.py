"""An in-memory folder for all files the tests write, if this machine has one with room.

A test opens a database, writes a few rows and deletes it; on a disk most of that time is waiting. A
file system in memory gives a program the same guarantees, even if it is killed. Only a power cut
differs, and no test cuts the power (tests/soak/wal.py truncates the log instead).
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM_MIN = 4 << 30  # bytes: what all workers together may hold at a time, twice over


def folder() -> Path | None:
    """Return the in-memory folder, or None."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
        return MEMORY if shutil.disk_usage(MEMORY).free >= ROOM_MIN else None
    return None


def use() -> None:
    """Write temporary files there from now on, unless `TMPDIR` is set."""
    chosen = folder()
    if chosen is not None and "TMPDIR" not in os.environ:
        os.environ["TMPDIR"] = tempfile.tempdir = str(chosen)
