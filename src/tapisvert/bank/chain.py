"""Hash chains: each row's hash covers its content and the row before it in its chain.

A transfer is chained to the one before it of the same player, whose account the command holds
anyway; so no command waits for another player's. Where the house moves its own money there is no
player: such a transfer is chained to the one before it out of the same account. The chains name a
row that was changed, put in, taken out or moved; that the end of one was cut off is shown by the
seals (bank/seals.py) and, after the last seal, by the tails (store/tails.py).
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


def last_transfers(tx: Tx, player_ids: Sequence[str]) -> dict[str, bytes]:
    """Return the hash that each player's next transfer follows."""
    rows = tx.look_up(
        "SELECT id, (SELECT hash FROM transfers WHERE player_id = given.id"
        " ORDER BY transfers.id DESC LIMIT 1) FROM given",
        {"id": "text"},
        [(player_id,) for player_id in player_ids],
    )
    return {player_id: found or BEGINNING for player_id, found in rows}


def last_of_account(tx: Tx, debit: str) -> bytes:
    """Return the hash that the house's next transfer out of one of its own accounts follows."""
    row = tx.row(
        "SELECT hash FROM transfers WHERE player_id IS NULL AND debit = ? ORDER BY id DESC LIMIT 1",
        (debit,),
    )
    return row[0] if row and row[0] else BEGINNING


def last_event(tx: Tx) -> bytes:
    """Return the hash the next significant event follows."""
    row = tx.row("SELECT hash FROM significant_events ORDER BY id DESC LIMIT 1")
    return row[0] if row and row[0] else BEGINNING
