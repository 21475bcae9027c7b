"""A player as a value."""

from __future__ import annotations

from dataclasses import dataclass

FIRST_GRANT_CENTS = 100_000  # 1,000.00 of play money, granted at the start and again when broke


@dataclass(frozen=True, slots=True)
class Player:
    """The player who acts."""

    id: str
    currency: str
    # Sheets chosen in place of the house's, by game; only with play money (rounds/own_rules.py).
    own_sheets: tuple[tuple[str, str], ...] = ()

    def own_sheet(self, game: str) -> str | None:
        """Return the hash of the sheet chosen for a game; None if the house's is played."""
        return next((sheet for name, sheet in self.own_sheets if name == game), None)
