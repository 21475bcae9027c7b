"""Advice at High Card Flush: the exact value of every option."""

from __future__ import annotations

from tapisvert.games.high_card_flush.odds.position_values import options
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.mathematics import Advice, Position, best_of


def advise(sheet: HighCardFlush, position: Position) -> Advice:
    """Value fold and every raise that is allowed."""
    return best_of(options(sheet, position.cards["player"]))
