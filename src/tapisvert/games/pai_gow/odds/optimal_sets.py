"""The best set of every hand, against a house that sets by the house way.

Allowed sets that another allowed set equals or beats with both hands are dropped. The values of the
others are first bounded by truncated sums (`set_values`), which leaves one set for most hands.
Where several remain, or one other than the house way's, their values are summed completely.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.pai_gow.odds.deck import HAND, WAYS
from tapisvert.games.pai_gow.odds.hands import HouseHands, marks_of_all, set_rows
from tapisvert.games.pai_gow.odds.set_values import (
    add_last,
    add_listed,
    add_tabled,
    find_numbers,
    slack,
)
from tapisvert.games.pai_gow.odds.sets import (
    SETS,
    Marks,
    Order,
    lay,
    mark,
    order,
)
from tapisvert.games.pai_gow.odds.tables import TABLED, Beaten, Listed, list_of, tables_of
from tapisvert.games.pai_gow.sheet import HouseWay
from tapisvert.odds.parallel import Progress, no_progress, spread


class Best(NamedTuple):
    """The best set of each hand, and its gain over the usual set."""

    marks: Marks
    gains: NDArray[np.int64]  # in house hands beaten, low and high together


class Scales(NamedTuple):
    """The tables that the values of sets are computed from."""

    house: HouseHands
    figures: HouseWay
    beaten: Beaten
    fives: Listed
    sixes: Listed
    slacks: NDArray[np.int64]


def scales(house: HouseHands, figures: HouseWay) -> Scales:
    """Build the tables; they serve any number of hands."""
    deck, marks = house.deck, marks_of_all(house)
    return Scales(
        house,
        figures,
        tables_of(deck, marks, house.eligible),
        list_of(deck, 5, marks, house.eligible),
        list_of(deck, 6, marks, house.eligible),
        np.array([2 * slack(deck.size, size) for size in range(TABLED + 1)]),
    )


def best_sets(house: HouseHands, figures: HouseWay, tell: Progress = no_progress) -> Best:
    """Find the best set of each hand; of equal ones, the house way's."""
    rows, on = house.hands.rows, scales(house, figures)
    usual = house.usual.marks
    found = Best(np.empty(len(rows), dtype=np.uint32), np.empty(len(rows), dtype=np.int64))

    def work(first: int, end: int) -> None:
        # Written in place: with the tables, parts and their total would exceed 2 GiB.
        found.marks[first:end], found.gains[first:end] = choose(
            on, rows[first:end], usual[first:end], usual[first:end]
        )

    spread(work, len(rows), tell, 512)
    return found


def choose(
    on: Scales,
    rows: NDArray[np.uint8],
    usual: Marks | None = None,
    of_house: Marks | None = None,
) -> Best:
    """Find the best set of each of these hands, on one core, and its gain over the usual set.

    `of_house` are the sets that the house would make of them; if not given, they are made by its
    figures. The usual set is the house's, if no other is given.
    """
    if of_house is None:
        of_house = set_rows(on.house.deck, rows, on.figures)
    if usual is None:
        usual = of_house
    found = Best(np.empty(len(rows), dtype=np.uint32), np.empty(len(rows), dtype=np.int64))
    _choose_all(
        on.house.deck.cards,
        rows,
        order(),
        usual,
        on.beaten,
        on.fives,
        on.sixes,
        of_house,
        on.house.eligible,
        on.slacks,
        WAYS,
        found.marks,
        found.gains,
    )
    return found


@numba.njit(cache=True, nogil=True)
def _choose_all(
    deck: NDArray[np.uint8],
    rows: NDArray[np.uint8],
    by: Order,
    usual: Marks,
    beaten: Beaten,
    fives: Listed,
    sixes: Listed,
    of_house: Marks,
    eligible: NDArray[np.bool_],
    slacks: NDArray[np.int64],
    ways: NDArray[np.int64],
    marks: Marks,
    gains: NDArray[np.int64],
) -> None:
    cards = np.empty(7, dtype=np.int64)
    lows, highs = np.empty(SETS, dtype=np.int64), np.empty(SETS, dtype=np.int64)
    numbers = np.empty((HAND + 1, 35), dtype=np.int64)  # of the sets of cards within a hand
    worth = np.empty(SETS, dtype=np.int64)
    for row in range(len(rows)):
        for n in range(7):
            cards[n] = deck[rows[row, n]]
        lay(cards, by, lows, highs)
        first = 0
        for at in range(SETS):
            if mark(highs[at], lows[at]) == usual[row]:
                first = at
        left = pick(lows, highs, by.most_low, first)
        worth[:] = 0
        if left > 1:
            find_numbers(rows[row], ways, numbers)
        for size in range(TABLED + 1):
            if left == 1:  # the usual set: its gain is nothing, whatever it is worth
                break
            if size < TABLED:
                add_tabled(numbers, size, lows[:left], highs[:left], beaten.few, worth)
            else:
                add_tabled(numbers, size, lows[:left], highs[:left], beaten.fours, worth)
            left = narrow(worth, slacks[size], lows, highs, left)
        if left > 1:
            add_listed(numbers, 5, lows[:left], highs[:left], fives, worth)
            add_listed(numbers, 6, lows[:left], highs[:left], sixes, worth)
            add_last(of_house[row], lows[:left], highs[:left], eligible, worth)
        best = 0
        for at in range(1, left):
            # Of equal sets, the usual one; then the one with the better low hand.
            equal = worth[at] == worth[best] and best > 0 and lows[at] > lows[best]
            if worth[at] > worth[best] or equal:
                best = at
        gains[row] = worth[best] - worth[0]
        marks[row] = mark(highs[best], lows[best])


@numba.njit(cache=True, nogil=True)
def pick(
    lows: NDArray[np.int64], highs: NDArray[np.int64], most_low: NDArray[np.uint8], usual: int
) -> int:
    """Move the candidate sets to the front, the usual one first; return their number.

    Candidates are allowed, and no other allowed set is as good with both hands.
    """
    lows[0], lows[usual] = lows[usual], lows[0]
    highs[0], highs[usual] = highs[usual], highs[0]
    left = 1
    for at in range(1, SETS):
        low, high = lows[at], highs[at]
        if low > most_low[high]:
            continue
        behind = False
        for other in range(left):
            behind |= low <= lows[other] and high <= highs[other]
        if behind:
            continue
        kept = 1
        for other in range(1, left):  # drop the sets this one dominates
            if lows[other] > low or highs[other] > high:
                lows[kept], highs[kept] = lows[other], highs[other]
                kept += 1
        lows[kept], highs[kept] = low, high
        left = kept + 1
    return left


@numba.njit(cache=True, nogil=True)
def narrow(
    worth: NDArray[np.int64],
    slack: int,
    lows: NDArray[np.int64],
    highs: NDArray[np.int64],
    left: int,
) -> int:
    """Keep the sets that may be the best, and the usual one for comparison."""
    most = worth[:left].max() - slack
    kept = 1
    for at in range(1, left):
        if worth[at] >= most:
            worth[kept], lows[kept], highs[kept] = worth[at], lows[at], highs[at]
            kept += 1
    return kept
