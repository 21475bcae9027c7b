"""What a command has at hand: a transaction, who asks, the dealer, the sheets, the time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tapisvert.bank.ledger import Purse
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import OFFERED
from tapisvert.players import Player
from tapisvert.refusal import Refused
from tapisvert.rounds.dealer import Dealer
from tapisvert.rounds.pots import Terms, terms_for
from tapisvert.store import Tx


@dataclass(frozen=True, slots=True)
class Desk:
    """One command's surroundings. Everything that is not a pure function comes from here."""

    tx: Tx
    player: Player
    dealer: Dealer
    sheet_of: Callable[[str], Sheet]  # the house's own sheet of a game
    now_ms: int
    offered: tuple[str, ...] = OFFERED  # the games of this house

    def sheet(self, game: str) -> Sheet:
        """Return the sheet this player's next round of a game is played by."""
        return self.terms(game).sheet

    def terms(self, game: str) -> Terms:
        """Return that sheet with what it was made of."""
        return terms_for(self.tx, self.sheet_of(game), self.player.currency)

    def must_offer(self, game: str) -> str:
        """Return a game of this house; refuse one that is not offered here, installed or not."""
        if game not in self.offered:
            raise Refused("request/unknown_game", game=game[:64])
        return game

    def purse(self, round_id: str | None = None) -> Purse:
        """Return whose money moves, when, and for which round."""
        return Purse(self.player.id, self.player.currency, self.now_ms, round_id)
