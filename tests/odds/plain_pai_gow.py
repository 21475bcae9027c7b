"""A simulated player of Pai Gow as it was at commit 795e69f: an oracle. It sets every hand anew."""

from __future__ import annotations

from math import lcm

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.pai_gow.odds.deck import HAND, deck_of
from tapisvert.games.pai_gow.odds.fortune import best_rows, net_of
from tapisvert.games.pai_gow.odds.hands import HABITS, eligible_lows, house_of, set_rows
from tapisvert.games.pai_gow.odds.optimal_sets import choose, scales
from tapisvert.games.pai_gow.odds.sets import (
    LOW_BITS,
    LOW_MASK,
    SETS,
    Marks,
    Order,
    lay,
    mark,
    order,
)
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.simulation import Decks, Played
from tapisvert.ranking.joker_batch import fortune_rows


class PlainPaiGow:
    """Plays the main bet and the Fortune Bonus, one unit each."""

    bets = ("main", "fortune")
    cards, deck = 2 * HAND, len(PaiGow.deck)

    def __init__(self, sheet: PaiGow, strategy: str) -> None:
        self._sheet, self._deck = sheet, deck_of(PaiGow.deck)
        self._habit = strategy if strategy in HABITS else None
        best = strategy == "optimal"
        self._scales = scales(house_of(sheet, self._deck), sheet.house_way) if best else None
        self._eligible = eligible_lows(sheet)
        pays = [sheet.main.pays, *sheet.fortune.pays.values()]
        self.unit = lcm(*(each.denominator for each in pays))
        self._main = int(sheet.main.pays * self.unit)
        self._fortune = np.array([int(net_of(sheet, row) * self.unit) for row in best_rows(sheet)])

    def play(self, decks: Decks) -> Played:
        """Set the hands of both sides, then compare; the house wins copies."""
        player, house = (np.sort(decks[:, at : at + HAND], axis=1) for at in (0, HAND))
        mine = self._set(player)
        theirs = set_rows(self._deck, house, self._sheet.house_way)
        low, high = theirs & LOW_MASK, theirs >> LOW_BITS
        wins = (mine & LOW_MASK > low).astype(np.int64) + (mine >> LOW_BITS > high)
        net = np.array([-self.unit, 0, self._main])[wins]
        net[~self._eligible[low]] = 0
        chosen = np.empty(len(decks), dtype=np.int64)
        _find_sets(player, mine, order(), chosen)
        return Played(
            np.stack((net, self._fortune[fortune_rows(player)]), axis=1),
            np.full((len(decks), 2), self.unit, dtype=np.int64),
            chosen[:, None],
        )

    def _set(self, player: NDArray[np.uint8]) -> Marks:
        if self._scales is not None:
            return choose(self._scales, player).marks
        return set_rows(self._deck, player, self._sheet.house_way, self._habit)


@numba.njit(cache=True, nogil=True)
def _find_sets(hands: Decks, marks: Marks, by: Order, chosen: NDArray[np.int64]) -> None:
    """Find the set of each hand with this mark, in the order of `itertools.combinations`."""
    cards = np.empty(HAND, dtype=np.int64)
    lows, highs = np.empty(SETS, dtype=np.int64), np.empty(SETS, dtype=np.int64)
    for row in range(len(hands)):
        cards[:] = hands[row]
        lay(cards, by, lows, highs)
        for at in range(SETS):
            if mark(highs[at], lows[at]) == marks[row]:
                chosen[row] = at
