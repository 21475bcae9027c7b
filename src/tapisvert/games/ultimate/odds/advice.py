"""Advice at Ultimate Texas Hold'em: from the chart before the flop, by counting after it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tapisvert.cards import RANKS, Card, rank, suit
from tapisvert.games.ultimate.odds.position_values import options
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.mathematics import Advice, Position, best_of
from tapisvert.refusal import Refused


def advise(sheet: Ultimate, position: Position) -> Advice:
    """Value a pair: before the flop from the stored chart, then over every card to come."""
    pair, board = position.cards["player"], position.cards["board"]
    return best_of(
        options(sheet, pair, board) if board else before_the_flop(position.chart(), pair)
    )


def before_the_flop(starts: Any, pair: list[Card]) -> dict[str, float]:
    """Look two cards up among the 169 starting hands."""
    if starts is None:
        raise Refused("advice/not_proved")
    hand = starting_hand(pair)
    found = next(each for each in starts if each["hand"] == hand)
    return {option: float(Fraction(worth)) for option, worth in found["values"].items()}


def starting_hand(pair: list[Card]) -> str:
    """Name two cards as a starting hand.

    >>> from tapisvert.cards import parse_hand
    >>> starting_hand(parse_hand("9h Kh")), starting_hand(parse_hand("9h 9d"))
    ('K9s', '99')
    """
    high, low = sorted(map(rank, pair), reverse=True)
    suited = suit(pair[0]) == suit(pair[1])
    return RANKS[high] + RANKS[low] + ("" if high == low else "s" if suited else "o")
