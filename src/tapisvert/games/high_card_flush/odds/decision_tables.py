"""The tables that a simulated player of High Card Flush decides by, kept on disk.

Most hands are raised, or folded, whatever the cards beside the flush: a small table by flush says
so. The others look into a table by suit pattern of all seven cards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.engine.sheet import content
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.parallel import Progress
from tapisvert.odds.suit_index import RANKS, packed, positions_of, suit_index
from tapisvert.odds.table_cache import cached_tables
from tapisvert.ranking.flush import of_suit, run_of_suit

_FORM = 1  # increment when the content of the files changes
LOOK = 255


class Decisions(NamedTuple):
    """The raise of every hand, in antes, 0 for a fold; and what the kernel compares."""

    by_flush: NDArray[np.uint8]  # by number of the flush (`SuitIndex.order`), or LOOK
    by_pattern: NDArray[np.uint8]  # by position of the hand's suit pattern
    runs: NDArray[np.uint8]  # by ranks of a suit: its longest run
    least_to_qualify: NDArray[np.int64]  # one entry: the number of the weakest qualifying flush


def decisions(sheet: HighCardFlush, strategy: str, tell: Progress) -> Decisions:
    """Return the tables of a strategy; compute them if they are not kept."""
    figures = content(sheet)
    depends = [_FORM, strategy, *(figures[part] for part in ("ante", "raise", "house"))]

    def build() -> dict[str, NDArray[Any]]:
        # Imported here: a kept table needs none of it.
        from tapisvert.games.high_card_flush.odds.proof import STRATEGIES, positions

        at = positions(sheet, tell)
        raises = STRATEGIES[strategy](sheet, at).astype(np.uint8)
        return decisions_of(sheet.least_to_qualify, at.suits, at.flushes, raises)._asdict()

    return Decisions(**cached_tables("high-card-flush", depends, build))


def decisions_of(
    least_to_qualify: int,
    suits: NDArray[np.int16],
    flushes: NDArray[np.int16],
    raises: NDArray[np.uint8],
) -> Decisions:
    """Convert a raise for each hand (one per suit pattern) to tables."""
    by = suit_index(7)
    by_pattern = np.zeros(by.positions, dtype=np.uint8)
    by_pattern[positions_of(packed(suits), 7)] = raises
    numbers = by.order[flushes]
    most, least = np.zeros(1 << RANKS, np.uint8), np.full(1 << RANKS, LOOK, np.uint8)
    np.maximum.at(most, numbers, raises)
    np.minimum.at(least, numbers, raises)
    strengths = sorted(of_suit(ranks) for ranks in range(1 << RANKS) if ranks.bit_count() <= 7)
    return Decisions(
        np.where(most == least, most, np.uint8(LOOK)),
        by_pattern,
        np.array([run_of_suit(ranks) for ranks in range(1 << RANKS)], dtype=np.uint8),
        np.array([np.searchsorted(strengths, least_to_qualify)], dtype=np.int64),
    )
