"""The hands for which the house way is not the best set, and the number of hands per rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from tapisvert.cards import Card
from tapisvert.games.pai_gow.odds.deck import deck_of
from tapisvert.games.pai_gow.odds.hands import RULES, HouseHands, house_of
from tapisvert.games.pai_gow.odds.optimal_sets import best_sets
from tapisvert.games.pai_gow.odds.sets import LOW_BITS, LOW_MASK, NO_PAIRS, Marks, order
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.ranking.joker import CATEGORIES


class Laid(NamedTuple):
    """A kind of set: the category of its high hand, and whether its low hand is a pair."""

    high: str
    low: str


class Difference(NamedTuple):
    """Hands for which the house way is not the best set, all of the same two kinds of set."""

    rule: int  # the deciding rule of the house way
    house: Laid
    best: Laid
    hands: int
    cost: Fraction  # gain in the mean result of the main bet, over all deals


class Chart(Struct, frozen=True):
    """The number of hands each rule decides, and the hands with a better set."""

    hands: int
    rules: dict[int, int]
    differences: list[Difference]  # most costly first


def chart(
    sheet: PaiGow, tell: Progress = no_progress, *, cards: Sequence[Card] = PaiGow.deck
) -> Chart:
    """Compare the house way with the best set of every hand."""
    house = house_of(sheet, deck_of(cards))
    fired = rules_fired(house)
    return Chart(sum(fired.values()), fired, differences(sheet, house, tell))


def rules_fired(house: HouseHands) -> dict[int, int]:
    """Return the number of hands each rule of the house way decides."""
    return {rule: int(house.hands.weights[house.usual.rules == rule].sum()) for rule in RULES}


def differences(sheet: PaiGow, house: HouseHands, tell: Progress = no_progress) -> list[Difference]:
    """Return the differences between the house way and the best sets, most costly first."""
    best = best_sets(house, sheet.house_way, tell)
    hands: Counter[tuple[int, Laid, Laid]] = Counter()
    costs: Counter[tuple[int, Laid, Laid]] = Counter()
    differ = np.flatnonzero(best.gains)
    kinds = zip(
        house.usual.rules[differ].tolist(),
        laid(house.usual.marks[differ]),
        laid(best.marks[differ]),
        strict=True,
    )
    weights = house.hands.weights[differ]
    gains = weights * best.gains[differ]
    for kind, weight, gain in zip(kinds, weights.tolist(), gains.tolist(), strict=True):
        hands[kind] += weight
        costs[kind] += gain
    return [
        Difference(*kind, hands[kind], Fraction(cost, house.deck.deals))
        for kind, cost in costs.most_common()
    ]


def laid(marks: Marks) -> list[Laid]:
    """Describe sets by their categories."""
    highs = order().strengths[marks >> LOW_BITS] >> 20
    pairs = marks & LOW_MASK >= NO_PAIRS
    return [
        Laid(CATEGORIES[high], "pair" if pair else "high-card")
        for high, pair in zip(highs.tolist(), pairs.tolist(), strict=True)
    ]
