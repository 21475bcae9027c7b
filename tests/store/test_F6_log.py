"""F6: a log truncated anywhere opens at a transaction boundary (`make soak` cuts at every byte)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from soak import wal


def test_F6_a_log_cut_off_anywhere_opens_at_a_transaction_boundary() -> None:
    found = wal.main(step=997)
    assert set(found) == {0, 1, 2, 3}


def test_F6_half_a_transaction_would_be_noticed(tmp_path: Path) -> None:
    """Control: with only the first pages of a transaction in the file, the check fails."""
    tail = wal.record(tmp_path)
    torn = bytearray(tail.database.read_bytes())
    frames = range(wal.HEADER_BYTES, tail.ends[1], wal.FRAME_BYTES)
    for at in frames[: len(frames) // 2]:
        page = int.from_bytes(tail.log[at : at + 4], "big")
        body = tail.log[at + 24 : at + wal.FRAME_BYTES]
        torn[(page - 1) * len(body) : page * len(body)] = body
    tail.database.write_bytes(torn)
    with pytest.raises((AssertionError, ValueError, sqlite3.DatabaseError)):
        wal.cut(tail, tmp_path, 0)
