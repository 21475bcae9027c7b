"""Blackjack hands as counts of ten values, and every way a hand can grow.

Suits and court ranks do not matter, so a hand is the number of its cards of each value: 0 for an
ace, 1 to 8 for deuce to nine, 9 for a ten-value. It is encoded in two ways, both sums over its
cards:

    packed    four bits for each value, to compare with the remaining deck
    low, high its aces to fives, and its sixes to tens, each as a number in base 5

The cards of two halves together have at most 51 points (unless both are bust, which needs no
place). These sets of cards have places 0, 1, 2, ...: `row[low] + column[high]`, with the sets of
one row ordered by the points of their high cards. There are 156,640 of them, which covers every
round.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import ACE, Card, rank

Counts = tuple[int, ...]  # number of cards of each value

VALUES = 10
ACES, TENS = 0, 9
DECK: Counts = (4,) * 9 + (16,)
NO_CARDS: Counts = (0,) * VALUES
LONE = 10  # start of a hand that is not half of a split
MOST_POINTS = 51  # a bust from a hard 20, and 21
_LOW_VALUES, _SAME, _TENS_TAKEN = 5, 5, 8


class Hands(NamedTuple):
    """Every hand with the same start: live hands by size, then bust hands."""

    packed: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    size: NDArray[np.int64]
    hard: NDArray[np.int64]  # points with aces as 1
    total: NDArray[np.int64]  # best total
    next: NDArray[np.int64]  # one row per live hand: the hand each card leads to, or -1
    live: int


class Places(NamedTuple):
    """The numbering of the sets of cards a round can draw."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    packed: NDArray[np.int64]  # the set at each place


def value(card: Card) -> int:
    """Return the value of a card as a number from 0 (ace) to 9 (ten or court).

    >>> from tapisvert.cards import parse
    >>> value(parse("Ad")), value(parse("2d")), value(parse("Td")), value(parse("Kd"))
    (0, 1, 9, 9)
    """
    return ACES if rank(card) == ACE else min(rank(card) + 1, TENS)


def counts(values: Iterator[int] | tuple[int, ...] | list[int]) -> Counts:
    """Return the number of cards of each value."""
    held = [0] * VALUES
    for each in values:
        held[each] += 1
    return tuple(held)


def with_card(hand: Counts, card: int, times: int = 1) -> Counts:
    """Return the hand with one card more (with times = -1, one card less)."""
    return (*hand[:card], hand[card] + times, *hand[card + 1 :])


def points(hand: Counts) -> int:
    """Return the points of a hand, with aces as 1."""
    return sum((card + 1) * held for card, held in enumerate(hand))


@cache
def best_total(hand: Counts) -> int:
    """Return the best total: one ace counts 11 if that does not bust (bj.4).

    >>> best_total(counts([0, 5])), best_total(counts([0, 5, 9]))
    (17, 17)
    """
    hard = points(hand)
    return hard + 10 if hand[ACES] and hard <= 11 else hard


def pack(hand: Counts) -> int:
    """Encode counts in four bits each."""
    return sum(held << 4 * card for card, held in enumerate(hand))


def unpack(packed: int) -> Counts:
    """Decode counts of four bits each.

    >>> unpack(pack((1, 0, 0, 0, 2, 0, 0, 0, 0, 3)))
    (1, 0, 0, 0, 2, 0, 0, 0, 0, 3)
    """
    return tuple(packed >> 4 * card & 15 for card in range(VALUES))


def low_key(hand: Counts) -> int:
    """Encode the aces to fives in base 5."""
    return sum(held * int(_SAME**place) for place, held in enumerate(hand[:_LOW_VALUES]))


def high_key(hand: Counts) -> int:
    """Encode the sixes to tens in base 5, tens last: there may be up to seven."""
    return sum(held * int(_SAME**place) for place, held in enumerate(hand[_LOW_VALUES:]))


@cache
def hands(start: int) -> Hands:
    """Return every hand that grows from `start`; LONE stands for any two cards.

    A hard 21 stands automatically (bj.9), so no hand grows from it.
    """
    twos = {with_card(with_card(NO_CARDS, a), b) for a in range(VALUES) for b in range(VALUES)}
    found = sorted(twos) if start == LONE else [with_card(NO_CARDS, start)]
    bust: dict[Counts, None] = {}
    seen = set(found)
    for hand in found:  # grows while it is read, so sizes come in order
        for _, more in _grown(hand):
            if points(more) > 21:
                bust[more] = None
            elif more not in seen:
                seen.add(more)
                found.append(more)
    every = [*found, *bust]
    place = {hand: number for number, hand in enumerate(every)}
    following = np.full((len(found), VALUES), -1, dtype=np.int64)
    for number, hand in enumerate(found):
        for card, more in _grown(hand):
            following[number, card] = place[more]
    return Hands(
        packed=_column(pack(hand) for hand in every),
        low=_column(low_key(hand) for hand in every),
        high=_column(high_key(hand) for hand in every),
        size=_column(sum(hand) for hand in every),
        hard=_column(points(hand) for hand in every),
        total=_column(best_total(hand) for hand in every),
        next=following,
        live=len(found),
    )


@cache
def hand_numbers(start: int) -> dict[Counts, int]:
    """Return the index of each hand in `hands(start)`."""
    return {unpack(int(packed)): number for number, packed in enumerate(hands(start).packed)}


@cache
def places() -> Places:
    """Number every set of cards a round can draw.

    >>> len(places().packed)
    156640
    """
    lows = [hand[::-1] for hand in product(range(_SAME), repeat=_LOW_VALUES)]  # in key order
    highs = [hand[::-1] for hand in product(range(_TENS_TAKEN), *[range(_SAME)] * 4)]
    high_points = [points((*[0] * _LOW_VALUES, *hand)) for hand in highs]
    order = sorted(range(len(highs)), key=lambda key: high_points[key])
    column = np.empty(len(highs), dtype=np.int64)
    column[order] = np.arange(len(highs))
    row: list[int] = []
    packed: list[int] = []
    packed_highs = [pack((*[0] * _LOW_VALUES, *highs[key])) for key in order]
    ordered_points = sorted(high_points)
    for hand in lows:
        row.append(len(packed))
        room = MOST_POINTS - points(hand)
        fitting = int(np.searchsorted(ordered_points, room, side="right"))
        base = pack(hand)
        packed += [base + high for high in packed_highs[:fitting]]
    return Places(np.array(row), column, np.array(packed))


def _grown(hand: Counts) -> Iterator[tuple[int, Counts]]:
    """Yield each card a hand can draw, and the resulting hand; a hard 21 draws none."""
    if points(hand) < 21:
        for card in range(VALUES):
            if hand[card] < DECK[card]:
                yield card, with_card(hand, card)


def _column(numbers: Iterator[int]) -> NDArray[np.int64]:
    return np.array(list(numbers), dtype=np.int64)
