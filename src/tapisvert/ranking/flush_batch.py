"""The orders of High Card Flush over NumPy arrays; `flush` fills the tables."""

from __future__ import annotations

from functools import cache

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.ranking.flush import of_suit, run_of_suit


def strengths(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the strength of each row of seven cards of the 52.

    >>> strengths(np.array([[51, 47, 43, 39, 35, 31, 27]], dtype=np.uint8)) >> 28   # A to 8 suited
    array([7])
    """
    return _best(hands, _strength_of_suit())


def straight_flush_lengths(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the longest run of one suit in each row of seven cards of the 52.

    >>> straight_flush_lengths(np.array([[51, 3, 7, 47, 0, 5, 10]], dtype=np.uint8))   # A 2 3, K A
    array([3])
    """
    return _best(hands, _run_of_suit())


@cache
def _strength_of_suit() -> NDArray[np.int64]:
    # A suit of eight or more cards is in no hand of seven.
    fits = (of_suit(ranks) if ranks.bit_count() <= 7 else 0 for ranks in range(1 << 13))
    return np.fromiter(fits, dtype=np.int64)


@cache
def _run_of_suit() -> NDArray[np.int64]:
    return np.fromiter((run_of_suit(ranks) for ranks in range(1 << 13)), dtype=np.int64)


def _best(hands: NDArray[np.uint8], of_suit: NDArray[np.int64]) -> NDArray[np.int64]:
    if hands.ndim != 2 or hands.shape[1] != 7 or hands.dtype != np.uint8:
        raise ValueError(f"expected rows of 7 cards, got {hands.dtype} of shape {hands.shape}")
    out = np.empty(len(hands), dtype=np.int64)
    if not _best_suits(np.ascontiguousarray(hands), of_suit, out):
        raise ValueError("a card is not one of the 52")
    return out


@numba.njit(cache=True, nogil=True)
def _best_suits(
    hands: NDArray[np.uint8], of_suit: NDArray[np.int64], out: NDArray[np.int64]
) -> bool:
    for row in range(hands.shape[0]):
        # The four sets of ranks side by side, sixteen bits each.
        held = np.uint64(0)
        for column in range(7):
            card = hands[row, column]
            if card > 51:
                return False
            held |= np.uint64(1) << np.uint64((card & 3) * 16 + (card >> 2))
        best = np.int64(0)
        for _ in range(4):
            best = max(best, of_suit[held & np.uint64(0x1FFF)])
            held >>= np.uint64(16)
        out[row] = best
    return True
