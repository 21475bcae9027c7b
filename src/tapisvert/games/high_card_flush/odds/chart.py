"""The best play of High Card Flush: from which flush on to raise, and by how much."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tapisvert.cards import RANKS
from tapisvert.games.high_card_flush.odds.proof import optimal, positions
from tapisvert.games.high_card_flush.odds.weaker_hands import HAND
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.odds.thresholds import PlayingLine, gather, line_of
from tapisvert.ranking.flush import of_suit


class Chart(Struct, frozen=True):
    """The threshold, and the number of hands per flush length by best choice."""

    line: PlayingLine
    raises: dict[str, dict[str, int]]


def chart(sheet: HighCardFlush, tell: Progress = no_progress) -> Chart:
    """Compute the chart of a sheet; hands with the same flush differ by their other cards."""
    at = positions(sheet, tell)
    chosen = optimal(sheet, at)
    by_strength = np.array([of_suit(ranks) for ranks in range(1 << len(RANKS))], dtype=np.int64)
    names = {of_suit(ranks): named(ranks) for ranks in range(1, 1 << len(RANKS))}
    strengths = by_strength[at.flushes]
    found = gather(strengths, at.weights, at.weights * (chosen > 0))
    raises = {
        f"flush-{length}": {
            f"raise-{times}" if times else "fold": int(at.weights[these].sum())
            for times in range(int(chosen.max()) + 1)
            if (these := (at.lengths == length) & (chosen == times)).any()
        }
        for length in range(2, HAND + 1)
    }
    return Chart(line_of(found, names.__getitem__), raises)


def named(ranks: int) -> str:
    """Name a flush by its ranks.

    >>> named(0b1_0100_0001_0000)
    'AQ6'
    """
    return "".join(RANKS[n] for n in reversed(range(len(RANKS))) if ranks >> n & 1)
