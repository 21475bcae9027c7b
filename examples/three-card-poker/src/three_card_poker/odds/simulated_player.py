"""A player at Three Card Poker, for simulations: decides by the counted positions."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

import numpy as np
from tapisvert.cards import Card
from tapisvert.odds.parallel import Progress
from tapisvert.odds.simulation import Decks, Played
from tapisvert.odds.suits import Finder, patterns

from three_card_poker.odds.proof import STRATEGIES, bonuses, positions
from three_card_poker.odds.ranking_batch import strengths
from three_card_poker.ranking import CATEGORIES, CATEGORY_SHIFT
from three_card_poker.sheet import ThreeCardPoker


class SimulatedPlayer:
    """Plays ante and Pair Plus, one unit each."""

    bets = ("main", "pair-plus")
    cards, deck = 6, 52

    def __init__(self, sheet: ThreeCardPoker, strategy: str, tell: Progress) -> None:
        at = positions(sheet.least_to_qualify, tell)
        self._plays = STRATEGIES[strategy](sheet, at)
        self._finder = Finder(patterns(3))
        self._least_to_qualify = sheet.least_to_qualify
        bonus, plus = bonuses(sheet), [sheet.pair_plus.pays.get(row, -1) for row in CATEGORIES]
        prices = (sheet.ante.pays, sheet.play.pays, *bonus, *plus)
        self.unit = unit = lcm(*(each.denominator for each in prices))
        self._times, self._ante = sheet.play.times_ante, int(sheet.ante.pays * unit)
        self._play = int(self._times * sheet.play.pays * unit)
        self._bonus = np.array([int(pays * unit) for pays in bonus])
        self._pair_plus = np.array([int(pays * unit) for pays in plus])

    def play(self, decks: Decks) -> Played:
        """Play or fold, then compare."""
        player, house = decks[:, :3], decks[:, 3:6]
        row, _ = self._finder.find(player)
        plays = self._plays[row]
        mine, theirs = strengths(player), strengths(house)
        compared = np.select(
            [theirs < self._least_to_qualify, mine > theirs, mine == theirs],
            [self._ante, self._ante + self._play, 0],
            -(1 + self._times) * self.unit,
        )
        kind = mine >> CATEGORY_SHIFT
        net = np.where(plays, compared + self._bonus[kind], -self.unit)
        pair_plus = np.where(plays, self._pair_plus[kind], -self.unit)  # three.14
        staked = np.where(plays, 1 + self._times, 1) * self.unit
        return Played(
            np.stack((net, pair_plus), axis=1),
            np.stack((staked, np.full_like(staked, self.unit)), axis=1),
            plays.astype(np.int64)[:, None],
        )

    def said(self, cards: Sequence[Card], line: Sequence[int]) -> tuple[str, ...]:
        """Return the one choice."""
        return ("play",) if line[0] else ("fold",)
