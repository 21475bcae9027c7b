"""Hash chains: each row's hash covers its content and the row before it in its chain.

A transfer is chained to the one before it of the same player, whose account the command holds
anyway; so no command waits for another player's. Where the house moves its own money there is no
player: such a transfer is chained to the one before it out of the same account. The chains show a
row that was changed, put in, taken out or moved; that the end of one was cut off is shown by the
seals (bank/seals.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from tapisvert.store import Row, Tx

BEGINNING = bytes(32)
_FIRST, _LAST = -(2**63), 2**63 - 1
_PAGE = 10_000
TRANSFER = (
    "at_ms",
    "debit",
    "credit",
    "currency",
    "units",
    "reason",
    "player_id",
    "round_id",
    "bet",
)
EVENT = ("at_ms", "kind", "player_id", "round_id", "data")


def link(before: bytes, content: Sequence[object]) -> bytes:
    """Return the hash of a row that follows the row with the hash `before`."""
    return hashlib.sha256(before + msgspec.json.encode(content)).digest()


def last_transfer(tx: Tx, player_id: str | None, debit: str) -> bytes:
    """Return the hash a player's next transfer follows; the house's own, out of an account."""
    if player_id is None:
        whose, name = "player_id IS NULL AND debit", debit
    else:
        whose, name = "player_id", player_id
    row = tx.row(f"SELECT hash FROM transfers WHERE {whose} = ? ORDER BY id DESC LIMIT 1", (name,))
    return row[0] if row and row[0] else BEGINNING


def last_event(tx: Tx) -> bytes:
    """Return the hash the next significant event follows."""
    row = tx.row("SELECT hash FROM significant_events ORDER BY id DESC LIMIT 1")
    return row[0] if row and row[0] else BEGINNING


def rows(
    tx: Tx, table: str, columns: Sequence[str], after: int = _FIRST, last: int = _LAST
) -> Iterator[Row]:
    """Yield the rows of a chained table whole, in order, a page at a time: id, columns, hash."""
    names = ", ".join(("id", *columns, "hash"))
    while page := tx.rows(
        f"SELECT {names} FROM {table} WHERE id > ? AND id <= ? ORDER BY id LIMIT {_PAGE}",
        (after, last),
    ):
        yield from page
        after = page[-1][0]
