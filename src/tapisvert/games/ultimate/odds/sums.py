"""Ultimate Texas Hold'em, exactly: backward induction from every board to river, flop and deal.

On a board each pair has a value for every raise; the better of the last raise and the fold is its
value at the river. Summed over turn and river, that is the value of a check on the flop, compared
with a raise there. Summed over flops, it is the value of a check before the flop.

Sums are integers: net results over all hands of the house, in the unit in which every price is an
integer. A deal is the player's two cards, the flop, turn and river, and the house's two. Where no
decision depends on which three of five are the flop, the five count as one board.
"""

from __future__ import annotations

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
    measure,
)
from tapisvert.games.ultimate.odds.flops import PATTERNS, even_out, flops
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.combinatorics import must_fit
from tapisvert.odds.parallel import Progress, no_progress, spread
from tapisvert.odds.suits import Patterns, cards_of, patterns
from tapisvert.ranking.batch import Tables, tables
from tapisvert.ranking.standard import CATEGORIES, pack

Sums = NDArray[np.int64]
FIXED, PER_ANTE, RIVER = range(3)  # ante and blind, each ante raised, best at the end
_PIECES = 16


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
    most = max(*sheet.play.before_flop, *sheet.play.after_flop, *sheet.play.after_river)
    won = sheet.ante.pays + max(sheet.blind.pays.values()) + most * sheet.play.pays
    # The largest sum is a pair's before the flop; this bounds it.
    must_fit(comb(50, 3) * PAIRS * HOUSE_PAIRS * int((won + 2 + most) * unit))
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


def sums(sheet: Ultimate, tell: Progress = no_progress) -> Sums:
    """Return, by flop pattern and pair, the sums of the three values over turn and river."""
    total = gathered(sheet, patterns(5), tell)
    return np.stack([even_out(total[:, :, kind]) for kind in range(3)], axis=2)


def gathered(sheet: Ultimate, boards: Patterns, tell: Progress = no_progress) -> Sums:
    """Add up the values on these boards by flop; the result is not yet averaged."""
    cards = np.sort(cards_of(boards.suits, 5), axis=1)
    asked, known = prices(sheet), flops()
    numbers, _ = classes()

    spare: list[Sums] = []  # 56 MB each: one per thread, not one per piece

    def work(first: int, end: int) -> None:
        try:
            found = spare.pop()
        except IndexError:
            found = np.zeros((PATTERNS, comb(52, 2), 3), dtype=np.int64)
        _add_boards(
            cards[first:end],
            boards.weights[first:end],
            asked,
            numbers,
            tables(7),
            known.pattern,
            known.renaming,
            known.cards,
            known.pairs,
            found,
        )
        spare.append(found)

    spread(work, len(cards), tell, _PIECES)
    total, *others = spare
    for found in others:
        total += found
    return total


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
def worth_of(strength: int, result: NDArray[np.int32], asked: Prices) -> tuple[int, int, int, int]:
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
def _add_boards(
    boards: NDArray[np.uint8],
    weights: NDArray[np.int64],
    asked: Prices,
    numbers: NDArray[np.uint16],
    tables: Tables,
    pattern: NDArray[np.int16],
    renaming: NDArray[np.int8],
    renamed: NDArray[np.uint8],
    pairs: NDArray[np.int16],
    found: NDArray[np.int64],
) -> None:
    """Add every pair's value on every board to each of the ten flops in it."""
    hands = np.empty((PAIRS, 7), dtype=np.uint8)
    strengths = np.empty(PAIRS, dtype=np.int32)
    results = np.empty((PAIRS, 4), dtype=np.int32)
    worth = np.empty((PAIRS, 3), dtype=np.int64)
    for each in range(len(boards)):
        measure(boards[each], asked.opens_from, numbers, tables, hands, strengths, results)
        for row in range(PAIRS):
            fixed, per_ante, best, _ = worth_of(strengths[row], results[row], asked)
            worth[row, FIXED] = fixed * weights[each]
            worth[row, PER_ANTE] = per_ante * weights[each]
            worth[row, RIVER] = best * weights[each]
        for one in range(5):
            for two in range(one):
                flop = flop_of(boards[each], one, two)
                here = found[pattern[flop]]
                becomes = renamed[renaming[flop]]
                row = 0
                for lower in range(1, 47):  # in the order of `lay_out`: a card, with each lower one
                    with_high = pairs[becomes[hands[row, 1]]]
                    for _ in range(lower):
                        pair = with_high[becomes[hands[row, 0]]]
                        here[pair, FIXED] += worth[row, FIXED]
                        here[pair, PER_ANTE] += worth[row, PER_ANTE]
                        here[pair, RIVER] += worth[row, RIVER]
                        row += 1
