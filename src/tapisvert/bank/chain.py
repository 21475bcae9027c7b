"""Hash chains: each row's hash covers its content and the hash of the row before it.

Each player has one chain of transfers. A command already holds its player's lock, so no command
waits for another player's. A transfer without a player belongs to the chain of its debit account. A
chain reveals a row that was changed, inserted, deleted or moved. It does not reveal a truncated
end: seals (bank/seals.py) do, and after the last seal, tails (store/tails.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from tapisvert.store import Tx

BEGINNING = bytes(32)


def link(before: bytes, content: Sequence[object]) -> bytes:
    """Return the hash of a row that follows the row with hash `before`."""
    return hashlib.sha256(before + msgspec.json.encode(content)).digest()


def last_transfers(tx: Tx, player_ids: Sequence[str]) -> dict[str, bytes]:
    """Return the last hash of each player's chain of transfers."""
    rows = tx.look_up(
        "SELECT players.id, (SELECT hash FROM transfers WHERE player_id = players.id"
        " ORDER BY transfers.id DESC LIMIT 1) FROM given JOIN players ON players.id = given.id",
        {"id": "text"},
        [(player_id,) for player_id in player_ids],
    )
    return {player_id: found or BEGINNING for player_id, found in rows}


def last_of_account(tx: Tx, debit: str) -> bytes:
    """Return the last hash in the chain of transfers that the house makes from this account."""
    row = tx.row(
        "SELECT hash FROM transfers WHERE player_id IS NULL AND debit = ? ORDER BY id DESC LIMIT 1",
        (debit,),
    )
    return row[0] if row and row[0] else BEGINNING


def last_event(tx: Tx) -> bytes:
    """Return the last hash in the chain of significant events."""
    row = tx.row("SELECT hash FROM significant_events ORDER BY id DESC LIMIT 1")
    return row[0] if row and row[0] else BEGINNING
