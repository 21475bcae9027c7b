"""The best play of Three Card Poker as a line: from which hand on one plays."""

from __future__ import annotations

import numpy as np
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.odds.thresholds import PlayingLine, gather, line_of

from three_card_poker.odds.proof import optimal, positions
from three_card_poker.ranking import category, telling_ranks
from three_card_poker.sheet import ThreeCardPoker


def chart(sheet: ThreeCardPoker, tell: Progress = no_progress) -> PlayingLine:
    """Draw the line of a sheet; a position is the player's three cards."""
    at = positions(sheet.least_to_qualify, tell)
    plays = optimal(sheet, at)
    found = gather(at.strengths.astype(np.int64), at.weights, at.weights * plays)
    return line_of(found, named)


def named(strength: int) -> str:
    """Name a hand.

    >>> from three_card_poker.odds.proof import QUEEN_SIX_FOUR
    >>> named(QUEEN_SIX_FOUR)
    'high-card Q64'
    """
    return f"{category(strength)} {telling_ranks(strength)}"
