"""The values of play and fold for the cards on the table, over every hand of the house."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import STANDARD, Card
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES, strength

UNSEEN = 46
HOUSE_HANDS = comb(UNSEEN, 4)


def options(sheet: CasinoStud, player: Sequence[Card], up: Card) -> dict[str, float]:
    """Return the mean net result of each choice, in antes."""
    unseen = np.array([card for card in STANDARD if card not in (*player, up)], dtype=np.uint8)
    house = np.empty((HOUSE_HANDS, 5), dtype=np.uint8)
    _lay(up, unseen, house)
    mine, theirs = strength(player), strengths(house)
    qualified = theirs >= sheet.least_to_qualify
    not_qualified = len(house) - int(np.count_nonzero(qualified))
    beaten = int(np.count_nonzero(qualified & (theirs < mine)))
    better = int(np.count_nonzero(qualified & (theirs > mine)))
    times, ante = sheet.play.times_ante, sheet.ante.pays
    won = ante + times * sheet.play.pays[CATEGORIES[mine >> 20]]
    worth = ante * not_qualified + won * beaten - (1 + times) * better
    return {"play": float(worth / len(house)), "fold": -1.0}


@numba.njit(cache=True, nogil=True)
def _lay(up: int, unseen: NDArray[np.uint8], hands: NDArray[np.uint8]) -> None:
    """Write every hand the house may have with this up card."""
    row = 0
    for one in range(len(unseen)):
        for two in range(one):
            for three in range(two):
                for four in range(three):
                    hand = hands[row]
                    hand[0], hand[1], hand[2] = up, unseen[one], unseen[two]
                    hand[3], hand[4] = unseen[three], unseen[four]
                    row += 1
