"""Reversals in the database: one row for each round that an operator has voided."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import astuple

from tapisvert.rounds.reversal import ReversalRow
from tapisvert.store import Tx

_COLUMNS = ReversalRow.__struct_fields__


def find_reversal(tx: Tx, round_id: str) -> ReversalRow | None:
    """Return the reversal of a round, or None."""
    row = tx.row(
        f"SELECT {', '.join(_COLUMNS)} FROM reversals WHERE round_id = ?",
        (round_id,),
    )
    return ReversalRow(*row) if row else None


def add_reversals(tx: Tx, reversals: Sequence[ReversalRow]) -> None:
    """Store reversals."""
    if reversals:
        tx.insert("reversals", _COLUMNS, [astuple(each) for each in reversals], number="round_id")
