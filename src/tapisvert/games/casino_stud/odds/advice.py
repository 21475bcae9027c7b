"""Advice at Casino Stud: the exact value of every option."""

from __future__ import annotations

from tapisvert.games.casino_stud.odds.position_values import options
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.odds.mathematics import Advice, Position, best_of


def advise(sheet: CasinoStud, position: Position) -> Advice:
    """Value play and fold against the house's up card."""
    return best_of(options(sheet, position.cards["player"], position.cards["house"][0]))
