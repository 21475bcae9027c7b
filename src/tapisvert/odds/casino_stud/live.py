"""What playing and folding are worth with the cards on the table: every hand of the house tried."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import STANDARD, Card
from tapisvert.odds.counting import all_sets
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES, strength
from tapisvert.sheets import CasinoStud

UNSEEN = 46


def options(sheet: CasinoStud, player: Sequence[Card], up: Card) -> dict[str, float]:
    """Return the mean net result of each choice, in antes."""
    unseen = np.array([card for card in STANDARD if card not in (*player, up)], dtype=np.uint8)
    house = np.empty((len(_fours()), 5), dtype=np.uint8)
    house[:, 0], house[:, 1:] = up, unseen[_fours()]
    mine, theirs = strength(player), strengths(house)
    qualified = theirs >= sheet.least_to_qualify
    not_qualified = len(house) - int(np.count_nonzero(qualified))
    beaten = int(np.count_nonzero(qualified & (theirs < mine)))
    better = int(np.count_nonzero(qualified & (theirs > mine)))
    times, ante = sheet.play.times_ante, sheet.ante.pays
    won = ante + times * sheet.play.pays[CATEGORIES[mine >> 20]]
    worth = ante * not_qualified + won * beaten - (1 + times) * better
    return {"play": float(worth / len(house)), "fold": -1.0}


@cache
def _fours() -> NDArray[np.uint8]:
    """Return every four of the cards not seen."""
    return all_sets(UNSEEN, 4)
