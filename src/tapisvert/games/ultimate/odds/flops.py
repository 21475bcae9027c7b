"""Suit patterns of flops: 1,755, and the renaming that maps any flop to its pattern.

A pair in the hand is renamed together with its flop. Several renamings may map a flop to its
pattern; any of them serves, because the pairs they lead to differ by suits that do not matter.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.combinatorics import all_sets

PATTERNS = 1755
_COUNT_BITS = 8


class Flops(NamedTuple):
    """Every flop by colexicographic number, with its pattern."""

    pattern: NDArray[np.int16]  # one of the 1,755
    renaming: NDArray[np.int8]  # the one of 24 renamings that maps the flop to its pattern
    cards: NDArray[np.uint8]  # by renaming: the new card of each of the 52
    pairs: NDArray[np.int16]  # the number of a pair of cards, in either order
    flops: NDArray[np.uint8]  # the cards of each flop
    patterns: NDArray[np.uint8]  # the cards of each pattern


@cache
def flops() -> Flops:
    """Number the patterns of flops."""
    renamed = np.array(
        [[card & ~3 | to[card & 3] for card in range(52)] for to in permutations(range(4))],
        dtype=np.uint8,
    )
    every = all_sets(52, 3)
    # A flop's code under a renaming is the number of its sorted cards; the lowest is its pattern.
    moved = np.sort(renamed[:, every], axis=2).astype(np.int64)
    names = moved[:, :, 0] + moved[:, :, 1] * 52 + moved[:, :, 2] * 2704
    renaming = names.argmin(axis=0)
    least = names.min(axis=0)
    distinct, pattern = np.unique(least, return_inverse=True)
    stands = np.stack((distinct % 52, distinct // 52 % 52, distinct // 2704), axis=1)
    pairs = np.zeros((52, 52), dtype=np.int16)
    for number, (low, high) in enumerate(all_sets(52, 2)):
        pairs[low, high] = pairs[high, low] = number
    return Flops(
        pattern.astype(np.int16),
        renaming.astype(np.int8),
        renamed,
        pairs,
        every,
        stands.astype(np.uint8),
    )


class Renaming(NamedTuple):
    """The renaming of any flop to its pattern, in the form the kernel reads."""

    pattern: NDArray[np.int16]
    renaming: NDArray[np.int8]
    cards: NDArray[np.uint8]
    pairs: NDArray[np.int16]


@numba.njit(cache=True, nogil=True)
def flop_of(board: NDArray[np.uint8], skip_one: int, skip_two: int) -> int:
    """Return the colexicographic number of a board's cards without these two."""
    number: int = 0
    size = 0
    for place in range(5):
        if place not in (skip_one, skip_two):
            card: int = board[place] + 0  # in 64 bits
            size += 1
            if size == 1:
                number += card
            elif size == 2:
                number += card * (card - 1) // 2
            else:
                number += card * (card - 1) * (card - 2) // 6
    return number


@numba.njit(cache=True, nogil=True)
def raises_on_flops(
    board: NDArray[np.uint8],
    hands: NDArray[np.uint8],
    known: Renaming,
    after: NDArray[np.int8],
    raises: NDArray[np.int64],
) -> None:
    """Count for each pair on how many of the ten flops in a board each raise is taken.

    The counts are packed in one number, so that a flop is one addition.
    """
    for one in range(5):
        for two in range(one):
            flop = flop_of(board, one, two)
            here, becomes = after[known.pattern[flop]], known.cards[known.renaming[flop]]
            row = 0
            for lower in range(1, 47):  # in the order of `lay_out`
                with_high = known.pairs[becomes[hands[row, 1]]]
                for _ in range(lower):
                    times = np.int64(here[with_high[becomes[hands[row, 0]]]])
                    raises[row] += np.int64(1) << _COUNT_BITS * times
                    row += 1
