"""A simulated player of Ultimate in plain NumPy, as it was at commit 795e69f: an oracle.

At the river it uses no table: it compares the raise with the fold over the house's 990 pairs.
"""

from __future__ import annotations

from math import lcm

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.ultimate.odds.flops import flops
from tapisvert.games.ultimate.odds.play import Strategy, best, habits
from tapisvert.games.ultimate.odds.position_values import make_room, worth_against_all
from tapisvert.games.ultimate.odds.sums import Prices, prices, sums
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.combinatorics import choose_table
from tapisvert.odds.simulation import Decks, Played
from tapisvert.ranking.batch import Tables, strengths, tables
from tapisvert.ranking.standard import CATEGORIES, pack


class PlainUltimate:
    """Plays ante and blind, and trips, one unit each."""

    bets = ("main", "trips")
    cards, deck = 9, 52

    def __init__(self, sheet: Ultimate, strategy: str) -> None:
        found = habits(sheet)
        self._strategy = best(sheet, sums(sheet)) if strategy == "optimal" else found[strategy]
        self._sheet = sheet
        pays = [sheet.ante.pays, sheet.play.pays, *sheet.blind.pays.values()]
        self.unit = lcm(*(each.denominator for each in (*pays, *sheet.trips.pays.values())))
        self._blind, self._trips = (
            np.array([int(side.get(row, other) * self.unit) for row in CATEGORIES])
            for side, other in ((sheet.blind.pays, 0), (sheet.trips.pays, -1))
        )

    def play(self, decks: Decks) -> Played:
        """Raise before the flop, on the flop or at the river, or fold; then compare."""
        times, step = decide(self._sheet, self._strategy, decks)
        mine = strengths(decks[:, [0, 1, 4, 5, 6, 7, 8]])
        theirs = strengths(decks[:, [2, 3, 4, 5, 6, 7, 8]])
        sheet, unit = self._sheet, self.unit
        opened = theirs >= pack(CATEGORIES.index(sheet.house.opens_with), [])
        won = times * int(sheet.play.pays * unit) + self._blind[mine >> 20]
        won += np.where(opened, int(sheet.ante.pays * unit), 0)
        lost = -(1 + times + opened) * unit
        net = np.select([times == 0, mine > theirs, mine == theirs], [-2 * unit, won, 0], lost)
        trips = self._trips[mine >> 20]
        return Played(
            np.stack((net, trips), axis=1),
            np.stack(((2 + times) * unit, np.full_like(net, unit)), axis=1),
            np.stack((times, step), axis=1),
        )


def decide(
    sheet: Ultimate, strategy: Strategy, decks: Decks
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the raise of each round (0 for a fold) and its step, 0 before the flop."""
    known, choose = flops(), choose_table()
    low, high = decks[:, 0], decks[:, 1]
    times = strategy.before_flop[known.pairs[low, high]].astype(np.int64)
    step = np.zeros(len(decks), dtype=np.int64)
    flop = np.sort(decks[:, 4:7], axis=1)
    number = flop[:, 0] + choose[flop[:, 1], 2] + choose[flop[:, 2], 3]
    becomes = known.cards[known.renaming[number]]
    rows = np.arange(len(decks))
    pair = known.pairs[becomes[rows, low], becomes[rows, high]]
    waits = times == 0
    times[waits] = strategy.after_flop[known.pattern[number], pair][waits]
    step[waits] = 1
    waits &= times == 0
    step[waits] = 2
    late = np.flatnonzero(waits)
    last = np.empty(len(late), dtype=np.int64)
    opens = pack(CATEGORIES.index(sheet.house.opens_with), [])
    river(decks[late], prices(sheet), opens, tables(7), last)
    if strategy.always_at_river:
        last[last == 0] = sheet.play.after_river[0]
    times[late] = last
    return times, step


@numba.njit(cache=True, nogil=True)
def river(
    decks: Decks, asked: Prices, opens: int, tables: Tables, taken: NDArray[np.int64]
) -> None:
    """Find the last raise worth taking, 0 for a fold, against all pairs of the house."""
    room = make_room()
    for each in range(len(decks)):
        pair, board = decks[each, :2], decks[each, 4:9]
        taken[each] = worth_against_all(pair, board, asked, opens, tables, room)[3]
