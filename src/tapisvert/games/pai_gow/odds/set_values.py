"""The value of a set to the player: the number of the house's hands it beats.

Paid 1:1, the value of a set is the number of house hands its low hand beats plus the number its
high hand beats, among those without a card of the player's cards P. Both counts use inclusion and
exclusion:

    worth = sum over S within P of (-1)^|S| * (hands that contain S: low beaten + high beaten)

A sum truncated at size n overcounts a house hand that shares j cards with P by C(j-1, n) if n is
even, and undercounts it by as much if n is odd. So a truncated sum is a bound.
"""

from __future__ import annotations

from math import comb

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.pai_gow.odds.deck import HAND, WAYS
from tapisvert.games.pai_gow.odds.sets import LOW_BITS, LOW_MASK
from tapisvert.games.pai_gow.odds.tables import HandTable, Listed


def slack(cards: int, size: int) -> int:
    """Return the error bound of a sum over sets of up to this size, low or high."""
    return sum(
        comb(shared - 1, size) * comb(HAND, shared) * comb(cards - HAND, HAND - shared)
        for shared in range(size + 1, HAND + 1)
    )


@numba.njit(cache=True, nogil=True)
def find_numbers(
    hand: NDArray[np.uint8], ways: NDArray[np.int64], numbers: NDArray[np.int64]
) -> None:
    """Write the numbers of the sets within a hand; row n has the sets of n cards."""
    sizes = np.zeros(1 << HAND, dtype=np.int64)
    of_part = np.zeros(1 << HAND, dtype=np.int64)
    count = np.zeros(HAND + 1, dtype=np.int64)
    numbers[0, 0] = 0
    for highest in range(HAND):
        for below in range(1 << highest):
            size = sizes[below] + 1
            number = of_part[below] + ways[hand[highest], size]
            sizes[below | 1 << highest] = size
            of_part[below | 1 << highest] = number
            numbers[size, count[size]] = number
            count[size] += 1


@numba.njit(cache=True, nogil=True)
def add_tabled(
    numbers: NDArray[np.int64],
    size: int,
    lows: NDArray[np.int64],
    highs: NDArray[np.int64],
    table: HandTable,
    worth: NDArray[np.int64],
) -> None:
    """Add the terms of this size to the values of these sets."""
    ids, below_low, below_high = table.ids, table.lows, table.highs
    start = table.starts[size]
    for at in range(len(lows)):
        total = np.int64(0)
        for n in range(WAYS[HAND, size]):
            column = ids[start + numbers[size, n]]
            total += np.int64(below_low[lows[at], column])
            total += np.int64(below_high[highs[at], column])
        worth[at] += -total if size & 1 else total


@numba.njit(cache=True, nogil=True)
def add_listed(
    numbers: NDArray[np.int64],
    size: int,
    lows: NDArray[np.int64],
    highs: NDArray[np.int64],
    listed: Listed,
    worth: NDArray[np.int64],
) -> None:
    """Add the terms of five or six cards."""
    ids, below_low, lists = listed.ids, listed.lows, listed.highs
    for n in range(WAYS[HAND, size]):
        row = ids[numbers[size, n]]
        for at in range(len(lows)):
            first, end = 0, lists.shape[1]
            while first < end:
                middle = (first + end) // 2
                if lists[row, middle] < highs[at]:
                    first = middle + 1
                else:
                    end = middle
            total = np.int64(below_low[row, lows[at]]) + first
            worth[at] += -total if size & 1 else total


@numba.njit(cache=True, nogil=True)
def add_last(
    mark: int,
    lows: NDArray[np.int64],
    highs: NDArray[np.int64],
    eligible: NDArray[np.bool_],
    worth: NDArray[np.int64],
) -> None:
    """Subtract the term of seven cards: the house with the player's own hand."""
    low, high = mark & LOW_MASK, mark >> LOW_BITS
    if eligible[low]:
        for at in range(len(lows)):
            worth[at] -= np.int64(low < lows[at]) + np.int64(high < highs[at])
