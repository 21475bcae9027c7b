"""A simulated player of High Card Flush; it decides by the counted positions."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

import numpy as np

from tapisvert.cards import Card
from tapisvert.games.high_card_flush.odds.proof import STRATEGIES, positions
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.parallel import Progress
from tapisvert.odds.simulation import Decks, Played
from tapisvert.odds.suits import Finder, patterns
from tapisvert.ranking.flush_batch import straight_flush_lengths, strengths


class SimulatedPlayer:
    """Plays ante, Flush Rush and Super Flush Rush, one unit each."""

    bets = ("main", "flush", "straight-flush")
    cards, deck = 14, 52

    def __init__(self, sheet: HighCardFlush, strategy: str, tell: Progress) -> None:
        self._raises = STRATEGIES[strategy](sheet, positions(sheet, tell)).astype(np.int64)
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
        mine, theirs = strengths(player), strengths(house)
        ante, price = (
            int(each.pays * self.unit) for each in (self._sheet.ante, self._sheet.raises)
        )
        net = np.select(
            [times == 0, theirs < self._sheet.least_to_qualify, mine > theirs, mine == theirs],
            [-self.unit, ante, ante + times * price, 0],
            -(1 + times) * self.unit,
        )
        flush = self._sides["flush"][mine >> 28]
        run = self._sides["straight-flush"][straight_flush_lengths(player)]
        one = np.full_like(net, self.unit)
        return Played(
            np.stack((net, flush, run), axis=1),
            np.stack(((1 + times) * self.unit, one, one), axis=1),
            times[:, None],
        )

    def said(self, cards: Sequence[Card], line: Sequence[int]) -> tuple[str, ...]:
        """Return the one choice of a round."""
        return (f"raise-{line[0]}",) if line[0] else ("fold",)
