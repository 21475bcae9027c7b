"""The best play of Casino Stud as a threshold: always played, always folded, and by up card."""

from __future__ import annotations

import numpy as np

from tapisvert.cards import RANKS
from tapisvert.games.casino_stud.odds.proof import optimal, positions
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.odds.thresholds import PlayingLine, gather, line_of
from tapisvert.ranking.standard import category, telling_ranks


def chart(sheet: CasinoStud, tell: Progress = no_progress) -> PlayingLine:
    """Compute the threshold of a sheet; a position is the player's five cards and the up card."""
    at = positions(sheet.least_to_qualify, tell)
    plays = optimal(sheet, at)
    weights, strengths = at.weights, at.strengths.astype(np.int64)
    found = gather(strengths, at.there.sum(axis=1) * weights, plays.sum(axis=1) * weights)
    by_rank = (len(weights), len(RANKS), 4)
    there, played = (each.reshape(by_rank).sum(axis=2) for each in (at.there, plays))

    def against(strength: int) -> dict[str, tuple[int, int]]:
        rows = strengths == strength
        each = zip(RANKS, weights[rows] @ played[rows], weights[rows] @ there[rows], strict=True)
        return {rank: (int(some), int(whole)) for rank, some, whole in each if whole}

    return line_of(found, named, against)


def named(strength: int) -> str:
    """Name a hand.

    >>> from tapisvert.ranking.standard import HIGH_CARD, pack
    >>> named(pack(HIGH_CARD, [12, 11, 9, 3, 2]))
    'high-card AKJ54'
    """
    return f"{category(strength)} {telling_ranks(strength)}".rstrip()
