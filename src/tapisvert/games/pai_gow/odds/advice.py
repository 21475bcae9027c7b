"""Advice at Fortune Pai Gow Poker: the exact value of every option."""

from __future__ import annotations

from msgspec.structs import replace

from tapisvert.cards import write_hand
from tapisvert.games.pai_gow.house_way import house_way
from tapisvert.games.pai_gow.odds.position_values import options
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.mathematics import Advice, Position, best_of


def advise(sheet: PaiGow, position: Position) -> Advice:
    """Value every allowed set; name the house way's."""
    cards = position.cards["player"]
    suggested = write_hand(house_way(cards, sheet.house_way))
    return replace(best_of(options(sheet, cards)), house_way=suggested)
