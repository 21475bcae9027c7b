"""Ultimate Texas Hold'em, exactly: backward induction from every board to river, flop and deal.

On a board each pair has a value for every raise; the better of the last raise and the fold is its
value at the river. Summed over turn and river, that is the value of a check on the flop, compared
with a raise there. Summed over flops, it is the value of a check before the flop.

Sums are integers: net results over all hands of the house, in the unit in which every price is an
integer. A deal is the player's two cards, the flop, turn and river, and the house's two. Where no
decision depends on which three of five are the flop, the five count as one board.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, lcm
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.ultimate.odds.boards import (
    HOUSE_PAIRS,
    LOST,
    LOST_OPENED,
    PAIRS,
    WON,
    WON_OPENED,
    classes,
)
from tapisvert.games.ultimate.odds.flop_forms import Values, sum_flops
from tapisvert.games.ultimate.odds.flops import PATTERNS, flops
from tapisvert.games.ultimate.odds.forms import COUPLES, Measured, forms, measured
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.combinatorics import must_fit
from tapisvert.odds.parallel import Progress, no_progress, part, spread
from tapisvert.ranking.standard import CATEGORIES, pack

Sums = NDArray[np.int64]
FIXED, PER_ANTE, RIVER = range(3)  # ante and blind, each ante raised, best at the end


class Prices(NamedTuple):
    """The sheet's prices in integer units, as the kernels read them."""

    unit: int
    ante: int
    play: int
    blind: NDArray[np.int64]  # by category; 0 if the stake is returned
    river: NDArray[np.int64]  # the raises of the last step
    opens_from: int  # the number of the weakest opening hand of the house


def prices(sheet: Ultimate) -> Prices:
    """Convert the sheet's prices to integers."""
    odds = (sheet.ante.pays, sheet.play.pays, *sheet.blind.pays.values())
    unit = lcm(*(each.denominator for each in odds))
    # The largest sum is a pair's before the flop; this bounds it.
    must_fit(comb(50, 3) * PAIRS * HOUSE_PAIRS * int(_most(sheet) * unit))
    _, strengths = classes()
    opens = pack(CATEGORIES.index(sheet.house.opens_with), [])
    return Prices(
        unit,
        int(sheet.ante.pays * unit),
        int(sheet.play.pays * unit),
        np.array([int(sheet.blind.pays.get(row, 0) * unit) for row in CATEGORIES]),
        np.array(sheet.play.after_river, dtype=np.int64),
        int(np.searchsorted(strengths, opens)),
    )


def _most(sheet: Ultimate) -> Fraction:
    """Return what bounds a pair's net result against one pair of the house, in antes."""
    most = max(*sheet.play.before_flop, *sheet.play.after_flop, *sheet.play.after_river)
    won = sheet.ante.pays + max(sheet.blind.pays.values()) + most * sheet.play.pays
    return won + 2 + most


def sums(sheet: Ultimate, tell: Progress = no_progress, known: Measured | None = None) -> Sums:
    """Return, by flop pattern and pair, the sums of the three values over turn and river."""
    asked = prices(sheet)
    known = known or measured(asked.opens_from, part(tell, 0, 0.5))
    found = np.zeros((PATTERNS, comb(52, 2), 3), dtype=np.int64)
    # One kind of value after another: a table of all three would be 180 MB.
    values = np.zeros(known.ways.shape, dtype=_kind_of_values(sheet, asked))
    for kind in range(3):
        within = part(tell, 0.5 + kind / 6, 0.5 + (kind + 1) / 6)
        _sum_kind(kind, asked, known, values, found[:, :, kind], within)
    return found


def _sum_kind(
    kind: int, asked: Prices, known: Measured, values: Values, found: Sums, tell: Progress
) -> None:
    of_flops, of_boards = flops(), forms()

    def value(first: int, end: int) -> None:
        _write_values(first, end, asked, known, kind, values)

    def add(first: int, end: int) -> None:
        here = of_flops.patterns[first:end]
        sum_flops(here, of_boards, values, of_flops.pairs, found[first:end])

    spread(value, len(values))
    spread(add, PATTERNS, tell)


def _kind_of_values(sheet: Ultimate, asked: Prices) -> type[np.int32 | np.int64]:
    """Return the smaller type if every value of a pair on a board fits: it halves the table."""
    return np.int32 if HOUSE_PAIRS * _most(sheet) * asked.unit < 1 << 31 else np.int64


@numba.njit(cache=True, nogil=True)
def worth_of(
    strength: int, result: NDArray[np.int32 | np.int16], asked: Prices
) -> tuple[int, int, int, int]:
    """Return a pair's values on a board, and the last raise it takes there (0 for a fold)."""
    blind = asked.blind[strength >> 20]
    fixed = asked.ante * result[WON_OPENED] - asked.unit * result[LOST_OPENED]
    fixed += blind * result[WON] - asked.unit * result[LOST]
    per_ante = asked.play * result[WON] - asked.unit * result[LOST]
    best, taken = -2 * HOUSE_PAIRS * asked.unit, 0
    for times in asked.river:
        if fixed + times * per_ante > best:
            best, taken = fixed + times * per_ante, times
    return fixed, per_ante, best, taken


@numba.njit(cache=True, nogil=True)
def _write_values(
    first: int, end: int, asked: Prices, known: Measured, kind: int, values: Values
) -> None:
    """Write one kind of value of every couple of kinds on these forms."""
    for form in range(first, end):
        for at in range(COUPLES):
            if known.ways[form, at]:
                strength: int = known.categories[form, at] << 20
                worth = worth_of(strength, known.results[form, at], asked)
                values[form, at] = worth[kind]
