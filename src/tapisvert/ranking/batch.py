"""The standard order over NumPy arrays: a row of cards in, a strength out.

The strengths equal those of `standard`, which fills the tables below.

Algorithm. Without a flush only the number of cards of each rank matters. Split the thirteen ranks
into a low group (2 to 8) and a high group (9 to A) and write each group's counts in base 5, a digit
per rank. Both numbers are sums over the cards, so one addition per card makes them. Then

    place = low[low_number] + high[high_number]

where, for hands of k cards of which n are low, `high` numbers the ways to have k - n high cards
from 0 to w - 1, and `low` holds (start of block n) + w * (number of this way to have n low cards).
Every place is used exactly once: 49,205 of them for seven cards, with no search and no collision.
The suits are counted in the same addition, each starting at 3, so that five of one suit set that
counter's fourth bit. (Pai Gow's four cards beside a joker start at 4.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import STANDARD, rank, suit
from tapisvert.ranking.standard import of_counts, of_suited

_LOW_RANKS, _HIGH_RANKS = 7, 6
_LOW_BITS = 17  # 5 ** 7 < 2 ** 17
_LOW_MASK = (1 << _LOW_BITS) - 1
_HIGH_MASK = (1 << 14) - 1  # 5 ** 6 < 2 ** 14
_SUIT_SHIFT = 32
_FLUSH = 0x8888 << _SUIT_SHIFT
_NOT_A_CARD = 1 << 56  # seven of them fit in the word
_ASKS_A_LOOK = _FLUSH | 7 * _NOT_A_CARD


class Tables(NamedTuple):
    """The tables the kernel reads: 0.6 MB for seven cards."""

    no_suits: np.uint64  # start of each suit's counter, so that a flush sets its fourth bit
    keys: NDArray[np.uint64]
    low: NDArray[np.int32]
    high: NDArray[np.int32]
    unsuited: NDArray[np.int32]
    suited: NDArray[np.int32]


def strengths(hands: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return the strength of each row of five, six or seven different cards of the 52.

    >>> strengths(np.array([[51, 47, 43, 39, 35]], dtype=np.uint8)) >> 20   # a royal flush
    array([9], dtype=int32)
    """
    if hands.ndim != 2 or not 5 <= hands.shape[1] <= 7:
        raise ValueError(f"expected rows of 5, 6 or 7 cards, got shape {hands.shape}")
    if hands.dtype != np.uint8:
        raise TypeError(f"cards are uint8, not {hands.dtype}")
    out = np.empty(len(hands), dtype=np.int32)
    if not rank_rows(np.ascontiguousarray(hands), *tables(hands.shape[1]), out):
        raise ValueError("a card is not one of the 52")
    return out


@cache
def tables(size: int) -> Tables:
    """Build the tables of the standard order for hands of `size` cards."""
    return build(size, of_counts, of_suited)


def build(
    size: int,
    of_counts: Callable[[Sequence[int]], int],
    of_suited: Callable[[int], int],
    flush: int = 5,
) -> Tables:
    """Build the tables of an order from the strengths of rank counts and of suited cards."""
    low = np.zeros(5**_LOW_RANKS, dtype=np.int32)
    high = np.zeros(5**_HIGH_RANKS, dtype=np.int32)
    unsuited: list[int] = []
    for low_cards in range(size + 1):
        high_ways = list(_ways(_HIGH_RANKS, size - low_cards))
        for number, high_way in enumerate(high_ways):
            high[_base_5(high_way)] = number
        for low_way in _ways(_LOW_RANKS, low_cards):
            low[_base_5(low_way)] = len(unsuited)
            unsuited += [of_counts(low_way + high_way) for high_way in high_ways]
    fits = range(flush, size + 1)
    suited = [of_suited(held) if held.bit_count() in fits else 0 for held in range(1 << 13)]
    return Tables(
        no_suits=np.uint64((8 - flush) * 0x1111 << _SUIT_SHIFT),
        keys=np.array([_key(byte) for byte in range(256)], dtype=np.uint64),
        low=low,
        high=high,
        unsuited=np.array(unsuited, dtype=np.int32),
        suited=np.array(suited, dtype=np.int32),
    )


def _ways(ranks: int, cards: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to hold this many cards of this many ranks, at most four of each."""
    if ranks == 0:
        if cards == 0:
            yield ()
        return
    for count in range(min(4, cards) + 1):
        for rest in _ways(ranks - 1, cards - count):
            yield (count, *rest)


def _base_5(counts: tuple[int, ...]) -> int:
    return sum(count * int(5**place) for place, count in enumerate(counts))


def _key(card: int) -> int:
    """Return the key of one card: its rank's digit, and one in its suit's counter."""
    if card not in STANDARD:
        return _NOT_A_CARD
    place = rank(card)
    group, shift = (place, 0) if place < _LOW_RANKS else (place - _LOW_RANKS, _LOW_BITS)
    digit = int(5**group) << shift
    return digit + (1 << _SUIT_SHIFT + 4 * suit(card))


@numba.njit(cache=True, nogil=True)
def rank_rows(
    hands: NDArray[np.uint8],
    no_suits: np.uint64,
    keys: NDArray[np.uint64],
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    unsuited: NDArray[np.int32],
    suited: NDArray[np.int32],
    out: NDArray[np.int32],
) -> bool:
    """Rank rows of cards by the tables of an order; return False if a value is not a card."""
    for row in range(hands.shape[0]):
        key = no_suits
        for column in range(hands.shape[1]):
            key += keys[hands[row, column]]
        flush = key & np.uint64(_ASKS_A_LOOK)
        if flush == 0:
            place = low[key & np.uint64(_LOW_MASK)]
            place += high[key >> np.uint64(_LOW_BITS) & np.uint64(_HIGH_MASK)]
            out[row] = unsuited[place]
        elif flush >= np.uint64(_NOT_A_CARD):
            return False
        else:
            ranks = 0
            for column in range(hands.shape[1]):
                card = hands[row, column]
                if flush >> np.uint64(_SUIT_SHIFT + 3 + 4 * (card & 3)) & np.uint64(1):
                    ranks |= 1 << (card >> 2)
            out[row] = suited[ranks]
    return True
