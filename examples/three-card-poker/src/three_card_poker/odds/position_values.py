"""What playing and folding are worth with three cards, against every hand of the house."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tapisvert.cards import Card, rank, suit
from tapisvert.odds.suits import Patterns

from three_card_poker.odds.proof import HOUSE_HANDS, play_values, positions
from three_card_poker.sheet import ThreeCardPoker


def options(sheet: ThreeCardPoker, player: Sequence[Card]) -> dict[str, float]:
    """Return the mean net result of each choice, in antes: ante, ante bonus and play.

    Pair Plus is left out. A fold loses it (three.14), so it never makes a fold better.
    """
    suits = np.zeros((1, 4), dtype=np.int16)
    for card in player:
        suits[0, suit(card)] |= 1 << rank(card)
    at = positions(sheet.least_to_qualify, hands=Patterns(suits, np.ones(1, dtype=np.int64)))
    value, unit = play_values(sheet, at)
    return {"play": int(value[0]) / (unit * HOUSE_HANDS), "fold": -1.0}
