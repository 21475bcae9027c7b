"""Hash chains: each row's hash covers its content and the hash of the row before it.

Each player has one chain of transfers. A command already holds its player's lock, so no command
waits for another player's. A transfer without a player belongs to the chain of its debit account. A
chain reveals a row that was changed, inserted, deleted or moved. It does not reveal a truncated
end: seals (bank/seals.py) do, and after the last seal, tails (store/tails.py). Pure: the ledger and
the journal read and write their chains.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

BEGINNING = bytes(32)


def link(before: bytes, content: Sequence[object]) -> bytes:
    """Return the hash of a row that follows the row with hash `before`."""
    return hashlib.sha256(before + msgspec.json.encode(content)).digest()
