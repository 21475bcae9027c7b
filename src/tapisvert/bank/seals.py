"""Seals: every few seconds one hash over all rows written since the last seal, and over that seal.

A seal printed or sent elsewhere (`tapis audit --anchor`) fixes everything before it: whoever cuts
off the end of the ledger afterwards cannot make that hash appear again. Safe to run anywhere and
any number of times: a seal is written in one atomic unit, and with nothing new there is none.
"""

from __future__ import annotations

import hashlib

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tapisvert.bank import chain
from tapisvert.store import Tx


class Seal(Struct, frozen=True):
    """How far the ledger and the journal were sealed, and the hash over all of it."""

    id: int
    at_ms: int
    last_transfer: int
    last_event: int
    hash: bytes = b""


NONE = Seal(0, 0, 0, 0, chain.BEGINNING)
SELECT = f"SELECT {', '.join(Seal.__struct_fields__)} FROM seals"


def last_seal(tx: Tx) -> Seal:
    """Return the newest seal."""
    row = tx.row(f"{SELECT} ORDER BY id DESC LIMIT 1")
    return Seal(*row) if row else NONE


def seal(tx: Tx, at_ms: int) -> Seal | None:
    """Seal what is new; None if nothing is."""
    before = last_seal(tx)
    last_transfer, last_event = (
        int((tx.row(f"SELECT COALESCE(MAX(id), 0) FROM {table}") or (0,))[0])
        for table in ("transfers", "significant_events")
    )
    if (last_transfer, last_event) == (before.last_transfer, before.last_event):
        return None
    new = Seal(before.id + 1, at_ms, last_transfer, last_event)
    new = replace(new, hash=digest(tx, before, new))
    tx.run(
        "INSERT INTO seals (id, at_ms, last_transfer, last_event, hash) VALUES (?, ?, ?, ?, ?)",
        msgspec.structs.astuple(new),
    )
    return new


def digest(tx: Tx, before: Seal, new: Seal) -> bytes:
    """Return the hash over a seal, what the next one says, and the rows it covers."""
    said = (new.id, new.at_ms, new.last_transfer, new.last_event)
    sealed = hashlib.sha256(before.hash + msgspec.json.encode(said))
    for table, columns, first, last in (
        ("transfers", chain.TRANSFER, before.last_transfer, new.last_transfer),
        ("significant_events", chain.EVENT, before.last_event, new.last_event),
    ):
        for row in chain.rows(tx, table, columns, first, last):
            sealed.update(msgspec.json.encode(row))
    return sealed.digest()
