"""The tables that a simulated player of Casino Stud decides by, kept on disk.

Most hands are played, or folded, whatever their suits and the up card: a small table by the hand's
ranks says so. The others look into a table by suit pattern with one bit per up card.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.engine.sheet import content
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.odds.hand_tables import FLUSH, NO_CARDS, hand_tables, places_of
from tapisvert.odds.parallel import Progress
from tapisvert.odds.suit_index import positions_of, suit_index
from tapisvert.odds.table_cache import cached_tables

_FORM = 1  # increment when the content of the files changes
FOLD, PLAY, LOOK = range(3)


class Decisions(NamedTuple):
    """Play or fold, for the kernel."""

    by_ranks: NDArray[np.uint8]  # by place of a hand without a flush: FOLD, PLAY or LOOK
    by_pattern: NDArray[np.uint64]  # by position of the hand's suit pattern: bits of up cards


def decisions(sheet: CasinoStud, strategy: str, tell: Progress) -> Decisions:
    """Return the tables of a strategy; compute them if they are not kept."""
    figures = content(sheet)
    depends = [_FORM, strategy, *(figures[part] for part in ("ante", "play", "house"))]

    def build() -> dict[str, NDArray[Any]]:
        # Imported here: a kept table needs none of it.
        from tapisvert.games.casino_stud.odds.proof import STRATEGIES, positions

        at = positions(sheet.least_to_qualify, tell)
        return decisions_of(at.hands, at.there, STRATEGIES[strategy](sheet, at))._asdict()

    return Decisions(**cached_tables("casino-stud", depends, build))


def decisions_of(
    hands: NDArray[np.uint8], there: NDArray[np.bool_], plays: NDArray[np.bool_]
) -> Decisions:
    """Convert a decision for each hand (one per suit pattern) and up card to tables."""
    tables, by = hand_tables(5), suit_index(5)
    by_pattern = np.zeros(by.positions, dtype=np.uint64)
    bits = np.uint64(1) << np.arange(52, dtype=np.uint64)
    held = by.bits[hands].sum(axis=1, dtype=np.uint64)
    by_pattern[positions_of(held, 5)] = (plays * bits).sum(axis=1)
    keys = tables.keys[hands].sum(axis=1, dtype=np.uint64) + NO_CARDS
    some, every = plays.any(axis=1), (plays | ~there).all(axis=1)
    by_ranks = np.full(len(tables.unsuited), LOOK, dtype=np.uint8)
    apart = keys & FLUSH == 0
    places = places_of(keys, tables)
    for kind, alike in ((PLAY, every), (FOLD, ~some)):
        other = np.zeros(len(by_ranks), dtype=np.bool_)
        other[places[apart & ~alike]] = True
        by_ranks[~other] = kind
    return Decisions(by_ranks, by_pattern)
