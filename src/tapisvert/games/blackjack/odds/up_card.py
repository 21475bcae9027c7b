"""The best play facing one up card, for every two cards that can be dealt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tapisvert.games.blackjack.odds.dealer_outcomes import barred
from tapisvert.games.blackjack.odds.hands import (
    ACES,
    LONE,
    NO_CARDS,
    TENS,
    VALUES,
    Counts,
    hand_numbers,
    hands,
    with_card,
)
from tapisvert.games.blackjack.odds.play import (
    DOUBLE,
    HIT,
    NOWHERE,
    SPLIT,
    STAND,
    Beside,
    Felt,
    Play,
    blank_play,
    play_hands,
)
from tapisvert.games.blackjack.odds.rules import Rules
from tapisvert.games.blackjack.odds.split import Split, split

NOTHING_BESIDE = Beside(0, 0, 0, 0)
NO_HALF_LATER = np.empty(0)
Two = tuple[int, int]  # two cards as dealt, the lower value first
BLACKJACK: Two = (ACES, TENS)


class Facing(NamedTuple):
    """The best play facing one up card."""

    up: int
    lone: Play
    splits: tuple[Split, ...]  # by value of the two cards


def face(rules: Rules, up: int, felt: Felt) -> Facing:
    """Find the best play of every hand facing this up card."""
    every = hands(LONE)
    lone = blank_play(every.live)
    play_hands(every, NOTHING_BESIDE, felt, NO_HALF_LATER, rules.doubling, False, lone)
    return Facing(
        up, lone, tuple(split(card, felt, rules.doubling_halves) for card in range(VALUES))
    )


def deals(rules: Rules, up: int) -> Iterator[tuple[Two, int]]:
    """Yield every two cards that can be dealt beside this up card, with their number of orders."""
    left = with_card(rules.deck, up, -1)
    for low in range(VALUES):
        for high in range(low, VALUES):
            if left[low] > (low == high) and left[high]:
                yield (low, high), 1 + (low != high)


def hand_of(two: Two) -> Counts:
    """Return two cards as counts."""
    return with_card(with_card(NO_CARDS, two[0]), two[1])


def options_of(facing: Facing, two: Two) -> dict[int, float]:
    """Return the value of each option on two cards; the house has no blackjack."""
    found = facing.lone.options[hand_numbers(LONE)[hand_of(two)]]
    offered = {choice: float(found[choice]) for choice in (STAND, HIT, DOUBLE)}
    if two[0] == two[1]:
        offered[SPLIT] = facing.splits[two[0]].value
    return {choice: value for choice, value in offered.items() if value > NOWHERE}


def best_of(options: dict[int, float]) -> tuple[int, float]:
    """Return the best choice and its margin over the next."""
    best = max(options, key=lambda choice: options[choice])
    others = [value for choice, value in options.items() if choice != best]
    return best, options[best] - max(others, default=-np.inf)


def house_blackjacks(rules: Rules, up: int, two: Two) -> tuple[int, int]:
    """Return how many unseen cards make the house's blackjack, and how many there are."""
    left = with_card(rules.deck, up, -1)
    for card in two:
        left = with_card(left, card, -1)
    return (left[barred(up)] if barred(up) in (ACES, TENS) else 0), sum(left)


def insures(rules: Rules, up: int, two: Two) -> bool:
    """Tell whether insurance, or even money for a blackjack, is worth taking (bj.6)."""
    if up != ACES:
        return False
    tens, unseen = house_blackjacks(rules, up, two)
    if two == BLACKJACK:
        return rules.even_money_pays * unseen > rules.blackjack_pays * (unseen - tens)
    return rules.insurance_pays * tens > unseen - tens
