"""The 21 ways to set seven cards: the classes of each low and high hand, for counting.

Hands are classes, numbered from the weakest: 91 low hands and 7,463 high hands. A set is written
as one number, its `mark`: the class of its high hand, then seven bits for that of its low hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import JOKER, Card
from tapisvert.ranking.joker import outranks
from tapisvert.ranking.joker_batch import tables
from tapisvert.ranking.standard import (
    FLUSH,
    HIGH_CARD,
    PAIR,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    pack,
)

RANKS = 13
NO_PAIRS = RANKS * (RANKS - 1) // 2  # low hands without a pair come first
LOWS = NO_PAIRS + RANKS
LOW_BITS = 7
LOW_MASK = (1 << LOW_BITS) - 1
SETS = 21

# The key format of `ranking.batch`: the ranks in two groups, then a counter for each suit.
_LOW_BITS, _HIGH_MASK = 17, (1 << 14) - 1
_LOW_MASK = (1 << _LOW_BITS) - 1
_SUITS = 32

Marks = NDArray[np.uint32]


class Order(NamedTuple):
    """The classes of high hands, and the tables of `ranking.batch` that find them.

    Of two tables, the first is for five natural cards, the second for the four beside the joker.
    """

    strengths: NDArray[np.int32]  # by class
    complete: NDArray[np.bool_]  # whether it is a straight, a flush, or both
    most_low: NDArray[np.uint8]  # the best low hand allowed beside it
    no_suits: NDArray[np.uint64]
    keys: NDArray[np.uint64]  # the key of each card; 0 for the joker
    low: NDArray[np.int32]
    high: NDArray[np.int32]
    unsuited: NDArray[np.int32]
    suited: NDArray[np.int32]


@cache
def order() -> Order:
    """Return the order of high hands.

    >>> len(order().strengths), int(order().complete.sum())
    (7463, 1297)
    """
    natural, joker = (tables(with_joker=with_joker) for with_joker in (False, True))
    unsuited = np.concatenate([natural.unsuited, joker.unsuited])
    suited = np.stack([natural.suited, joker.suited])
    strengths = np.unique(np.concatenate([unsuited, suited[suited > 0]]))
    lows = low_strengths()
    most = [sum(outranks(int(high), low) for low in lows) - 1 for high in strengths]
    keys = natural.keys[: JOKER + 1].copy()
    keys[JOKER] = 0
    return Order(
        strengths=strengths,
        complete=np.isin(strengths >> 20, [STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL]),
        most_low=np.array(most, dtype=np.uint8),
        no_suits=np.array([natural.no_suits, joker.no_suits]),
        keys=keys,
        low=np.stack([natural.low, joker.low + np.int32(len(natural.unsuited))]),
        high=np.stack([natural.high, joker.high]),
        unsuited=np.searchsorted(strengths, unsuited).astype(np.int32),
        suited=np.searchsorted(strengths, suited).astype(np.int32),
    )


@cache
def low_strengths() -> tuple[int, ...]:
    """Return the strength of each class of low hands."""
    apart = [pack(HIGH_CARD, [high, low]) for high in range(RANKS) for low in range(high)]
    return (*apart, *(pack(PAIR, [each]) for each in range(RANKS)))


@numba.njit(cache=True, nogil=True)
def low_class(one: int, other: int) -> int:
    """Return the class of a low hand of these ranks."""
    if one == other:
        return NO_PAIRS + one
    high, low = max(one, other), min(one, other)
    return high * (high - 1) // 2 + low


@numba.njit(cache=True, nogil=True)
def mark(high: int, low: int) -> int:
    """Encode a set as one number."""
    return high << LOW_BITS | low


def marks_of(cards: Sequence[Card]) -> list[int]:
    """Return the marks of the 21 sets of ascending cards, in the order of `combinations`."""
    lows, highs = np.empty(SETS, dtype=np.int64), np.empty(SETS, dtype=np.int64)
    lay(np.array(cards, dtype=np.int64), order(), lows, highs)
    return [mark(*each) for each in zip(highs.tolist(), lows.tolist(), strict=True)]


@numba.njit(cache=True, nogil=True)
def lay(
    cards: NDArray[np.int64], by: Order, lows: NDArray[np.int64], highs: NDArray[np.int64]
) -> None:
    """Write the classes of the 21 sets, in the order of `itertools.combinations`.

    The joker, if present, is the last card.
    """
    # Read once: reference counting of the arrays costs more than the work itself.
    no_suits, keys, low, high = by.no_suits, by.keys, by.low, by.high
    unsuited, suited = by.unsuited, by.suited
    joker = 1 if cards[6] == JOKER else 0
    whole = np.uint64(0)
    for n in range(7):
        whole += keys[cards[n]]
    at = 0
    for one in range(7):
        for other in range(one + 1, 7):
            # The joker, 52, has the rank above the ace's: it is an ace.
            lows[at] = low_class(int(cards[one] >> 2), min(int(cards[other] >> 2), RANKS - 1))
            beside = 0 if other == 6 else joker
            key = whole - keys[cards[one]] - keys[cards[other]] + no_suits[beside]
            if key >> np.uint64(_SUITS) & np.uint64(0x8888):
                highs[at] = suited[beside, _ranks(cards, one, other)]
            else:
                place = low[beside, key & np.uint64(_LOW_MASK)]
                place += high[beside, key >> np.uint64(_LOW_BITS) & np.uint64(_HIGH_MASK)]
                highs[at] = unsuited[place]
            at += 1


@numba.njit(cache=True, nogil=True)
def _ranks(cards: NDArray[np.int64], one: int, other: int) -> int:
    """Return the ranks of the natural cards of the high hand: all but these two."""
    ranks = 0
    for n in range(7):
        if n not in (one, other) and cards[n] != JOKER:
            ranks |= 1 << int(cards[n] >> 2)
    return ranks
