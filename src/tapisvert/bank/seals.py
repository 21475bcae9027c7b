"""Seals: every few seconds one hash over all rows written since the last seal, and over that seal.

A seal printed or sent elsewhere (`tapis audit --anchor`) fixes everything before it: whoever cuts
off the end of the ledger afterwards cannot make that hash appear again. Safe to run anywhere and
any number of times: a seal is written in one atomic unit, and with nothing new there is none. A
seal covers a bounded number of rows, so that one over a long past never keeps a command waiting.

Rows are numbered when they are written, not when they are committed. So a sealer asks how far
there is something to seal (`unsealed`), then waits until nothing that had begun by then is still
under way (the store's barrier), and seals so far and no further: no lower number can come then.
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


class Reach(Struct, frozen=True):
    """How far there are rows: the last transfer, and the last event."""

    transfer: int
    event: int


ROWS_MAX = 20_000  # of each table in one seal: about a tenth of a second
NONE = Seal(0, 0, 0, 0, chain.BEGINNING)
SELECT = f"SELECT {', '.join(Seal.__struct_fields__)} FROM seals"


def last_seal(tx: Tx) -> Seal:
    """Return the newest seal."""
    row = tx.row(f"{SELECT} ORDER BY id DESC LIMIT 1")
    return Seal(*row) if row else NONE


def unsealed(tx: Tx) -> Reach | None:
    """Return how far there are rows, if any of them is beyond the newest seal."""
    reach = Reach(_end(tx, "transfers"), _end(tx, "significant_events"))
    return None if reach == _reach(last_seal(tx)) else reach


def seal(tx: Tx, at_ms: int, upto: Reach) -> bool:
    """Seal what is new, the oldest first; tell whether there is more than one seal may cover."""
    tx.lock("seals", "")
    before = last_seal(tx)
    new = Seal(
        before.id + 1,
        at_ms,
        _last(tx, "transfers", before.last_transfer, upto.transfer),
        _last(tx, "significant_events", before.last_event, upto.event),
    )
    if _reach(new) == _reach(before):
        return False
    new = replace(new, hash=digest(tx, before, new))
    tx.run(
        "INSERT INTO seals (id, at_ms, last_transfer, last_event, hash) VALUES (?, ?, ?, ?, ?)",
        msgspec.structs.astuple(new),
    )
    return new.last_transfer < upto.transfer or new.last_event < upto.event


def _reach(sealed: Seal) -> Reach:
    return Reach(sealed.last_transfer, sealed.last_event)


def _end(tx: Tx, table: str) -> int:
    row = tx.row(f"SELECT MAX(id) FROM {table}")
    return row[0] if row and row[0] is not None else 0


def _last(tx: Tx, table: str, after: int, upto: int) -> int:
    """Return the last row of a table that a seal covers which begins after one, or that one."""
    row = tx.row(
        f"SELECT MAX(id) FROM (SELECT id FROM {table} WHERE id > ? AND id <= ?"
        f" ORDER BY id LIMIT {ROWS_MAX}) AS covered",
        (after, upto),
    )
    return row[0] if row and row[0] is not None else after


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
