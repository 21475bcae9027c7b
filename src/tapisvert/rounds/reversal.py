"""A reversal as a value: an operator's void of a round, with the amounts given and taken. Pure."""

from __future__ import annotations

from msgspec import Struct


class ReversalRow(Struct, frozen=True):
    """One row of `reversals`. Field names are column names."""

    round_id: str
    at_ms: int
    by: str
    reason: str
    given_cents: int
    taken_cents: int
    debt_cents: int
