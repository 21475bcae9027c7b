"""A complete strategy for one hand facing one up card, and the count of its results."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.count import (
    Tally,
    Weights,
    blank_tally,
    count_lone,
    count_split,
    weigh,
)
from tapisvert.games.blackjack.odds.hands import (
    ACES,
    LONE,
    VALUES,
    Counts,
    hand_numbers,
    hands,
    unpack,
)
from tapisvert.games.blackjack.odds.play import (
    HIT,
    SPLIT,
    STAND,
    Felt,
    Play,
    blank_play,
)
from tapisvert.games.blackjack.odds.rules import Rules
from tapisvert.games.blackjack.odds.up_card import (
    BLACKJACK,
    Facing,
    Two,
    best_of,
    deals,
    hand_of,
    insures,
    options_of,
)

Habit = Callable[[Counts, bool], int]  # (hand, whether it is half of a split) -> the choice
Insures = Callable[[Rules, int, Two], bool]


class Strategy(NamedTuple):
    """The play of every hand facing one up card."""

    up: int
    start: dict[Two, tuple[int, float]]  # the choice on two cards, and its margin
    lone: Play
    first: tuple[Play, ...]  # of halves, by the value of the two cards split
    second: tuple[Play, ...]
    adapts: bool  # the second half is solved again after each first half
    insures: Insures


class Plays(NamedTuple):
    """The play of every hand by a habit: of unsplit hands, and of halves by the value split."""

    lone: Play
    halves: tuple[Play, ...]


class Counted(NamedTuple):
    """The tallies of one up card: hands without insurance, and hands with it."""

    plain: Tally
    insured: Tally

    @property
    def closest(self) -> float:
        """The smallest margin of any choice made."""
        return float(min(tally.closest[0] for tally in self))


def best_strategy(rules: Rules, facing: Facing) -> Strategy:
    """Return the best strategy from the best play facing one up card."""
    return Strategy(
        up=facing.up,
        start={two: best_of(options_of(facing, two)) for two, _ in deals(rules, facing.up)},
        lone=facing.lone,
        first=tuple(split.first for split in facing.splits),
        second=tuple(blank_play(hands(card).live) for card in range(VALUES)),
        adapts=True,
        insures=insures,
    )


def plays_by(habit: Habit) -> Plays:
    """Return the play of every hand by a habit."""
    halves = tuple(_by_habit(card, habit) for card in range(VALUES))
    return Plays(_by_habit(LONE, habit), halves)


def habitual(rules: Rules, up: int, habit: Habit, plays: Plays | None = None) -> Strategy:
    """Return a simple strategy that depends on the hand and the up card only, without insurance.

    `plays` are those of the habit, if they are known already.
    """
    lone, halves = plays or plays_by(habit)
    start = {two: (habit(hand_of(two), False), np.inf) for two, _ in deals(rules, up)}
    return Strategy(up, start, lone, halves, halves, False, never_insures)


def never_insures(rules: Rules, up: int, two: Two) -> bool:
    """Decline insurance and even money."""
    return False


def count(
    rules: Rules,
    strategy: Strategy,
    felt: Felt,
    ends: NDArray[np.float64],
    weights: Weights | None = None,
) -> Counted:
    """Count every result of a strategy facing one up card.

    `weights` are those of the up card, if they are known already.
    """
    if weights is None:
        weights = weigh(rules.deck, strategy.up, felt, ends)
    counted = Counted(blank_tally(), blank_tally())
    for two, orders in deals(rules, strategy.up):
        if two == BLACKJACK:
            continue
        tally = counted[strategy.insures(rules, strategy.up, two)]
        choice, margin = strategy.start[two]
        tally.closest[0] = min(tally.closest[0], margin)
        if choice == SPLIT:
            card = two[0]
            halves = strategy.first[card], strategy.second[card]
            doubling, one_card = rules.doubling_halves, card == ACES
            count_split(
                hands(card), felt, *halves, doubling, one_card, strategy.adapts, weights, tally
            )
        else:
            number = hand_numbers(LONE)[hand_of(two)]
            count_lone(hands(LONE), number, orders, felt, strategy.lone, weights, tally)
    return counted


def _by_habit(start: int, habit: Habit) -> Play:
    every = hands(start)
    play = blank_play(every.live)
    play.choice[:] = [
        # A half must draw its card.
        HIT if size == 1 else STAND if hard == 21 else habit(hand, start != LONE)
        for hand, size, hard in _live_hands(start)
    ]
    return play


@cache
def _live_hands(start: int) -> list[tuple[Counts, int, int]]:
    """Return the hands that may draw, each with its size and its points."""
    every = hands(start)
    columns = (each[: every.live].tolist() for each in (every.packed, every.size, every.hard))
    return [(unpack(packed), size, hard) for packed, size, hard in zip(*columns, strict=True)]
