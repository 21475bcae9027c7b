"""The journal of significant events: who changed what, from what to what, and why (S3).

Rows are immutable (the database enforces it) and hash-chained.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tapisvert.bank import chain
from tapisvert.bank.covered_tables import EVENT
from tapisvert.bank.significant_event import HOUSE, SignificantEvent
from tapisvert.store import Row, Tx


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
    event = SignificantEvent(
        at_ms=at_ms,
        kind=kind,
        by=by,
        player_id=player_id,
        round_id=round_id,
        before=before,
        after=after,
        reason=reason,
    )
    append(tx, [event])


def append(tx: Tx, events: Sequence[SignificantEvent]) -> None:
    """Write significant events in this order, each linked to the one before."""
    if not events:
        return
    tx.lock("significant_events", "")  # one chain for the house: lock late
    last, rows = _last_hash(tx), list[Row]()
    for event in events:
        content = event.content()
        last = chain.link(last, content)
        rows.append((*content, last))
    numbers = tx.insert("significant_events", (*EVENT, "hash"), rows)
    for number, row in zip(numbers, rows, strict=True):
        tx.add_to_tail("significant_events", number, row[-1])


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
