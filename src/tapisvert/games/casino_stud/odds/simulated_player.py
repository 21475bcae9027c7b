"""A simulated player of Casino Stud; it decides by the counted positions."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

import numpy as np

from tapisvert.cards import Card
from tapisvert.games.casino_stud.odds.proof import STRATEGIES, positions
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.odds.parallel import Progress
from tapisvert.odds.simulation import Decks, Played
from tapisvert.odds.suits import Finder, patterns
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES


class SimulatedPlayer:
    """Plays ante and 5+1, one unit each."""

    bets = ("main", "bonus")
    cards, deck = 10, 52

    def __init__(self, sheet: CasinoStud, strategy: str, tell: Progress) -> None:
        at = positions(sheet.least_to_qualify, tell)
        self._plays = STRATEGIES[strategy](sheet, at)
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

    def said(self, cards: Sequence[Card], line: Sequence[int]) -> tuple[str, ...]:
        """Return the one choice of a round."""
        return ("play",) if line[0] else ("fold",)
