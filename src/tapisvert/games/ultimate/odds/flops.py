"""Suit patterns of flops: 1,755, and the renaming that maps any flop to its pattern.

A pair in the hand is renamed together with its flop. Several renamings may map a flop to its
pattern, so sums by pattern are averaged over the renamings that leave it unchanged.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.combinatorics import all_sets

PATTERNS = 1755


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


def even_out(sums: NDArray[np.int64]) -> NDArray[np.int64]:
    """Turn sums over boards of different patterns into the sum for one flop and pair.

    `sums` has a row for each pattern of flop and a column for each pair.
    """
    return np.stack([even_row(number, sums[number]) for number in range(PATTERNS)])


def even_row(number: int, sums: NDArray[np.int64]) -> NDArray[np.int64]:
    """Average the sums of one pattern of flop.

    Every board was added with its weight, and every flop in it under one renaming. The sum for one
    flop is the average over the renamings that leave the pattern unchanged, divided by the number
    of flops of the pattern; the two numbers multiply to 24.
    """
    known, two = flops(), all_sets(52, 2)
    out = np.zeros_like(sums)
    cards = set(known.patterns[number].tolist())
    for renaming in known.cards:
        if {int(renaming[card]) for card in cards} == cards:
            moved = renaming[two]
            out += sums[known.pairs[moved[:, 0], moved[:, 1]]]
    if (out % 24).any():
        raise AssertionError("a flop's sums are not whole: some board was left out")
    return out // 24
