"""What rules of a strategy file see of seven cards, and the sets that their options mean.

Cards are grouped by rank, the joker as an ace. An option names a low hand; of the sets with this
low hand, the one with the best high hand is meant (rule 12 of the house way). An option that the
cards do not have, or that would foul, is not legal.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import ACE, JOKER
from tapisvert.games.pai_gow.odds.deck import Deck
from tapisvert.games.pai_gow.odds.hands import find, find_complete, group, habitual
from tapisvert.games.pai_gow.odds.sets import NO_PAIRS, SETS, Order, lay, low_class, mark, order

KINDS = (
    "no-pair",
    "pair",
    "two-pair",
    "three-pair",
    "three",
    "two-threes",
    "full-house",
    "three-two-pair",
    "four",
    "four-pair",
    "four-three",
    "five-aces",
)
OPTIONS = (
    "second-and-third",
    "two-singles",
    "high-pair",
    "low-pair",
    "pair-of-three",
    "one-of-three",
    "pair-of-four",
    "pair-of-aces",
    "keep-complete",
    "keep-complete-ace-low",
    "best-high",
    "best-low",
)
COLUMNS = (
    "kind",
    "high_pair",
    "low_pair",
    "three",
    "four",
    "single",
    "second_single",
    "complete_low",
    "singles_beat",
    "three_completes",
    "joker",
    "ace_low_completes",
)
NONE = -1  # a column that these cards do not have
NOT_LEGAL = np.uint32(0xFFFFFFFF)


class Seen(NamedTuple):
    """Hands as rules see them."""

    columns: NDArray[np.int16]  # by column of `COLUMNS` and hand
    marks: NDArray[np.uint32]  # of each option's set, by option and hand; or NOT_LEGAL


def see(deck: Deck, rows: NDArray[np.uint8]) -> Seen:
    """Return the columns and the sets of these hands."""
    columns = np.empty((len(COLUMNS), len(rows)), dtype=np.int16)
    marks = np.empty((len(OPTIONS), len(rows)), dtype=np.uint32)
    _see(deck.cards, rows, order(), columns, marks)
    return Seen(columns, marks)


@numba.njit(cache=True, nogil=True)
def _see(
    deck: NDArray[np.uint8],
    rows: NDArray[np.uint8],
    by: Order,
    columns: NDArray[np.int16],
    marks: NDArray[np.uint32],
) -> None:
    cards = np.empty(7, dtype=np.int64)
    lows, highs = np.empty(SETS, dtype=np.int64), np.empty(SETS, dtype=np.int64)
    groups = np.empty((6, 8), dtype=np.int64)
    for row in range(len(rows)):
        for n in range(7):
            cards[n] = deck[rows[row, n]]
        lay(cards, by, lows, highs)
        group(cards, groups)
        best = find_complete(lows, highs, by.complete)
        _describe(groups, lows, highs, by.complete, best, columns[:, row])
        ace_low = _ace_low(lows, highs, by.complete)
        columns[10, row], columns[11, row] = cards[6] == JOKER, ace_low >= 0
        for option in range(len(marks)):
            at = best if option == 8 else ace_low
            if option >= 10:
                at = habitual(lows, highs, by.most_low, high_first=option == 10)
            elif option < 8:
                low = _low(option, groups)
                at = find(lows, highs, low) if low >= 0 else -1
            legal = at >= 0 and lows[at] <= by.most_low[highs[at]]
            marks[option, row] = mark(highs[at], lows[at]) if legal else 0xFFFFFFFF


@numba.njit(cache=True, nogil=True)
def _ace_low(lows: NDArray[np.int64], highs: NDArray[np.int64], complete: NDArray[np.bool_]) -> int:
    """Return the set with the best low hand of an ace and another rank that leaves a straight or a
    flush, or -1.
    """
    best = -1
    for at in range(SETS):
        ace = low_class(ACE, 0) <= lows[at] < NO_PAIRS
        better = best < 0 or (lows[at], highs[at]) > (lows[best], highs[best])
        if ace and complete[highs[at]] and better:
            best = at
    return best


@numba.njit(cache=True, nogil=True)
def _kind(groups: NDArray[np.int64]) -> int:
    """Return the place of these cards in `KINDS`."""
    pairs, threes = groups[2, 0], groups[3, 0]
    if groups[5, 0]:
        found = 11
    elif groups[4, 0]:
        found = 10 if threes else 9 if pairs else 8
    elif threes:
        found = 5 if threes == 2 else 4 if pairs == 0 else 5 + pairs
    else:
        found = pairs
    return int(found)


@numba.njit(cache=True, nogil=True)
def _describe(
    groups: NDArray[np.int64],
    lows: NDArray[np.int64],
    highs: NDArray[np.int64],
    complete: NDArray[np.bool_],
    best: int,
    out: NDArray[np.int16],
) -> None:
    """Write the columns, except the last two."""
    single, pairs = groups[1], groups[2, 0]
    out[:] = NONE
    out[0] = _kind(groups)
    if pairs:
        out[1], out[2] = groups[2, 1], groups[2, pairs]
    if groups[3, 0]:
        out[3] = groups[3, 1]
        split = find(lows, highs, NO_PAIRS + groups[3, 1])
        out[9] = complete[highs[split]]
    else:
        out[9] = 0
    if groups[4, 0]:
        out[4] = groups[4, 1]
    if single[0]:
        out[5] = single[1]
    if single[0] > 1:
        out[6] = single[2]
    out[8] = 0
    if best >= 0:
        out[7] = lows[best]
        out[8] = single[0] > 1 and low_class(single[1], single[2]) > lows[best]


@numba.njit(cache=True, nogil=True)
def _low(option: int, groups: NDArray[np.int64]) -> int:
    """Return the low hand of an option, or -1."""
    single, pairs, threes = groups[1], groups[2, 0], groups[3, 0]
    found = -1
    if option == 0 and single[0] > 2:
        found = low_class(single[2], single[3])
    elif option == 1 and single[0] > 1:
        found = low_class(single[1], single[2])
    elif option == 2 and pairs:
        found = NO_PAIRS + groups[2, 1]
    elif option == 3 and pairs:
        found = NO_PAIRS + groups[2, pairs]
    elif option == 4 and threes:
        found = NO_PAIRS + groups[3, 1]
    elif option == 5 and threes and single[0]:
        found = low_class(groups[3, 1], single[1])
    elif option == 6 and groups[4, 0]:
        found = NO_PAIRS + groups[4, 1]
    elif option == 7:
        found = NO_PAIRS + ACE
    return int(found)
