"""Names of hands of the standard order; the catalogue turns them into words."""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.cards import Card, text
from tapisvert.engine.events import HandName
from tapisvert.ranking.standard import best_five, category, strength, telling_ranks


def hand_name(cards: Sequence[Card]) -> HandName:
    """Name the best five of five to seven cards."""
    value = strength(cards)
    used = tuple(text(card) for card in best_five(cards))
    return HandName(category(value), telling_ranks(value), used)
