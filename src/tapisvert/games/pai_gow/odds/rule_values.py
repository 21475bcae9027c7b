"""Values of the sets that the options of a rule mean, for a search that compares them.

Options that mean the same set of a hand are valued once, with complete sums (see `set_values`).
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.pai_gow.odds.deck import HAND, WAYS
from tapisvert.games.pai_gow.odds.hands import set_rows
from tapisvert.games.pai_gow.odds.optimal_sets import Scales
from tapisvert.games.pai_gow.odds.rule_sets import NOT_LEGAL
from tapisvert.games.pai_gow.odds.set_values import (
    add_last,
    add_listed,
    add_tabled,
    find_numbers,
)
from tapisvert.games.pai_gow.odds.sets import LOW_BITS, LOW_MASK, Marks
from tapisvert.games.pai_gow.odds.tables import TABLED, Beaten, Listed
from tapisvert.odds.parallel import spread


def values_of(on: Scales, rows: NDArray[np.uint8], marks: Marks) -> NDArray[np.int64]:
    """Return the value of every option's set, by option and hand; 0 where it is not legal.

    A value is the house's hands beaten, low and high together, less those beaten by the set of the
    last legal option.
    """
    found = np.zeros(marks.shape, dtype=np.int64)

    def work(first: int, end: int) -> None:
        _value_all(
            rows[first:end],
            marks[:, first:end],
            on.beaten,
            on.fives,
            on.sixes,
            set_rows(on.house.deck, rows[first:end], on.figures),
            on.house.eligible,
            WAYS,
            found[:, first:end],
        )

    spread(work, len(rows), pieces=32)
    return found


@numba.njit(cache=True, nogil=True)
def _value_all(
    rows: NDArray[np.uint8],
    marks: Marks,
    beaten: Beaten,
    fives: Listed,
    sixes: Listed,
    of_house: Marks,
    eligible: NDArray[np.bool_],
    ways: NDArray[np.int64],
    found: NDArray[np.int64],
) -> None:
    options = len(marks)
    numbers = np.empty((HAND + 1, 35), dtype=np.int64)  # of the sets of cards within a hand
    lows, highs = np.empty(options, dtype=np.int64), np.empty(options, dtype=np.int64)
    worth, place = np.empty(options, dtype=np.int64), np.empty(options, dtype=np.int64)
    for row in range(len(rows)):
        kinds = 0
        for option in range(options):
            mark = marks[option, row]
            place[option] = -1
            if mark == NOT_LEGAL:
                continue
            low, high = mark & LOW_MASK, mark >> LOW_BITS
            for known in range(kinds):
                if lows[known] == low and highs[known] == high:
                    place[option] = known
            if place[option] < 0:
                lows[kinds], highs[kinds], place[option] = low, high, kinds
                kinds += 1
        if kinds < 2:
            continue
        worth[:] = 0
        find_numbers(rows[row], ways, numbers)
        for size in range(TABLED):
            add_tabled(numbers, size, lows[:kinds], highs[:kinds], beaten.few, worth)
        add_tabled(numbers, TABLED, lows[:kinds], highs[:kinds], beaten.fours, worth)
        add_listed(numbers, 5, lows[:kinds], highs[:kinds], fives, worth)
        add_listed(numbers, 6, lows[:kinds], highs[:kinds], sixes, worth)
        add_last(of_house[row], lows[:kinds], highs[:kinds], eligible, worth)
        base = worth[place[options - 1]]
        for option in range(options):
            if place[option] >= 0:
                found[option, row] = worth[place[option]] - base
