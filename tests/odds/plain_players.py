"""Simulated players in plain NumPy, as they were at commit 795e69f: oracles of the fast kernels.

They find a position by search, and take every strength from the batch rankings. No line of the
kernels is shared with them but the counted positions.
"""

from __future__ import annotations

from math import lcm

import numpy as np

from tapisvert.games.casino_stud.odds import proof as stud
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.games.high_card_flush.odds import proof as flush
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.simulation import Decks, Played
from tapisvert.odds.suits import Finder, patterns
from tapisvert.ranking import flush_batch
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES


class PlainStud:
    """Plays ante and 5+1, one unit each."""

    bets = ("main", "bonus")
    cards, deck = 10, 52

    def __init__(self, sheet: CasinoStud, strategy: str) -> None:
        at = stud.positions(sheet.least_to_qualify)
        self._plays = stud.STRATEGIES[strategy](sheet, at)
        self._finder = Finder(patterns(5))
        self._sheet = sheet
        pays = [sheet.ante.pays, *sheet.play.pays.values(), *sheet.bonus.pays.values()]
        self.unit = lcm(*(each.denominator for each in pays))
        times = sheet.play.times_ante
        self._times, self._ante = times, int(sheet.ante.pays * self.unit)
        self._play = np.array([int(times * sheet.play.pays[row] * self.unit) for row in CATEGORIES])
        self._bonus = np.array(
            [int(sheet.bonus.pays.get(row, -1) * self.unit) for row in CATEGORIES]
        )

    def play(self, decks: Decks) -> Played:
        """Play or fold, then compare."""
        player, house = decks[:, :5], decks[:, 5:10]
        row, becomes = self._finder.find(player)
        up = house[:, 0]
        renamed = up & ~np.uint8(3) | becomes[np.arange(len(decks)), up & 3]
        plays = self._plays[row, renamed]
        mine, theirs = strengths(player), strengths(house)
        net = np.select(
            [
                ~plays,
                theirs < self._sheet.least_to_qualify,
                mine > theirs,
                mine == theirs,
            ],
            [-self.unit, self._ante, self._ante + self._play[mine >> 20], 0],
            -(1 + self._times) * self.unit,
        )
        bonus = self._bonus[strengths(decks[:, :6]) >> 20]
        staked = np.where(plays, 1 + self._times, 1) * self.unit
        return Played(
            np.stack((net, bonus), axis=1),
            np.stack((staked, np.full_like(staked, self.unit)), axis=1),
            plays.astype(np.int64)[:, None],
        )


class PlainFlush:
    """Plays ante, Flush Rush and Super Flush Rush, one unit each."""

    bets = ("main", "flush", "straight-flush")
    cards, deck = 14, 52

    def __init__(self, sheet: HighCardFlush, strategy: str) -> None:
        self._raises = flush.STRATEGIES[strategy](sheet, flush.positions(sheet)).astype(np.int64)
        self._finder = Finder(patterns(7))
        self._sheet = sheet
        sides = {"flush": sheet.flush.pays, "straight-flush": sheet.straight_flush.pays}
        pays = [sheet.ante.pays, sheet.raises.pays]
        pays += [price for side in sides.values() for price in side.values()]
        self.unit = lcm(*(each.denominator for each in pays))
        self._sides = {
            bet: np.array([int(side.get(f"{bet}-{n}", -1) * self.unit) for n in range(8)])
            for bet, side in sides.items()
        }

    def play(self, decks: Decks) -> Played:
        """Raise or fold, then compare."""
        player, house = np.ascontiguousarray(decks[:, :7]), np.ascontiguousarray(decks[:, 7:14])
        row, _ = self._finder.find(player)
        times = self._raises[row]
        mine, theirs = flush_batch.strengths(player), flush_batch.strengths(house)
        ante, price = (
            int(each.pays * self.unit) for each in (self._sheet.ante, self._sheet.raises)
        )
        net = np.select(
            [times == 0, theirs < self._sheet.least_to_qualify, mine > theirs, mine == theirs],
            [-self.unit, ante, ante + times * price, 0],
            -(1 + times) * self.unit,
        )
        rush = self._sides["flush"][mine >> 28]
        run = self._sides["straight-flush"][flush_batch.straight_flush_lengths(player)]
        one = np.full_like(net, self.unit)
        return Played(
            np.stack((net, rush, run), axis=1),
            np.stack(((1 + times) * self.unit, one, one), axis=1),
            times[:, None],
        )
