"""The batch house way against the table's, set for set."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from games.test_house_way import CASES
from odds.pai_gow_oracle import laid
from tapisvert.cards import WITH_JOKER, Card, parse_hand
from tapisvert.games.pai_gow.house_way import house_way
from tapisvert.games.pai_gow.odds.deck import WAYS, Sets, deck_of, number_of, sets_of
from tapisvert.games.pai_gow.odds.hands import Settings, by_house_way
from tapisvert.games.pai_gow.odds.sets import LOW_BITS, LOW_MASK, low_strengths, order
from tapisvert.games.pai_gow.sheet import HouseWay
from tiers import few_or_many

WAYS_OF_THE_HOUSE = {
    "usual": HouseWay(),
    "other": HouseWay("9", "Q", "8", "9", "4", "5"),
}


def near_hands(source: random.Random) -> Iterator[list[Card]]:
    """Yield hands close to the rules: few ranks, few suits, consecutive ranks, the joker."""
    while True:
        ranks, suits = source.sample(range(13), source.randint(3, 6)), source.sample(range(4), 2)
        low = source.randrange(8)
        kinds = (
            [4 * rank + suit for rank in ranks for suit in range(4)],
            [4 * rank + suit for rank in range(13) for suit in suits],
            [4 * rank + suit for rank in (*range(low, low + 6), 12) for suit in range(4)],
        )
        cards = {*source.choice(kinds), *([52] if source.random() < 0.5 else [])}
        if len(cards) >= 7:
            yield source.sample(sorted(cards), 7)


def as_the_table_sets(hands: list[list[Card]], way: HouseWay) -> Settings:
    """Set hands in a batch, and compare each with the set of the table."""
    deck = deck_of(WITH_JOKER)
    rows = np.sort(np.array(hands, dtype=np.uint8), axis=1)
    found = by_house_way(deck, Sets(rows, np.ones(len(rows), dtype=np.int64)), way)
    for hand, mark in zip(hands, found.marks.tolist(), strict=True):
        low, high = low_strengths()[mark & LOW_MASK], order().strengths[mark >> LOW_BITS]
        assert (low, high) == laid(hand, house_way(hand, way)), hand
    return found


def test_the_rules_one_by_one() -> None:
    cases = [case.split("|") for case in CASES.strip().splitlines()]
    for rule, cards, _ in cases:
        found = as_the_table_sets([parse_hand(cards)], HouseWay())
        assert found.rules.tolist() == [int(rule.split()[0])], cards


@pytest.mark.parametrize("way", WAYS_OF_THE_HOUSE.values(), ids=WAYS_OF_THE_HOUSE)
@pytest.mark.parametrize("count", few_or_many(1_000, 4_000))
def test_hands_are_set_as_the_table_sets_them(way: HouseWay, count: int) -> None:
    source = random.Random(53)
    near = near_hands(source)
    hands = [source.sample(WITH_JOKER, 7) for _ in range(count)]
    as_the_table_sets(hands + [next(near) for _ in range(count)], way)


def test_sets_are_numbered_without_a_gap_and_stand_for_all() -> None:
    deck = deck_of(parse_hand("8c 8d 8h 8s 9c 9d 9h 9s Jk"))
    for size in range(6):
        rows = np.array(list(combinations(range(9), size)), dtype=np.uint8)
        numbers = {int(number_of(row, WAYS)) for row in rows}
        assert numbers == set(range(len(rows)))
        assert sets_of(deck, size).weights.sum() == len(rows)
