"""High Card Flush, exactly: every player's hand against every hand of the house.

Suits are interchangeable, so one player's hand of each suit pattern is counted with its weight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.high_card_flush.odds.weaker_hands import (
    FULL_DECK,
    HAND,
    SETS,
    flush_sizes,
    flush_values,
    house_classes,
)
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.combinatorics import must_fit
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.mathematics import SharedCount
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.odds.suits import Patterns, patterns
from tapisvert.ranking.flush import run_of_suit

DEALS = comb(52, HAND) * comb(45, HAND)
HOUSE_HANDS = comb(45, HAND)

Raises = NDArray[np.int8]  # by player's hand: antes raised, 0 for a fold


class Positions(NamedTuple):
    """The classes of the house's hands against every player's hand."""

    suits: NDArray[np.int16]
    weights: NDArray[np.int64]
    flushes: NDArray[np.int16]  # the ranks of the player's flush
    lengths: NDArray[np.int8]
    qualified: NDArray[np.bool_]  # whether the player's own flush would qualify
    unqualified: NDArray[np.int32]
    beaten: NDArray[np.int32]  # among those that qualify
    tied: NDArray[np.int32]
    better: NDArray[np.int32]


def positions(
    sheet: HighCardFlush,
    tell: Progress = no_progress,
    hands: Patterns | None = None,
    deck: Sequence[int] = FULL_DECK,
) -> Positions:
    """Classify the house's hands against every player's hand, or these hands, in this deck."""
    found = patterns(HAND) if hands is None else hands
    house_hands = comb(sum(ranks.bit_count() for ranks in deck) - HAND, HAND)
    flushes, unqualified, weaker, not_better = house_classes(
        found.suits, sheet.least_to_qualify, deck, tell
    )
    qualified = flush_values()[flushes] >= sheet.least_to_qualify
    beaten = np.where(qualified, weaker - unqualified, 0).astype(np.int32)
    tied = np.where(qualified, not_better - weaker, 0).astype(np.int32)
    return Positions(
        found.suits,
        found.weights,
        flushes,
        flush_sizes()[flushes].astype(np.int8),
        qualified,
        unqualified,
        beaten,
        tied,
        house_hands - unqualified - beaten - tied,
    )


def raise_values(sheet: HighCardFlush, at: Positions, times: int) -> tuple[NDArray[np.int64], int]:
    """Return the net result of a raise, summed over the house's hands, and its unit."""
    unit = lcm(sheet.ante.pays.denominator, sheet.raises.pays.denominator)
    ante, won = (
        int(sheet.ante.pays * unit),
        int((sheet.ante.pays + times * sheet.raises.pays) * unit),
    )
    must_fit(HOUSE_HANDS * (won + (1 + times) * unit))
    value = at.unqualified * np.int64(ante) + at.beaten * np.int64(won)
    return value - at.better * np.int64((1 + times) * unit), unit


def most_times(sheet: HighCardFlush, at: Positions) -> NDArray[np.int8]:
    """Return the largest allowed raise of each hand."""
    most = sheet.raises.most_times
    return np.array([most.get(f"flush-{n}", 0) for n in range(HAND + 1)], np.int8)[at.lengths]


def optimal(sheet: HighCardFlush, at: Positions) -> Raises:
    """Choose the raise or fold of the highest value; of equal ones, the smaller."""
    allowed = most_times(sheet, at)
    chosen = np.zeros(len(at.weights), dtype=np.int8)
    _, unit = raise_values(sheet, at, 1)
    best = np.full(len(chosen), -HOUSE_HANDS * unit, dtype=np.int64)
    for times in range(1, int(allowed.max()) + 1):
        value, _ = raise_values(sheet, at, times)
        better = (value > best) & (allowed >= times)
        chosen[better], best[better] = times, value[better]
    return chosen


def always(sheet: HighCardFlush, at: Positions) -> Raises:
    """Raise every hand, as much as allowed."""
    return most_times(sheet, at)


def as_the_house(sheet: HighCardFlush, at: Positions) -> Raises:
    """Raise the hands the house would qualify with, by one ante; fold the rest."""
    return at.qualified.astype(np.int8)


def at_least(ranks: str) -> Callable[[HighCardFlush, Positions], Raises]:
    """Raise by one from this three-card flush up, and as much as allowed from five cards."""
    limit = sum(1 << "23456789TJQKA".index(rank) for rank in ranks)

    def rule(sheet: HighCardFlush, at: Positions) -> Raises:
        plays = (at.lengths > 3) | ((at.lengths == 3) & (at.flushes >= limit))
        many = np.where(at.lengths >= 5, most_times(sheet, at), np.int8(1))
        return np.where(plays, many, np.int8(0)).astype(np.int8)

    return rule


STRATEGIES: dict[str, Callable[[HighCardFlush, Positions], Raises]] = {
    "optimal": optimal,
    "raise-from-T-8-6": at_least("T86"),
    "as-the-house": as_the_house,
    "always-raise-most": always,
}


def main_bet(sheet: HighCardFlush, at: Positions, strategy: str) -> Figure:
    """Count how every deal ends under a named strategy."""
    return played(sheet, at, strategy, STRATEGIES[strategy](sheet, at))


def played(sheet: HighCardFlush, at: Positions, strategy: str, chosen: Raises) -> Figure:
    """Count how every deal ends with these raises."""
    folded = int(at.weights[chosen == 0].sum()) * HOUSE_HANDS
    outcomes = [Outcome("folded", folded, Fraction(-1))]
    for times in range(1, int(chosen.max()) + 1):
        rows = chosen == times
        weights, staked = at.weights[rows], Fraction(1 + times)
        for name, kind, net in (
            ("not-qualified", at.unqualified, sheet.ante.pays),
            ("won", at.beaten, sheet.ante.pays + times * sheet.raises.pays),
            ("tie", at.tied, Fraction(0)),
            ("lost", at.better, -staked),
        ):
            deals = int((kind[rows] * weights).sum())
            outcomes.append(Outcome(f"raise-{times}-{name}", deals, net, staked))
    return counted("main", strategy, DEALS, outcomes)


def side_bets(sheet: HighCardFlush, at: Positions) -> list[Figure]:
    """Count Flush Rush and Super Flush Rush over every seven cards."""
    runs = np.array([run_of_suit(ranks) for ranks in range(SETS)], dtype=np.int8)[at.suits]
    found = []
    for bet, lengths, pays in (
        ("flush", at.lengths, sheet.flush.pays),
        ("straight-flush", runs.max(axis=1), sheet.straight_flush.pays),
    ):
        by_length = np.bincount(lengths, weights=at.weights, minlength=HAND + 1).astype(np.int64)
        outcomes = [
            Outcome(f"{bet}-{n}", int(by_length[n]), pays.get(f"{bet}-{n}", Fraction(-1)))
            for n in range(1, HAND + 1)
            if by_length[n]
        ]
        found.append(counted(bet, "none", comb(52, HAND), outcomes))
    return found


def prove(sheet: HighCardFlush, tell: Progress = no_progress) -> list[Figure]:
    """Return the figures of every bet: the main bet under the best play, then simple strategies."""
    return figures(positions(sheet, tell), sheet)


def figures(at: Positions, sheet: HighCardFlush) -> list[Figure]:
    """Return the figures of a sheet from the positions of its qualifying hand."""
    best, *habits = (main_bet(sheet, at, strategy) for strategy in STRATEGIES)
    return [best, *side_bets(sheet, at), *habits]


SHARED_COUNT = SharedCount(lambda sheet: str(sheet.least_to_qualify), positions, figures)
