"""A strategy of rules at Pai Gow: its sets of all hands are counted against the house's.

The rules set every hand. The figure comes from the count of all pairs of hands (see `pairs`). The
cost of a rule comes from the search for the best sets (see `optimal_sets`): the value of the best
set less that of the rule's, for a bet paid 1:1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import RANKS, Card, text, write_hand
from tapisvert.games.pai_gow.odds.deck import HAND, deck_of
from tapisvert.games.pai_gow.odds.hands import HouseHands, house_of
from tapisvert.games.pai_gow.odds.optimal_sets import Scales, choose, scales
from tapisvert.games.pai_gow.odds.pairs import count_deals
from tapisvert.games.pai_gow.odds.proof import main_figure
from tapisvert.games.pai_gow.odds.rule_sets import COLUMNS, NOT_LEGAL, OPTIONS, Seen, see
from tapisvert.games.pai_gow.odds.rule_values import values_of
from tapisvert.games.pai_gow.odds.sets import LOW_MASK, NO_PAIRS, Marks, marks_of
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.figures import Figure
from tapisvert.odds.mathematics import Position
from tapisvert.odds.parallel import Progress, no_progress, part, spread
from tapisvert.odds.vocabulary import AtTable, Decide, Judged, Spots

QUESTION = "set"
_AT_ONCE = 1 << 18  # hands that are decided together


class Counted:
    """Every hand of seven cards, one for each pattern of suits."""

    unit = 1

    def __init__(
        self, sheet: PaiGow, tell: Progress = no_progress, cards: Sequence[Card] = PaiGow.deck
    ) -> None:
        self._sheet = sheet
        self.house: HouseHands = house_of(sheet, deck_of(cards))
        self.deals: int = self.house.deck.deals
        tell(1.0)

    @cached_property
    def _scales(self) -> Scales:
        return scales(self.house, self._sheet.house_way)

    def play(self, name: str, decide: Decide, tell: Progress) -> Figure:
        """Set every hand, and count all deals."""
        marks = self.set_by(decide, part(tell, 0, 0.5))
        (deals,) = count_deals(self.house, [marks], part(tell, 0.5, 1))
        return main_figure(self._sheet, name, deals)

    def set_by(self, decide: Decide, tell: Progress = no_progress, *, judged: bool = True) -> Marks:
        """Return the set of each hand; without `judged`, no values of sets are computed."""
        rows = self.house.hands.rows
        found = np.empty(len(rows), dtype=np.uint32)
        for first in range(0, len(rows), _AT_ONCE):
            end = min(first + _AT_ONCE, len(rows))
            spots, seen = self._spots(first, end, judged=judged)
            chosen = decide(QUESTION, spots)
            found[first:end] = seen.marks[chosen, np.arange(end - first)]
            tell(end / len(rows))
        return found

    def survey(self, decide: Decide, tell: Progress = no_progress) -> None:
        """Show every hand with the values of all options; count no figure."""
        rows = self.house.hands.rows
        for first in range(0, len(rows), _AT_ONCE):
            end = min(first + _AT_ONCE, len(rows))
            spots, seen = self._spots(first, end, judged=False)
            values = values_of(self._scales, rows[first:end], seen.marks)
            decide(QUESTION, spots._replace(values=values, judge=None))
            tell(end / len(rows))

    def _spots(self, first: int, end: int, *, judged: bool) -> tuple[Spots, Seen]:
        deck, rows = self.house.deck, self.house.hands.rows[first:end]
        seen = see(deck, rows)

        def position(place: int) -> dict[str, list[str]]:
            cards = deck.cards[rows[place]].tolist()
            return {"player": [text(card) for card in reversed(cards)]}

        def judge(chosen: NDArray[np.int8]) -> Judged:
            marks = seen.marks[chosen, np.arange(end - first)]
            if not judged:
                return Judged(np.zeros(end - first, dtype=np.int64), lambda _: "")
            parts = spread(
                lambda begin, stop: choose(self._scales, rows[begin:stop], marks[begin:stop]),
                end - first,
                pieces=32,
            )
            best = np.concatenate([each.marks for each in parts])
            gains = np.concatenate([each.gains for each in parts])
            return Judged(gains, lambda place: write_low(int(best[place] & LOW_MASK)))

        spots = Spots(
            options=OPTIONS,
            weights=self.house.hands.weights[first:end],
            hidden=comb(deck.size - HAND, HAND),
            values=np.zeros((len(OPTIONS), end - first), dtype=np.int64),
            legal=seen.marks != NOT_LEGAL,
            column=lambda name: _column(seen, name),
            position=position,
            judge=judge,
        )
        return spots, seen


def _column(seen: Seen, name: str) -> NDArray[np.int64]:
    found = seen.columns[COLUMNS.index("complete_low" if name == "complete" else name)]
    return np.asarray(found >= 0 if name == "complete" else found, dtype=np.int64)


def see_one(sheet: PaiGow, position: Position) -> list[AtTable]:
    """Return the one question of seven cards; a set is named by the cards of its low hand."""
    deck, cards = deck_of(PaiGow.deck), position.cards["player"]
    seen = see(deck, np.sort(deck.places[list(cards)])[None])
    ordered = sorted(cards)
    marks = {
        frozenset(low): mark
        for low, mark in zip(combinations(ordered, 2), marks_of(ordered), strict=True)
    }
    # Sets with the same mark are worth the same: any of them will do.
    names = {marks[frozenset(low)]: write_hand(low) for low in combinations(cards, 2)}

    def option(choice: str) -> str | None:
        return names.get(int(seen.marks[OPTIONS.index(choice), 0]))

    return [AtTable(QUESTION, lambda name: _column(seen, name), option)]


def write_low(number: int) -> str:
    """Write a low hand by its class, the higher rank first."""
    if number >= NO_PAIRS:
        return 2 * RANKS[number - NO_PAIRS]
    high = next(rank for rank in range(len(RANKS)) if number < rank * (rank + 1) // 2)
    return RANKS[high] + RANKS[number - high * (high - 1) // 2]
