"""Fortune Pai Gow Poker, proved: every deal of the main bet, every hand of the Fortune Bonus.

The main bet is proved for a player who sets by the house way, for one who sets best, and for two
simple strategies. The best set is computed for a bet paid 1:1. If the sheet pays another price, the
figure is marked as a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from tapisvert.cards import Card
from tapisvert.games.pai_gow.odds.deck import deck_of
from tapisvert.games.pai_gow.odds.fortune import count_reached, prove_fortune
from tapisvert.games.pai_gow.odds.hands import HABITS, HouseHands, by_habit, every_hand, house_of
from tapisvert.games.pai_gow.odds.optimal_sets import best_sets
from tapisvert.games.pai_gow.odds.pairs import Deals, count_deals
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.parallel import Progress, no_progress

OTHERS = ("optimal", *HABITS)  # strategies besides the house way


def prove(
    sheet: PaiGow,
    tell: Progress = no_progress,
    *,
    cards: Sequence[Card] = PaiGow.deck,
    others: Sequence[str] = OTHERS,
) -> list[Figure]:
    """Return the figures of the main bet, one per strategy, and of the Fortune Bonus."""

    def part(done: int) -> Progress:
        return lambda more: tell((done + more) / (1 + len(others)))

    house = house_of(sheet, deck_of(cards))
    usual = count_deals(house, house.marks, part(0))
    figures = [main_figure(sheet, "house-way", usual)]
    for done, strategy in enumerate(others, start=1):
        if strategy == "optimal":
            figures.append(_prove_optimal(sheet, house, usual, part(done)))
        else:
            figures.append(main_figure(sheet, strategy, _of_habit(house, strategy, part(done))))
    return [*figures, prove_fortune(sheet, count_reached(house.deck, house.hands))]


def _of_habit(house: HouseHands, strategy: str, tell: Progress) -> Deals:
    """Count the deals of a simple strategy; its marks of every hand, 617 MB, end with the count."""
    habit = by_habit(house.deck, house.hands, strategy)
    return count_deals(house, every_hand(house.deck, house.hands, habit.marks), tell)


def _prove_optimal(sheet: PaiGow, house: HouseHands, usual: Deals, tell: Progress) -> Figure:
    """Find the best sets, count their results, and check one against the other."""
    best = best_sets(house, sheet.house_way, lambda more: tell(more / 2))
    player = every_hand(house.deck, house.hands, best.marks)
    deals = count_deals(house, player, lambda more: tell((1 + more) / 2))
    gained = int((house.hands.weights * best.gains).sum())
    if deals.win - deals.loss != usual.win - usual.loss + gained:
        raise AssertionError(f"the best sets gain {gained:,}, but {usual} became {deals}")
    figure = main_figure(sheet, "optimal", deals)
    if sheet.main.pays == 1:
        return figure
    # Any set wins between none and all deals, so a price changes its value by no more than this.
    error = float(abs(sheet.main.pays - 1))
    return msgspec.structs.replace(figure, exact=False, error=error)


def main_figure(sheet: PaiGow, strategy: str, deals: Deals) -> Figure:
    """Build the figure of the main bet from the counts of its deals."""
    outcomes = [
        Outcome("win", deals.win, sheet.main.pays),
        Outcome("push", deals.push, Fraction(0)),
        Outcome("loss", deals.loss, Fraction(-1)),
        Outcome("not-eligible", deals.not_eligible, Fraction(0)),
    ]
    return counted("main", strategy, sum(deals), outcomes)
