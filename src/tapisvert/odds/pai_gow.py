"""Fortune Pai Gow Poker, proved: every deal of the main bet, and every hand of the Fortune Bonus.

The main bet is proved for a player who sets by the house way, for one who sets best, and for two
habits. The best set is the best of a bet paid 1:1; if the sheet pays another price, the figure is
a bound and says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
import numpy as np

from tapisvert.cards import Card
from tapisvert.odds.cores import Tell, silent
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.fortune import count_reached, prove_fortune
from tapisvert.odds.pai_gow_best import best_sets
from tapisvert.odds.pai_gow_deck import deck_of
from tapisvert.odds.pai_gow_hands import HABITS, RULES, House, by_habit, every_hand, house_of
from tapisvert.odds.pai_gow_options import options as options
from tapisvert.odds.pai_gow_pairs import Deals, count_deals
from tapisvert.odds.pai_gow_sets import LOW_BITS, LOW_MASK, NO_PAIRS, Marks, order
from tapisvert.ranking.joker import CATEGORIES
from tapisvert.sheets import PaiGow

OTHERS = ("optimal", *HABITS)  # strategies beside the house way


class Laid(NamedTuple):
    """What a set is told by: the category of its high hand, and whether its low hand is a pair."""

    high: str
    low: str


class Difference(NamedTuple):
    """Hands that the house way sets worse than they can be, all in the same manner."""

    rule: int  # the rule of the house way that decided
    house: Laid
    best: Laid
    hands: int
    cost: Fraction  # to the mean result of the main bet, over all deals


def prove(
    sheet: PaiGow,
    tell: Tell = silent,
    *,
    cards: Sequence[Card] = PaiGow.deck,
    others: Sequence[str] = OTHERS,
) -> list[Figure]:
    """Return the figures of the main bet, one for each strategy, and that of the Fortune Bonus."""

    def part(done: int) -> Tell:
        return lambda more: tell((done + more) / (1 + len(others)))

    house = house_of(sheet, deck_of(cards))
    usual = count_deals(house, house.marks, part(0))
    figures = [_main(sheet, "house-way", usual)]
    for done, strategy in enumerate(others, start=1):
        if strategy == "optimal":
            figures.append(_prove_optimal(sheet, house, usual, part(done)))
        else:
            habit = by_habit(house.deck, house.hands, strategy)
            player = every_hand(house.deck, house.hands, habit.marks)
            figures.append(_main(sheet, strategy, count_deals(house, player, part(done))))
    return [*figures, prove_fortune(sheet, count_reached(house.deck, house.hands))]


def rules_fired(sheet: PaiGow, cards: Sequence[Card] = PaiGow.deck) -> dict[int, int]:
    """Return how many hands each rule of the house way decides."""
    house = house_of(sheet, deck_of(cards))
    return {rule: int(house.hands.weights[house.usual.rules == rule].sum()) for rule in RULES}


def differences(
    sheet: PaiGow, tell: Tell = silent, *, cards: Sequence[Card] = PaiGow.deck
) -> list[Difference]:
    """Return where the house way is not the best set, the costliest first."""
    house = house_of(sheet, deck_of(cards))
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
    """Tell sets by their categories."""
    highs = order().strengths[marks >> LOW_BITS] >> 20
    pairs = marks & LOW_MASK >= NO_PAIRS
    return [
        Laid(CATEGORIES[high], "pair" if pair else "high-card")
        for high, pair in zip(highs.tolist(), pairs.tolist(), strict=True)
    ]


def _prove_optimal(sheet: PaiGow, house: House, usual: Deals, tell: Tell) -> Figure:
    """Find the best sets, count how they end, and hold the one against the other."""
    best = best_sets(house, sheet.house_way, lambda more: tell(more / 2))
    player = every_hand(house.deck, house.hands, best.marks)
    deals = count_deals(house, player, lambda more: tell((1 + more) / 2))
    gained = int((house.hands.weights * best.gains).sum())
    if deals.win - deals.loss != usual.win - usual.loss + gained:
        raise AssertionError(f"the best sets gain {gained:,}, but {usual} became {deals}")
    figure = _main(sheet, "optimal", deals)
    if sheet.main.pays == 1:
        return figure
    # Whatever the set, it wins between none and all deals: a price moves its worth by no more.
    error = float(abs(sheet.main.pays - 1))
    return msgspec.structs.replace(figure, exact=False, error=error)


def _main(sheet: PaiGow, strategy: str, deals: Deals) -> Figure:
    """Make the figure of the main bet from how its deals end."""
    outcomes = [
        Outcome("win", deals.win, sheet.main.pays),
        Outcome("push", deals.push, Fraction(0)),
        Outcome("loss", deals.loss, Fraction(-1)),
        Outcome("not-eligible", deals.not_eligible, Fraction(0)),
    ]
    return counted("main", strategy, sum(deals), outcomes)
