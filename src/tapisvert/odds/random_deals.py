"""Random deals: the cards of round n of a seed depend only on the seed and n.

A deal is a partial Fisher-Yates shuffle from the top of an ordered deck. One random word of 64
bits makes seven picks: word times 52 is the first pick (its high half) and the word of the next
pick (its low half), which is multiplied by 51, and so on. Picks are exactly uniform if words are: a
word whose last low half is below 2^64 modulo the product of the seven bounds is drawn again, once
in 27 million words. (N. Brackett-Rozinsky and D. Lemire, "Batched ranged random integer
generation", 2024.)

Two neighbouring rounds share one call of Philox, with counter (n // 2, 0, 0, 0) and key (seed, 0).
The first two words of a round serve fourteen cards. Later words, and words drawn again, have
counters of their own: (n, word, attempt + 1, 0).
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.philox import multiply, philox

PICKS = 7  # of one word: 53 * 52 * ... * 47 < 2 ** 40
_ORDERED = np.arange(64, dtype=np.uint8).view(np.uint64)
_ZERO = np.uint64(0)

Decks = NDArray[np.uint8]


def deal(seed: int, first: int, rounds: int, cards: int, deck: int) -> Decks:
    """Deal the first cards of the shuffled decks of rounds `first`, `first` + 1, ...

    >>> deal(7, 0, 3, 5, 52)[2].tolist() == deal(7, 2, 1, 9, 52)[0, :5].tolist()
    True
    """
    decks = np.empty((rounds, cards), dtype=np.uint8)
    deal_into(np.uint64(seed), first, deck, bounds(deck), decks)
    return decks


def deal_these(seed: int, numbers: NDArray[np.int64], cards: int, deck: int) -> Decks:
    """Deal the rounds of these numbers."""
    decks = np.empty((len(numbers), cards), dtype=np.uint8)
    for row, number in enumerate(numbers):
        decks[row] = deal(seed, int(number), 1, cards, deck)[0]
    return decks


class Bounds(NamedTuple):
    """For each word of a deal: the product of its bounds, and the least last half that is kept."""

    ways: NDArray[np.uint64]
    least: NDArray[np.uint64]


@cache
def bounds(deck: int) -> Bounds:
    """Compute the bounds of a deck of this many cards."""
    ways = [
        prod(max(deck - place, 1) for place in range(first, first + PICKS))
        for first in range(0, deck, PICKS)
    ]
    least = [2**64 % each for each in ways]
    return Bounds(np.array(ways, dtype=np.uint64), np.array(least, dtype=np.uint64))


@numba.njit(cache=True, nogil=True)
def deal_into(seed: np.uint64, first: int, deck: int, by: Bounds, decks: Decks) -> None:
    """Deal consecutive rounds, one to each row."""
    rounds, cards = decks.shape
    held = np.empty(64, dtype=np.uint8)
    eight = held.view(np.uint64)
    ways, least = by.ways, by.least
    one = two = three = four = _ZERO
    for row in range(rounds):
        number = first + row
        even = number & 1 == 0
        if even or row == 0:
            pair = np.uint64(number >> 1)
            one, two, three, four = philox(pair, _ZERO, _ZERO, _ZERO, seed, _ZERO)
        for each in range(8):  # the ordered deck again
            eight[each] = _ORDERED[each]
        for word in range((cards + PICKS - 1) // PICKS):
            if word == 0:
                drawn = one if even else three
            elif word == 1:
                drawn = two if even else four
            else:
                drawn = _drawn(seed, number, word, 0)
            attempt = 0
            while drawn * ways[word] < least[word]:
                attempt += 1
                drawn = _drawn(seed, number, word, attempt)
            for place in range(word * PICKS, min(word * PICKS + PICKS, cards)):
                pick, drawn = multiply(drawn, np.uint64(deck - place))
                at = place + np.int64(pick)
                decks[row, place] = held[at]
                held[at] = held[place]


@numba.njit(cache=True, nogil=True)
def _drawn(seed: np.uint64, number: int, word: int, attempt: int) -> np.uint64:
    """Return a word that has a counter of its own."""
    again = np.uint64(attempt + 1)
    return philox(np.uint64(number), np.uint64(word), again, _ZERO, seed, _ZERO)[0]
