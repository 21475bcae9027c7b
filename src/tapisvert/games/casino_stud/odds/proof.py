"""Casino Stud, exactly: every player's hand, every up card, every hand of the house.

A position is the player's five cards and the house's up card. In each position, the 163,185
possible hands of the house fall into five classes, which determine the value of playing. Folding
costs the ante. Suits are interchangeable, so one player's hand of each suit pattern is counted with
its weight.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.odds.combinatorics import all_sets, must_fit
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.odds.suits import cards_of, patterns
from tapisvert.odds.weaker_hands import Ordered, below
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES

DEALS = comb(52, 5) * 47 * comb(46, 4)
_HOUSE_HANDS = comb(46, 4)

Plays = NDArray[np.bool_]  # by player's hand and up card: play or fold


class Positions(NamedTuple):
    """The classes of the house's hands in every position: a row per player's hand, a column per up
    card.

    In the columns of the player's own cards every count is 0.
    """

    hands: NDArray[np.uint8]
    weights: NDArray[np.int64]
    strengths: NDArray[np.int32]
    there: NDArray[np.bool_]  # the up card is not one of the player's
    unqualified: NDArray[np.int32]
    beaten: NDArray[np.int32]  # among those that qualify
    tied: NDArray[np.int32]
    better: NDArray[np.int32]


def positions(least_to_qualify: int, tell: Progress = no_progress) -> Positions:
    """Classify the house's hands in every position."""
    found = patterns(5)
    hands = np.sort(cards_of(found.suits, 5), axis=1)
    mine = strengths(hands)
    least = np.full_like(mine, least_to_qualify)
    there = np.ones((len(hands), 52), dtype=np.bool_)
    np.put_along_axis(there, hands.astype(np.intp), False, axis=1)
    limits = np.concatenate((least, np.maximum(mine, least), np.maximum(mine + 1, least)))
    weaker = below(_ordered(), np.tile(hands, (3, 1)), limits, tell).reshape(3, len(hands), 52)
    weaker *= there
    unqualified, beaten, not_better = weaker
    better = _HOUSE_HANDS * there - not_better
    return Positions(
        hands,
        found.weights,
        mine,
        there,
        unqualified,
        beaten - unqualified,
        not_better - beaten,
        better.astype(np.int32),
    )


@cache
def _ordered() -> Ordered:
    hands = all_sets(52, 5)
    found = strengths(hands)
    order = np.argsort(found, kind="stable")
    return Ordered(hands[order], found[order])


def play_values(sheet: CasinoStud, at: Positions) -> tuple[NDArray[np.int64], int]:
    """Return the net result of playing, summed over the house's hands, and its unit.

    The unit is the fraction of an ante in which every price is an integer.
    """
    unit = lcm(*(pays.denominator for pays in (sheet.ante.pays, *sheet.play.pays.values())))
    ante, times = int(sheet.ante.pays * unit), sheet.play.times_ante
    pays = [int(times * sheet.play.pays[row] * unit) for row in CATEGORIES]
    must_fit(_HOUSE_HANDS * (ante + max(pays) + (1 + times) * unit))
    won = ante + np.array(pays, dtype=np.int64)[at.strengths >> 20]
    value = at.unqualified * np.int64(ante) + at.beaten * won[:, None]
    return value - at.better * np.int64((1 + times) * unit), unit


def optimal(sheet: CasinoStud, at: Positions) -> Plays:
    """Play where the value exceeds that of a fold, minus one ante."""
    value, unit = play_values(sheet, at)
    plays: Plays = (value > -_HOUSE_HANDS * unit) & at.there
    return plays


def always(sheet: CasinoStud, at: Positions) -> Plays:
    """Never fold."""
    return at.there


def pair_or_better(sheet: CasinoStud, at: Positions) -> Plays:
    """Play a pair or better, fold everything else."""
    return (at.strengths >> 20 >= 1)[:, None] & at.there


def as_the_house(sheet: CasinoStud, at: Positions) -> Plays:
    """Play every hand the house would qualify with."""
    return (at.strengths >= sheet.least_to_qualify)[:, None] & at.there


STRATEGIES: dict[str, Callable[[CasinoStud, Positions], Plays]] = {
    "optimal": optimal,
    "as-the-house": as_the_house,
    "pair-or-better": pair_or_better,
    "always-play": always,
}


def main_bet(sheet: CasinoStud, at: Positions, strategy: str) -> Figure:
    """Count how every deal ends under a named strategy."""
    return played(sheet, at, strategy, STRATEGIES[strategy](sheet, at))


def played(sheet: CasinoStud, at: Positions, strategy: str, plays: Plays) -> Figure:
    """Count how every deal ends if these positions are played."""
    return priced(sheet, strategy, ends(at, plays))


def ends(at: Positions, plays: Plays) -> NDArray[np.int64]:
    """Count the deals that are folded, not qualified, tied, lost, and won by category."""

    def deals(kind: NDArray[np.int32]) -> NDArray[np.int64]:
        by_hand: NDArray[np.int64] = (kind * plays).sum(axis=1, dtype=np.int64)
        return by_hand * at.weights

    folded = ((at.there & ~plays).sum(axis=1) * at.weights).sum() * _HOUSE_HANDS
    others = [deals(kind).sum() for kind in (at.unqualified, at.tied, at.better)]
    won = np.zeros(len(CATEGORIES), dtype=np.int64)
    np.add.at(won, at.strengths >> 20, deals(at.beaten))
    return np.array([folded, *others, *won], dtype=np.int64)


def priced(sheet: CasinoStud, strategy: str, deals: NDArray[np.int64]) -> Figure:
    """Return the figure of counted deals, in the order of `ends`, at the prices of a sheet."""
    times = Fraction(sheet.play.times_ante)
    staked = 1 + times
    folded, unqualified, tied, lost, *won = deals.tolist()
    outcomes = [
        Outcome("folded", folded, Fraction(-1)),
        Outcome("not-qualified", unqualified, sheet.ante.pays, staked),
        Outcome("tie", tied, Fraction(0), staked),
        Outcome("lost", lost, -staked, staked),
    ]
    for row, here in zip(CATEGORIES, won, strict=True):
        net = sheet.ante.pays + times * sheet.play.pays[row]
        outcomes.append(Outcome(f"won-{row}", here, net, staked))
    return counted("main", strategy, DEALS, outcomes)


def bonus(sheet: CasinoStud) -> Figure:
    """Count the 5+1 bonus over every six cards: the player's five and the house's up card."""
    outcomes = [
        Outcome(row, deals, sheet.bonus.pays.get(row, Fraction(-1)))
        for row, deals in zip(CATEGORIES, _six_cards(), strict=True)
    ]
    return counted("bonus", "none", comb(52, 6), outcomes)


@cache
def _six_cards() -> tuple[int, ...]:
    """Count all six cards by the category of their best five."""
    found = patterns(6)
    rows = strengths(cards_of(found.suits, 6)) >> 20
    by_row = np.bincount(rows, weights=found.weights, minlength=len(CATEGORIES))
    return tuple(by_row.astype(np.int64).tolist())


def prove(sheet: CasinoStud, tell: Progress = no_progress) -> list[Figure]:
    """Return the figures of every bet: the main bet under the best play, then simple strategies."""
    at = positions(sheet.least_to_qualify, tell)
    best, *habits = (main_bet(sheet, at, strategy) for strategy in STRATEGIES)
    return [best, bonus(sheet), *habits]
