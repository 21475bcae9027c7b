"""The journal of significant events: who changed what, from what to what, and why (S3).

Rows are immutable (the database enforces it) and hash-chained.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tapisvert.bank import chain
from tapisvert.bank.covered_tables import EVENT
from tapisvert.store import Row, Tx

HOUSE = "house"  # the actor of events that no operator causes


def record(
    tx: Tx,
    at_ms: int,
    kind: str,
    *,
    by: str = HOUSE,
    player_id: str | None = None,
    round_id: str | None = None,
    before: Any = None,
    after: Any = None,
    reason: str | None = None,
) -> None:
    """Write a significant event."""
    tx.lock("significant_events", "")  # one chain for the house: lock late
    data = msgspec.json.encode({"by": by, "before": before, "after": after, "reason": reason})
    content = (at_ms, kind, player_id, round_id, data.decode())
    mine = chain.link(_last_hash(tx), content)
    (number,) = tx.inserted_ids(
        f"INSERT INTO significant_events ({', '.join(EVENT)}, hash) VALUES (?, ?, ?, ?, ?, ?)",
        (*content, mine),
    )
    tx.add_to_tail("significant_events", number, mine)


def page(tx: Tx, before: int, limit: int) -> list[Row]:
    """Return the rows of events numbered below `before`, newest first."""
    return tx.rows(
        "SELECT id, at_ms, kind, player_id, round_id, data FROM significant_events"
        f" WHERE id < ? ORDER BY id DESC LIMIT {limit}",
        (before,),
    )


def _last_hash(tx: Tx) -> bytes:
    row = tx.row("SELECT hash FROM significant_events ORDER BY id DESC LIMIT 1")
    return row[0] if row and row[0] else chain.BEGINNING
