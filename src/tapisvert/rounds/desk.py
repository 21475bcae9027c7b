"""What a command has at hand: a transaction, who asks, the dealer, the sheets, the time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tapisvert.bank.ledger import Purse
from tapisvert.players import Player
from tapisvert.rounds.dealer import Dealer
from tapisvert.sheets import Sheet
from tapisvert.store import Tx


@dataclass(frozen=True, slots=True)
class Desk:
    """One command's surroundings. Everything that is not a pure function comes from here."""

    tx: Tx
    player: Player
    dealer: Dealer
    sheet_of: Callable[[str], Sheet]  # the sheet new rounds of a game are played by
    now_ms: int

    def purse(self, round_id: str | None = None) -> Purse:
        """Return whose money moves, when, and for which round."""
        return Purse(self.player.id, self.player.currency, self.now_ms, round_id)
