"""The context of a query: snapshot, player, dealer, sheets, time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tapisvert.bank import awards, jackpot
from tapisvert.bank.money import PLAY_MONEY
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import OFFERED
from tapisvert.players.player import Player
from tapisvert.rounds.jackpot_terms import Terms, terms_of
from tapisvert.rounds.seed_source import Dealer
from tapisvert.store import Tx


@dataclass(frozen=True, slots=True)
class QueryContext:
    """One query's surroundings."""

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
        currency, sheet = self.player.currency, self.sheet_of(game)
        pot = jackpot.find(self.tx, game) if currency != PLAY_MONEY else None
        if pot is None:
            return Terms(sheet, sheet)
        rate = awards.rate_of(self.tx, pot, currency)
        return terms_of(sheet, currency, {game: pot}, {(game, currency): rate} if rate else {})
