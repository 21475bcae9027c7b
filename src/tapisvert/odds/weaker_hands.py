"""How many five-card hands hold a card, avoid five others, and are weaker than some strength.

At Casino Stud the house's hand holds its up card and none of the player's five. The hands with
the up card u that avoid P are counted by inclusion and exclusion over the subsets S of P:

    sum over S of (-1)^|S| x (hands that hold u and all of S)

Hands are added in order of strength, each to the entries of every (S, u) it holds. So at any moment
the tables count the hands added so far. For each P, one sum of rows gives all 52 up cards.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.combinatorics import choose_table
from tapisvert.odds.parallel import Progress, no_progress, spread


class Ordered(NamedTuple):
    """Every five-card hand of a deck, weakest first."""

    hands: NDArray[np.uint8]  # rows of ascending cards
    strengths: NDArray[np.int32]


def below(
    ordered: Ordered,
    hands: NDArray[np.uint8],
    limits: NDArray[np.int32],
    tell: Progress = no_progress,
) -> NDArray[np.int32]:
    """Count, for each hand P and its limit, the hands weaker than the limit, by up card.

    `hands` are rows of five ascending cards. The result has a column for each of the 52 cards;
    columns of P's own cards are meaningless.
    """
    order = np.argsort(limits, kind="stable")
    ends = np.searchsorted(ordered.strengths, limits[order], side="left")
    counted = np.empty((len(hands), 52), dtype=np.int32)
    choose = choose_table()

    def work(first: int, end: int) -> None:
        chosen = order[first:end]
        _sweep(ordered.hands, ends[first:end], hands[chosen], choose, chosen, counted)

    spread(work, len(order), tell, pieces=_pieces())
    return counted


def _pieces() -> int:
    """Return the number of pieces of the sweep; each piece adds the hands before it again."""
    return 2


@numba.njit(cache=True, nogil=True)
def _place(hand: NDArray[np.uint8], bits: int, choose: NDArray[np.int64]) -> int:
    """Return the colexicographic number of the chosen cards of an ascending hand."""
    place, size = 0, 0
    for n in range(5):
        if bits >> n & 1:
            size += 1
            place += choose[hand[n], size]
    return place


@numba.njit(cache=True, nogil=True)
def _size(bits: int) -> int:
    return (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3 & 1) + (bits >> 4 & 1)


@numba.njit(cache=True, nogil=True)
def _sweep(
    ordered: NDArray[np.uint8],
    ends: NDArray[np.int64],
    hands: NDArray[np.uint8],
    choose: NDArray[np.int64],
    rows: NDArray[np.int64],
    counted: NDArray[np.int32],
) -> None:
    """Add hands up to each limit in turn, and sum the rows for the hand with that limit."""
    starts = np.zeros(6, dtype=np.int64)  # the first row of the subsets of each size
    for size in range(1, 6):
        starts[size] = starts[size - 1] + choose[52, size - 1]
    entered = np.zeros((starts[5], 52), dtype=np.int32)
    done = 0
    total = np.empty(52, dtype=np.int32)
    for asked in range(len(ends)):
        while done < ends[asked]:
            hand = ordered[done]
            for bits in range(31):
                row = starts[_size(bits)] + _place(hand, bits, choose)
                for n in range(5):
                    if not bits >> n & 1:
                        entered[row, hand[n]] += 1
            done += 1
        total[:] = 0
        for bits in range(31):
            size = _size(bits)
            row = starts[size] + _place(hands[asked], bits, choose)
            if size & 1:
                total -= entered[row]
            else:
                total += entered[row]
        counted[rows[asked]] = total
