"""Three Card Poker, exactly: every hand of the player against every hand of the house.

The 18,424 hands the house may hold beside the player's three cards fall into four classes, which
fix the worth of playing; folding costs the ante. Suits are interchangeable, so one hand of each
suit pattern is counted with its weight.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tapisvert.cards import RANKS
from tapisvert.odds.combinatorics import all_sets, must_fit
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.odds.suits import Patterns, cards_of, patterns

from three_card_poker.odds.ranking_batch import strengths
from three_card_poker.ranking import CATEGORIES, CATEGORY_SHIFT, HIGH_CARD, pack
from three_card_poker.sheet import ThreeCardPoker

HANDS = comb(52, 3)
HOUSE_HANDS = comb(49, 3)
DEALS = HANDS * HOUSE_HANDS
QUEEN_SIX_FOUR = pack(HIGH_CARD, [RANKS.index(rank) for rank in "Q64"])

Plays = NDArray[np.bool_]  # by player's hand: play, or fold


class Positions(NamedTuple):
    """How the house's hands fall against each hand of the player."""

    weights: NDArray[np.int64]  # how many hands of the player each stands for
    strengths: NDArray[np.int32]
    unqualified: NDArray[np.int64]
    beaten: NDArray[np.int64]  # of those that qualify
    tied: NDArray[np.int64]
    better: NDArray[np.int64]

    @property
    def rows(self) -> NDArray[np.int32]:
        """The kind of each hand."""
        return self.strengths >> CATEGORY_SHIFT


def positions(
    least_to_qualify: int, tell: Progress = no_progress, hands: Patterns | None = None
) -> Positions:
    """Class the house's hands against these hands of the player; against all if not said."""
    found = hands or patterns(3)
    cards = cards_of(found.suits, 3)
    mine = strengths(cards)
    house, theirs = _house()
    qualified = theirs >= least_to_qualify
    classes = np.empty((4, len(cards)), dtype=np.int64)
    for row, held in enumerate(_sets(cards)):
        free = house & held == 0
        against = theirs[free & qualified]
        beaten = int(np.count_nonzero(against < mine[row]))
        better = int(np.count_nonzero(against > mine[row]))
        unqualified = int(np.count_nonzero(free)) - len(against)
        classes[:, row] = unqualified, beaten, len(against) - beaten - better, better
        tell((row + 1) / len(cards))
    return Positions(found.weights, mine, *classes)


@cache
def _house() -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return every hand of three cards as a set of bits, and its strength."""
    hands = all_sets(52, 3)
    return _sets(hands), strengths(hands)


def _sets(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Write rows of cards as sets of 52 bits."""
    bits: NDArray[np.int64] = (np.int64(1) << hands.astype(np.int64)).sum(axis=1)
    return bits


def bonuses(sheet: ThreeCardPoker) -> list[Fraction]:
    """Return what the ante bonus pays for each kind of hand; nothing below a straight."""
    return [sheet.ante_bonus.pays.get(row, Fraction(0)) for row in CATEGORIES]


def play_values(sheet: ThreeCardPoker, at: Positions) -> tuple[NDArray[np.int64], int]:
    """Return the net result of playing, summed over the house's hands, and the unit it is in.

    The unit is the part of an ante in which every price is a whole number.
    """
    prices = (sheet.ante.pays, sheet.play.pays, *bonuses(sheet))
    unit = lcm(*(pays.denominator for pays in prices))
    times, ante = sheet.play.times_ante, int(sheet.ante.pays * unit)
    won = ante + int(times * sheet.play.pays * unit)
    bonus = [int(pays * unit) for pays in bonuses(sheet)]
    must_fit(HOUSE_HANDS * (won + max(bonus) + (1 + times) * unit))
    value = at.unqualified * ante + at.beaten * won - at.better * ((1 + times) * unit)
    return value + HOUSE_HANDS * np.array(bonus, dtype=np.int64)[at.rows], unit


def optimal(sheet: ThreeCardPoker, at: Positions) -> Plays:
    """Play where it is worth more than the ante a fold costs."""
    value, unit = play_values(sheet, at)
    plays: Plays = value > -HOUSE_HANDS * unit
    return plays


def queen_six_four(sheet: ThreeCardPoker, at: Positions) -> Plays:
    """Play queen-six-four or better: the rule that is published."""
    return at.strengths >= QUEEN_SIX_FOUR


def as_the_house(sheet: ThreeCardPoker, at: Positions) -> Plays:
    """Play what the house would qualify with."""
    return at.strengths >= sheet.least_to_qualify


def always(sheet: ThreeCardPoker, at: Positions) -> Plays:
    """Never fold."""
    return np.ones(len(at.weights), dtype=np.bool_)


STRATEGIES: dict[str, Callable[[ThreeCardPoker, Positions], Plays]] = {
    "optimal": optimal,
    "queen-six-four": queen_six_four,
    "as-the-house": as_the_house,
    "always-play": always,
}


def main_bet(sheet: ThreeCardPoker, at: Positions, strategy: str) -> Figure:
    """Count how every deal ends under a strategy: hands with an ante bonus apart from the rest."""
    plays = STRATEGIES[strategy](sheet, at)
    times = Fraction(sheet.play.times_ante)
    staked = 1 + times
    ends = {
        "not-qualified": (at.unqualified, sheet.ante.pays),
        "won": (at.beaten, sheet.ante.pays + times * sheet.play.pays),
        "tie": (at.tied, Fraction(0)),
        "lost": (at.better, -staked),
    }
    outcomes = [Outcome("folded", int(at.weights[~plays].sum()) * HOUSE_HANDS, Fraction(-1))]
    for end, (deals, net) in ends.items():
        by_hand = deals * at.weights * plays
        paid = [row for row in CATEGORIES if row in sheet.ante_bonus.pays]
        with_bonus = {row: int(by_hand[at.rows == CATEGORIES.index(row)].sum()) for row in paid}
        plain = int(by_hand.sum()) - sum(with_bonus.values())
        outcomes.append(Outcome(end, plain, net, staked))
        outcomes += [
            Outcome(f"{end}-{row}", count, net + sheet.ante_bonus.pays[row], staked)
            for row, count in with_bonus.items()
        ]
    return counted("main", strategy, DEALS, outcomes)


def pair_plus(sheet: ThreeCardPoker) -> Figure:
    """Count Pair Plus over every three cards; a pair or better is never folded (three.14)."""
    found = patterns(3)
    rows = strengths(cards_of(found.suits, 3)) >> CATEGORY_SHIFT
    outcomes = []
    for number, row in enumerate(CATEGORIES):
        deals = int(found.weights[rows == number].sum())
        outcomes.append(Outcome(row, deals, sheet.pair_plus.pays.get(row, Fraction(-1))))
    return counted("pair-plus", "none", HANDS, outcomes)


def prove(sheet: ThreeCardPoker, tell: Progress = no_progress) -> list[Figure]:
    """Return the figures of every bet: the main bet under the best play, then other strategies."""
    at = positions(sheet.least_to_qualify, tell)
    best, *others = (main_bet(sheet, at, strategy) for strategy in STRATEGIES)
    return [best, pair_plus(sheet), *others]
