"""Hash chains: each row's hash covers its content and the row before it in its chain.

A transfer is chained to the one before it of the same player, whose account the command holds
anyway; so no command waits for another player's. Where the house moves its own money there is no
player: such a transfer is chained to the one before it out of the same account. The chains name a
row that was changed, put in, taken out or moved; that the end of one was cut off is shown by the
seals (bank/seals.py) and, after the last seal, by the tails (store/cover.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from tapisvert.store import Tx

BEGINNING = bytes(32)


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
