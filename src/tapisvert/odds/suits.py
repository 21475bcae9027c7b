"""Suit patterns: one representative of each class of sets, with the number of sets it represents.

Where suits are interchangeable, sets that differ only by renaming suits have the same value. A set
is written as the ranks it holds in each suit (four 13-bit sets). The representative has its suits
in descending order of length, then of ranks.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

SUITS, RANKS = 4, 13


class Patterns(NamedTuple):
    """Sets of cards, one representative per suit pattern."""

    suits: NDArray[np.int16]  # one row per set: its ranks in each suit
    weights: NDArray[np.int64]  # the number of sets each represents


def patterns(cards: int) -> Patterns:
    """Return the suit patterns of all sets of this many of the 52 cards.

    >>> found = patterns(5)
    >>> len(found.weights), int(found.weights.sum())
    (134459, 2598960)
    """
    rows, weights = zip(*(_of_lengths(lengths) for lengths in _lengths(cards)), strict=True)
    return Patterns(np.concatenate(rows), np.concatenate(weights))


def cards_of(suits: NDArray[np.int16], size: int) -> NDArray[np.uint8]:
    """Convert sets to rows of cards.

    >>> cards_of(np.array([[3, 1, 0, 0]], dtype=np.int16), 3)
    array([[0, 4, 1]], dtype=uint8)
    """
    rows = np.empty((len(suits), size), dtype=np.uint8)
    _write_cards(suits, rows)
    return rows


def _lengths(cards: int) -> list[tuple[int, ...]]:
    """Return the ways to divide this many cards among four suits, longest suit first."""
    found: list[tuple[int, ...]] = []
    for first in range(min(cards, RANKS), -1, -1):
        for second in range(min(first, cards - first), -1, -1):
            for third in range(min(second, cards - first - second), -1, -1):
                fourth = cards - first - second - third
                if fourth <= third:
                    found.append((first, second, third, fourth))
    return found


@cache
def _sets(length: int) -> NDArray[np.int16]:
    """Return every set of this many ranks, highest first."""
    held = [ranks for ranks in range(1 << RANKS) if ranks.bit_count() == length]
    return np.array(held[::-1], dtype=np.int16)


def _of_lengths(lengths: tuple[int, ...]) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Return the patterns with these suit lengths, and their weights."""
    first, second, third, fourth = (_sets(length) for length in lengths)
    # Suits of equal length take non-decreasing indices in their common list.
    tied = np.array([n > 0 and lengths[n] == lengths[n - 1] for n in range(SUITS)])
    rows, weights = np.empty((0, SUITS), np.int16), np.empty(0, np.int64)
    total = _walk(first, second, third, fourth, tied, rows, weights)
    rows, weights = np.empty((total, SUITS), np.int16), np.empty(total, np.int64)
    _walk(first, second, third, fourth, tied, rows, weights)
    return rows, weights


@numba.njit(cache=True, nogil=True)
def _walk(
    first: NDArray[np.int16],
    second: NDArray[np.int16],
    third: NDArray[np.int16],
    fourth: NDArray[np.int16],
    tied: NDArray[np.bool_],
    rows: NDArray[np.int16],
    weights: NDArray[np.int64],
) -> int:
    """Write every pattern if the arrays have room; return their number."""
    count = 0
    for a in range(len(first)):
        for b in range(a if tied[1] else 0, len(second)):
            for c in range(b if tied[2] else 0, len(third)):
                for d in range(c if tied[3] else 0, len(fourth)):
                    if count < len(rows):
                        rows[count, 0], rows[count, 1] = first[a], second[b]
                        rows[count, 2], rows[count, 3] = third[c], fourth[d]
                        weights[count] = _renamings(rows[count])
                    count += 1
    return count


@numba.njit(cache=True, nogil=True)
def _renamings(suits: NDArray[np.int16]) -> int:
    """Return the number of sets of each pattern: 4! over the renamings that leave it unchanged."""
    ways, run = 24, 1
    for n in range(1, 4):
        run = run + 1 if suits[n] == suits[n - 1] else 1
        ways //= run
    return ways


@numba.njit(cache=True, nogil=True)
def _write_cards(suits: NDArray[np.int16], rows: NDArray[np.uint8]) -> None:
    for row in range(len(suits)):
        place = 0
        for suit in range(4):
            held = suits[row, suit]
            rank = 0
            while held >> rank:
                if held >> rank & 1:
                    rows[row, place] = rank * 4 + suit
                    place += 1
                rank += 1


class Finder:
    """Finds the suit pattern of any set of cards, and the renaming of suits that leads to it."""

    def __init__(self, found: Patterns) -> None:
        self._order = np.argsort(_names(found.suits))
        self._names = _names(found.suits)[self._order]

    def find(self, hands: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
        """Return the row of each hand's pattern, and the new suit of each of its four suits.

        >>> finder = Finder(patterns(2))
        >>> row, becomes = finder.find(np.array([[2, 51]], dtype=np.uint8))   # 2d As
        >>> patterns(2).suits[row[0]].tolist(), becomes[0].tolist()           # the ace's suit first
        ([4096, 1, 0, 0], [2, 3, 1, 0])
        """
        held = np.zeros((len(hands), SUITS), dtype=np.int16)
        for column in hands.T:
            held[np.arange(len(hands)), column & 3] |= np.int16(1) << (column >> 2)
        places = np.argsort(-(_SIZES[held].astype(np.int32) << RANKS | held), axis=1, kind="stable")
        becomes = np.argsort(places, axis=1).astype(np.uint8)
        names = _names(np.take_along_axis(held, places, axis=1))
        return self._order[np.searchsorted(self._names, names)], becomes


_SIZES = np.array([held.bit_count() for held in range(1 << RANKS)], dtype=np.int8)


def _names(suits: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return one number per set: its four suits packed side by side."""
    names: NDArray[np.int64] = suits.astype(np.int64) @ (1 << RANKS * np.arange(SUITS))[::-1]
    return names
