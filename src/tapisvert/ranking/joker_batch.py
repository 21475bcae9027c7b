"""The orders of Pai Gow over NumPy arrays: high hands, low hands, and the Fortune Bonus rows.

Strengths and rows equal those of `joker` and `fortune`, which fill the tables.
"""

from __future__ import annotations

from functools import cache

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import ACE, JOKER
from tapisvert.ranking import joker
from tapisvert.ranking.batch import Tables, build, rank_rows
from tapisvert.ranking.fortune import KING_QUEEN, ROYAL_RANKS, RUNS_OF_5, RUNS_OF_7
from tapisvert.ranking.standard import PAIR


@cache
def tables(*, with_joker: bool) -> Tables:
    """Build the tables of high hands: five natural cards, or the four beside a joker."""
    return build(
        4 if with_joker else 5,
        lambda counts: joker.of_counts(counts, joker=with_joker),
        lambda ranks: joker.of_suited(ranks, joker=with_joker),
        flush=4 if with_joker else 5,
    )


def strengths(hands: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return the strength of each row of five different cards of the 53.

    >>> strengths(np.array([[51, 50, 49, 48, 52]], dtype=np.uint8)) >> 20   # five aces
    array([10], dtype=int32)
    """
    _check(hands, 5)
    jokers = hands == JOKER
    held = jokers.any(axis=1)
    out = np.empty(len(hands), dtype=np.int32)
    for with_joker, rows in ((False, ~held), (True, held)):
        natural = hands[rows][~jokers[rows]].reshape(-1, 4 if with_joker else 5)
        ranked = np.empty(len(natural), dtype=np.int32)
        rank_rows(natural, *tables(with_joker=with_joker), ranked)
        out[rows] = ranked
    return out


def low_strengths(hands: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return the strength of each row of two different cards of the 53.

    >>> low_strengths(np.array([[52, 51], [51, 47]], dtype=np.uint8)) >> 20   # aces; ace-king
    array([1, 0], dtype=int32)
    """
    _check(hands, 2)
    ranks = np.where(hands == JOKER, ACE, hands >> 2).astype(np.int32)
    high, low = ranks.max(axis=1), ranks.min(axis=1)
    out: NDArray[np.int32] = np.where(
        high == low, PAIR << 20 | high << 16, high << 16 | low << 12
    ).astype(np.int32)
    return out


def fortune_rows(hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return the rows each row of seven cards reaches: bit n is `fortune.ROWS[n]`.

    >>> from tapisvert.ranking.fortune import ROWS
    >>> bits = fortune_rows(np.array([[51, 50, 49, 48, 52, 0, 5]], dtype=np.uint8))
    >>> [row for n, row in enumerate(ROWS) if bits[0] >> n & 1]
    ['five-aces', 'four-of-a-kind', 'three-of-a-kind']
    """
    _check(hands, 7)
    out = np.empty(len(hands), dtype=np.uint16)
    _fortune(np.ascontiguousarray(hands), *_sets(), out)
    return out


def _check(hands: NDArray[np.uint8], cards: int) -> None:
    """Refuse values that would make the kernels read past their tables."""
    if hands.ndim != 2 or hands.shape[1] != cards or hands.dtype != np.uint8:
        raise ValueError(
            f"expected rows of {cards} cards, got {hands.dtype} of shape {hands.shape}"
        )
    if (hands > JOKER).any() or ((hands == JOKER).sum(axis=1) > 1).any():
        raise ValueError("a card is not one of the 53, or the joker is there twice")


@cache
def _sets() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Compute for each set of ranks the most cards it has of one 5-run, and of one 7-run."""
    in_5 = [max((held & run).bit_count() for run in RUNS_OF_5) for held in range(1 << 13)]
    in_7 = [max((held & run).bit_count() for run in RUNS_OF_7) for held in range(1 << 13)]
    return np.array(in_5, dtype=np.uint8), np.array(in_7, dtype=np.uint8)


@numba.njit(cache=True, nogil=True)
def _bits(held: int) -> int:
    count = 0
    while held:
        held &= held - 1
        count += 1
    return count


@numba.njit(cache=True, nogil=True)
def _by_suits(
    suits: NDArray[np.int64], jokers: int, in_5: NDArray[np.uint8], in_7: NDArray[np.uint8]
) -> int:
    """Return the rows that one suit determines: straight flushes, royals, flushes."""
    found = 0
    king_queen, royal_only = -1, -1
    for each in range(4):
        held = suits[each]
        royal = _bits(held & ROYAL_RANKS)
        if in_7[held] + jokers >= 7:
            found |= 1 << 2 if jokers else 1 << 0
        if royal + jokers >= 5:
            found |= 1 << 4
        if in_5[held] + jokers >= 5:
            found |= 1 << 5
        if _bits(held) + jokers >= 5:
            found |= 1 << 8
        if held == KING_QUEEN:
            king_queen = each
        if royal == _bits(held) and royal + jokers == 5:
            royal_only = each
    # The royal flush and the king-queen take all seven cards: the other two suits are empty.
    if king_queen >= 0 and royal_only >= 0:
        found |= 1 << 1
    return found


@numba.njit(cache=True, nogil=True)
def _fortune(
    hands: NDArray[np.uint8],
    in_5: NDArray[np.uint8],
    in_7: NDArray[np.uint8],
    out: NDArray[np.uint16],
) -> None:
    suits = np.zeros(4, dtype=np.int64)
    counts = np.zeros(13, dtype=np.int64)
    for row in range(hands.shape[0]):
        suits[:] = 0
        counts[:] = 0
        jokers = 0
        for column in range(hands.shape[1]):
            card = hands[row, column]
            if card == JOKER:
                jokers = 1
            else:
                suits[card & 3] |= 1 << (card >> 2)
                counts[card >> 2] += 1
        counts[ACE] += jokers
        most, next_most = 0, 0
        for place in range(13):
            count = int(counts[place])
            if count > most:
                most, next_most = count, most
            elif count > next_most:
                next_most = count
        found = _by_suits(suits, jokers, in_5, in_7)
        found |= (counts[ACE] == 5) << 3 | (most >= 4) << 6
        found |= (most >= 3 and next_most >= 2) << 7 | (most >= 3) << 9
        found |= (in_5[suits[0] | suits[1] | suits[2] | suits[3]] + jokers >= 5) << 10
        out[row] = found
