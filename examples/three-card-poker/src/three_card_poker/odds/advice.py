"""Advice at Three Card Poker: the exact value of every option."""

from __future__ import annotations

from tapisvert.odds.mathematics import Advice, Position, best_of

from three_card_poker.odds.position_values import options
from three_card_poker.sheet import ThreeCardPoker


def advise(sheet: ThreeCardPoker, position: Position) -> Advice:
    """Value play and fold."""
    return best_of(options(sheet, position.cards["player"]))
