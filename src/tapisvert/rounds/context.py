"""The context of a query: snapshot, player, dealer, sheets, time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tapisvert.bank import awards, jackpot
from tapisvert.bank.money import PLAY_MONEY
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import OFFERED, current
from tapisvert.players.player import Player
from tapisvert.rounds.jackpot_terms import Terms, terms_of
from tapisvert.rounds.seed_source import Dealer
from tapisvert.rounds.stored_sheets import stored_sheet
from tapisvert.store import Tx


@dataclass(frozen=True, slots=True)
class QueryContext:
    """The context of one query."""

    tx: Tx
    player: Player
    dealer: Dealer
    sheet_of: Callable[[str], Sheet]  # the house sheet of a game
    now_ms: int
    offered: tuple[str, ...] = OFFERED  # the games this server offers

    def terms(self, game: str) -> Terms:
        """Return the terms of this player's next round: the sheet, the pot and the rate."""
        currency, own = self.player.currency, self.player.own_sheet(game)
        if own is not None:
            sheet = stored_sheet(self.tx, own, current(game))
            return Terms(sheet, sheet)
        sheet = self.sheet_of(game)
        pot = jackpot.find(self.tx, game) if currency != PLAY_MONEY else None
        if pot is None:
            return Terms(sheet, sheet)
        rate = awards.rate_of(self.tx, pot, currency)
        return terms_of(sheet, currency, {game: pot}, {(game, currency): rate} if rate else {})
