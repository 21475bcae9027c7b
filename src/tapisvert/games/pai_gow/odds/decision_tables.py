"""The sets that a simulated player of Pai Gow and its house make, kept on disk.

One entry for each suit pattern of seven cards, with or without the joker: the set (its `mark`) and
the rows of the Fortune Bonus that the cards reach. 72 MB for the house, and as much for a player
who does not set by the house way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.pai_gow.odds.deck import HAND, deck_of, sets_of
from tapisvert.games.pai_gow.odds.hands import HABITS, by_habit, by_house_way, house_of
from tapisvert.games.pai_gow.odds.optimal_sets import best_sets
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.parallel import Progress, spread
from tapisvert.odds.suit_index import positions_of, suit_index
from tapisvert.odds.table_cache import cached_tables
from tapisvert.ranking.joker_batch import fortune_rows

_FORM = 1  # increment when the content of the files changes
HOUSE_WAY = "house-way"
MARK_BITS = 20  # the bits above are rows of the Fortune Bonus
JOKER_FROM = suit_index(HAND).positions  # hands with the joker, by the pattern of the other six

Sets = NDArray[np.uint32]  # by position


def sets_by(sheet: PaiGow, strategy: str, tell: Progress) -> Sets:
    """Return the sets that a strategy makes; compute them if they are not kept."""
    depends: list[object] = [_FORM, strategy]
    if strategy not in HABITS:
        depends.append(sheet.house_way)
    if strategy not in (*HABITS, HOUSE_WAY):
        depends.append(sheet.house.not_eligible_with)

    def build() -> dict[str, NDArray[Any]]:
        deck = deck_of(PaiGow.deck)
        if strategy in HABITS:
            hands = sets_of(deck, HAND)
            marks = by_habit(deck, hands, strategy).marks
        elif strategy == HOUSE_WAY:
            hands = sets_of(deck, HAND)
            marks = by_house_way(deck, hands, sheet.house_way).marks
        else:
            house = house_of(sheet, deck)
            hands, marks = house.hands, best_sets(house, sheet.house_way, tell).marks
        return {"sets": _by_position(hands.rows, marks)}

    return cached_tables("pai-gow-sets", depends, build)["sets"]


def _by_position(rows: NDArray[np.uint8], marks: NDArray[np.uint32]) -> Sets:
    """Write the entry of each hand at its position; the rows are ascending cards of the 53."""
    found = np.zeros(JOKER_FROM + suit_index(HAND - 1).positions, dtype=np.uint32)
    bits = suit_index(HAND).bits

    def work(first: int, end: int) -> None:
        hands = rows[first:end]
        held, entries = bits[hands].sum(axis=1), fortune_rows(hands).astype(np.uint32)
        entries = entries << np.uint32(MARK_BITS) | marks[first:end]
        joker = hands[:, -1] == 52
        found[positions_of(held[~joker], HAND)] = entries[~joker]
        found[JOKER_FROM + positions_of(held[joker], HAND - 1)] = entries[joker]

    spread(work, len(rows))
    return found
