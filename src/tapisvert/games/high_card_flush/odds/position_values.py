"""The values of each raise and a fold for seven cards, over every hand of the house."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tapisvert.cards import Card
from tapisvert.games.high_card_flush.odds.proof import most_times, positions, raise_values
from tapisvert.games.high_card_flush.odds.weaker_hands import FULL_DECK
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.suits import Patterns
from tapisvert.ranking.flush import suits


def options(
    sheet: HighCardFlush, player: Sequence[Card], *, deck: Sequence[int] = FULL_DECK
) -> dict[str, float]:
    """Return the mean net result of each allowed choice, in antes.

    `deck` has the ranks of each suit.
    """
    hand = Patterns(np.array([suits(player)], dtype=np.int16), np.ones(1, dtype=np.int64))
    at = positions(sheet, hands=hand, deck=deck)
    house_hands = sum(int(kind[0]) for kind in (at.unqualified, at.beaten, at.tied, at.better))
    found = {}
    for times in range(1, int(most_times(sheet, at)[0]) + 1):
        value, unit = raise_values(sheet, at, times)
        found[f"raise-{times}"] = int(value[0]) / (unit * house_hands)
    return found | {"fold": -1.0}
