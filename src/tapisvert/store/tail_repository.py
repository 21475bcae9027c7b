"""The stored tails: created with the audit trail, replaced with the house key.

The store itself adds to them in every commit (store/sqlite.py, store/postgres_tail.py).
"""

from __future__ import annotations

from tapisvert.store.port import Tx
from tapisvert.store.tails import IntegrityKey, Tail


def begin(tx: Tx, integrity: IntegrityKey) -> None:
    """Store the first tail, which is empty, unless there is one."""
    tx.run(
        "INSERT INTO tails (slot, body, mac) VALUES (0, ?, ?) ON CONFLICT DO NOTHING",
        (b"", integrity.mac(0, b"")),
    )


def replace_all(tx: Tx, integrity: IntegrityKey, tail: Tail) -> None:
    """Store one tail in place of all others."""
    body = tail.body()
    tx.run("DELETE FROM tails")
    tx.run("INSERT INTO tails (slot, body, mac) VALUES (0, ?, ?)", (body, integrity.mac(0, body)))
