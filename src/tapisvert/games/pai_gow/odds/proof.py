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
from tapisvert.games.pai_gow.odds.hands import HABITS, by_habit, house_of
from tapisvert.games.pai_gow.odds.optimal_sets import best_sets
from tapisvert.games.pai_gow.odds.pairs import Deals, count_deals
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.parallel import Progress, no_progress, part

OTHERS = ("optimal", *HABITS)  # strategies besides the house way


def prove(
    sheet: PaiGow,
    tell: Progress = no_progress,
    *,
    cards: Sequence[Card] = PaiGow.deck,
    others: Sequence[str] = OTHERS,
) -> list[Figure]:
    """Return the figures of the main bet, one per strategy, and of the Fortune Bonus."""
    house = house_of(sheet, deck_of(cards))
    players, gained = [house.usual.marks], 0
    for strategy in others:
        if strategy == "optimal":
            best = best_sets(house, sheet.house_way, part(tell, 0, 0.6))
            players.append(best.marks)
            gained = int((house.hands.weights * best.gains).sum())
        else:
            players.append(by_habit(house.deck, house.hands, strategy).marks)
    found = count_deals(house, players, part(tell, 0.6, 1))
    figures = []
    for strategy, deals in zip(("house-way", *others), found, strict=True):
        figure = main_figure(sheet, strategy, deals)
        if strategy == "optimal":
            figure = _checked(sheet, figure, found[0], deals, gained)
        figures.append(figure)
    return [*figures, prove_fortune(sheet, count_reached(house.deck, house.hands))]


def _checked(sheet: PaiGow, figure: Figure, usual: Deals, deals: Deals, gained: int) -> Figure:
    """Check the count of the best sets against their gains; mark a bound."""
    if deals.win - deals.loss != usual.win - usual.loss + gained:
        raise AssertionError(f"the best sets gain {gained:,}, but {usual} became {deals}")
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
