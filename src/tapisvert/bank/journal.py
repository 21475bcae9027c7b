"""The journal of significant events: who changed what, from what to what, and why (S3).

Rows are immutable (the database enforces it) and hash-chained.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tapisvert.bank import chain
from tapisvert.bank.covered_tables import EVENT
from tapisvert.store import Tx

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
    mine = chain.link(chain.last_event(tx), content)
    (number,) = tx.inserted_ids(
        f"INSERT INTO significant_events ({', '.join(EVENT)}, hash) VALUES (?, ?, ?, ?, ?, ?)",
        (*content, mine),
    )
    tx.add_to_tail("significant_events", number, mine)
