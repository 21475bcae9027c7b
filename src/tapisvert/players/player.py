"""A player as a value."""

from __future__ import annotations

from dataclasses import dataclass

FIRST_GRANT_CENTS = 100_000  # 1,000.00 of play money, granted at the start and again when broke


@dataclass(frozen=True, slots=True)
class Player:
    """The player who acts."""

    id: str
    currency: str
