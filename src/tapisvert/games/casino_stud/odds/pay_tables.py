"""Many pay tables of Casino Stud from one count of the positions.

The house's hands in a position depend on its qualifying hand alone. Whether a position is played
depends on the ante's price, on the size of the raise and on the price of the player's own category.
So each category is counted once for each such price, whatever the other prices are.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.casino_stud.odds.proof import (
    STRATEGIES,
    Positions,
    bonus,
    ends,
    positions,
    priced,
)
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.odds.figures import Figure
from tapisvert.odds.mathematics import SharedCount
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.ranking.standard import CATEGORIES

_Prices = tuple[str, int, Fraction, int, Fraction]  # strategy, category, ante, raise, price


class StudCount:
    """The positions of one qualifying hand, and what has been counted from them."""

    def __init__(self, sheet: CasinoStud, tell: Progress = no_progress) -> None:
        at = positions(sheet.least_to_qualify, tell)
        category = at.strengths >> 20
        self._by_category = [
            Positions(*(each[category == number] for each in at))
            for number in range(len(CATEGORIES))
        ]
        self._counted: dict[_Prices, NDArray[np.int64]] = {}

    def figures(self, sheet: CasinoStud) -> list[Figure]:
        """Return the figures of a sheet with this qualifying hand, in the order of `prove`."""
        best, *habits = (priced(sheet, name, self._deals(sheet, name)) for name in STRATEGIES)
        return [best, bonus(sheet), *habits]

    def _deals(self, sheet: CasinoStud, strategy: str) -> NDArray[np.int64]:
        parts = [self._part(sheet, strategy, number) for number in range(len(CATEGORIES))]
        total: NDArray[np.int64] = np.array(parts).sum(axis=0)
        return total

    def _part(self, sheet: CasinoStud, strategy: str, number: int) -> NDArray[np.int64]:
        """Count the deals of the player's hands of one category."""
        play = sheet.play
        price = play.pays[CATEGORIES[number]]
        key = strategy, number, sheet.ante.pays, play.times_ante, price
        if key not in self._counted:
            at = self._by_category[number]
            self._counted[key] = ends(at, STRATEGIES[strategy](sheet, at))
        return self._counted[key]


SHARED_COUNT = SharedCount(lambda sheet: str(sheet.least_to_qualify), StudCount, StudCount.figures)
