"""A strategy for one hand facing one up card, whole: and the count of how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.count import Tally, blank_tally, count_lone, count_split, weigh
from tapisvert.games.blackjack.odds.hands import (
    ACES,
    LONE,
    VALUES,
    Counts,
    hand_numbers,
    hands,
    points,
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

Habit = Callable[[Counts, bool], int]  # a hand, and whether it is half of a split -> the choice
Insures = Callable[[Rules, int, Two], bool]


class Strategy(NamedTuple):
    """How every hand is played facing one up card."""

    up: int
    start: dict[Two, tuple[int, float]]  # the choice on two cards, and what it is better by
    lone: Play
    first: tuple[Play, ...]  # halves, by the value of the two cards that were split
    second: tuple[Play, ...]
    adapts: bool  # the second half is played for the best after whatever the first one took
    insures: Insures


class Counted(NamedTuple):
    """What one up card gives: a tally of hands not insured, and one of those that are."""

    plain: Tally
    insured: Tally

    @property
    def closest(self) -> float:
        """The least any choice made was better by than the next."""
        return float(min(tally.closest[0] for tally in self))


def best_strategy(rules: Rules, facing: Facing) -> Strategy:
    """Return the best strategy, as it was found facing one up card."""
    return Strategy(
        up=facing.up,
        start={two: best_of(options_of(facing, two)) for two, _ in deals(rules, facing.up)},
        lone=facing.lone,
        first=tuple(split.first for split in facing.splits),
        second=tuple(blank_play(hands(card).live) for card in range(VALUES)),
        adapts=True,
        insures=insures,
    )


def habitual(rules: Rules, up: int, habit: Habit) -> Strategy:
    """Return the strategy of a habit that looks at the hand and the up card only, never insured."""
    halves = tuple(_by_habit(card, habit) for card in range(VALUES))
    start = {two: (habit(hand_of(two), False), np.inf) for two, _ in deals(rules, up)}
    return Strategy(up, start, _by_habit(LONE, habit), halves, halves, False, never_insures)


def never_insures(rules: Rules, up: int, two: Two) -> bool:
    """Decline insurance and even money."""
    return False


def count(rules: Rules, strategy: Strategy, felt: Felt, ends: NDArray[np.float64]) -> Counted:
    """Count every end of a strategy facing one up card."""
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
    for number in range(every.live):
        hand = unpack(int(every.packed[number]))
        if sum(hand) == 1:
            play.choice[number] = HIT  # a half must get its card
        else:
            stands = points(hand) == 21
            play.choice[number] = STAND if stands else habit(hand, start != LONE)
    return play
