"""A player as a value."""

from __future__ import annotations

from dataclasses import dataclass

FIRST_GRANT_CENTS = 100_000  # 1,000.00 of play money, and as much again when broke


@dataclass(frozen=True, slots=True)
class Player:
    """Who acts."""

    id: str
    currency: str
