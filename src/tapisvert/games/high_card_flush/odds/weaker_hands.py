"""The number of the house's seven-card hands that are weaker than a flush, at High Card Flush.

The house's hand is four sets of ranks, one per suit. It is weaker than a flush v if all four are.
For the cards left in each suit, a polynomial in the number of cards counts the sets of each size
that are weaker than v. In the product of the four, the coefficient at seven cards is the number of
weaker hands. All sets shorter than v are weaker; of sets as long as v, those before it in order; no
longer set is weaker.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.combinatorics import choose_table
from tapisvert.odds.parallel import Progress, no_progress, spread
from tapisvert.ranking.flush import of_suit

HAND = 7
SETS = 1 << 13  # sets of ranks in a suit
FULL_DECK = (SETS - 1,) * 4


class Classes(NamedTuple):
    """The player's flush in each hand, and counts of the house's weaker hands."""

    flushes: NDArray[np.int16]
    unqualified: NDArray[np.int32]
    weaker: NDArray[np.int32]  # weaker than the player's flush
    not_better: NDArray[np.int32]


def house_classes(
    suits: NDArray[np.int16],
    least_to_qualify: int,
    deck: Sequence[int] = FULL_DECK,
    tell: Progress = no_progress,
) -> Classes:
    """Classify the house's hands against these hands; `deck` has the ranks of each suit."""
    count = len(suits)
    flushes = np.empty(count, dtype=np.int16)
    classes = np.empty((count, 3), dtype=np.int32)
    there = np.array(deck, dtype=np.int64)
    limit = _first_flush(least_to_qualify, flush_values())

    def work(first: int, end: int) -> None:
        rows = slice(first, end)
        _class_house(
            suits[rows],
            there,
            flush_values(),
            flush_sizes(),
            limit,
            choose_table(),
            flushes[rows],
            classes[rows],
        )

    spread(work, count, tell)
    return Classes(flushes, *classes.T)


@cache
def flush_values() -> NDArray[np.int64]:
    """Return the strength of the flush of each set of ranks; no hand has eight suited cards."""
    return np.array([of_suit(ranks) if ranks.bit_count() <= HAND else 0 for ranks in range(SETS)])


@cache
def flush_sizes() -> NDArray[np.int64]:
    """Return the number of cards in each set of ranks."""
    return np.array([ranks.bit_count() for ranks in range(SETS)], dtype=np.int64)


def _first_flush(least: int, values: NDArray[np.int64]) -> int:
    """Return the ranks of the weakest qualifying flush."""
    qualifying = np.flatnonzero(values >= least)
    return int(qualifying[np.argmin(values[qualifying])])


@numba.njit(cache=True, nogil=True)
def _weaker(
    left: int, flush: int, length: int, sizes: NDArray[np.int64], choose: NDArray[np.int64]
) -> int:
    """Count the sets of `length` among the remaining ranks that precede the flush in order.

    Sets of one size compare by their highest rank, then the next: as binary numbers. The count goes
    down the ranks of the flush, adding the sets that equal it so far and then have only lower
    ranks.
    """
    count: int = 0
    needed = length
    for rank in range(12, -1, -1):
        if flush >> rank & 1:
            count += choose[sizes[left & ((1 << rank) - 1)], needed]
            if not left >> rank & 1:
                return count
            needed -= 1
    return count


@numba.njit(cache=True, nogil=True)
def _hands_below(
    left: NDArray[np.int64],
    flush: int,
    and_equal: bool,
    sizes: NDArray[np.int64],
    choose: NDArray[np.int64],
    product: NDArray[np.int64],
) -> int:
    """Count the seven-card hands of the remaining ranks in which every suit is weaker than the
    flush.
    """
    length = sizes[flush]
    product[:] = 0
    product[0] = 1
    for suit in range(4):
        here = sizes[left[suit]]
        as_long = _weaker(left[suit], flush, length, sizes, choose)
        if and_equal and left[suit] & flush == flush:
            as_long += 1
        for cards in range(7, -1, -1):
            total = as_long * product[cards - length] if cards >= length else 0
            for taken in range(min(cards + 1, length)):
                total += choose[here, taken] * product[cards - taken]
            product[cards] = total
    count: int = product[7]
    return count


@numba.njit(cache=True, nogil=True)
def _class_house(
    suits: NDArray[np.int16],
    deck: NDArray[np.int64],
    values: NDArray[np.int64],
    sizes: NDArray[np.int64],
    limit: int,
    choose: NDArray[np.int64],
    flushes: NDArray[np.int16],
    classes: NDArray[np.int32],
) -> None:
    left, product = np.empty(4, dtype=np.int64), np.empty(8, dtype=np.int64)
    for row in range(len(suits)):
        best: int = 0
        for suit in range(4):
            held = suits[row, suit]
            left[suit] = deck[suit] & ~held
            if values[held] > values[best]:
                best = held
        flushes[row] = best
        classes[row, 0] = _hands_below(left, limit, False, sizes, choose, product)
        classes[row, 1] = _hands_below(left, best, False, sizes, choose, product)
        classes[row, 2] = _hands_below(left, best, True, sizes, choose, product)
