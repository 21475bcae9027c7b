"""Combinatorics: a table of binomial coefficients, sets of cards as rows, overflow checks."""

from __future__ import annotations

from functools import cache
from math import comb

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.refusal import Refused

_CARDS, _CHOSEN = 54, 8


@cache
def choose_table() -> NDArray[np.int64]:
    """Return the number of ways to choose k of n, for up to 53 cards and 7 chosen.

    >>> int(choose_table()[52, 5])
    2598960
    """
    rows = [[comb(n, k) for k in range(_CHOSEN)] for n in range(_CARDS)]
    return np.array(rows, dtype=np.int64)


def must_fit(most: int) -> None:
    """Refuse prices whose sums may overflow 64 bits, which would give wrong figures silently.

    >>> must_fit(1 << 63)
    Traceback (most recent call last):
    tapisvert.refusal.Refused: prove/too_large
    """
    if most >= 1 << 63:
        raise Refused("prove/too_large")


def all_sets(cards: int, size: int) -> NDArray[np.uint8]:
    """Return every set of this size from the first cards, as ascending rows in colexicographic
    order.

    >>> all_sets(4, 2).tolist()
    [[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]]
    """
    rows = np.empty((comb(cards, size), size), dtype=np.uint8)
    _write_sets(rows)
    return rows


@numba.njit(cache=True, nogil=True)
def _write_sets(rows: NDArray[np.uint8]) -> None:
    count, size = rows.shape
    current = np.arange(size).astype(np.uint8)
    for row in range(count):
        rows[row] = current
        place = 0
        while place < size - 1 and current[place] + 1 == current[place + 1]:
            current[place] = place
            place += 1
        current[place] += 1
