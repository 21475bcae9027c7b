"""Pairs of hands counted in three ways, and which hands contain a set of cards."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from odds.renaming import sheet_of
from tapisvert.cards import parse_hand
from tapisvert.games.pai_gow.odds.deck import WAYS, deck_of, gather, number_of
from tapisvert.games.pai_gow.odds.hands import house_of
from tapisvert.games.pai_gow.odds.pairs import by_comparing, by_order, by_tally, count_deals
from tapisvert.games.pai_gow.odds.sets import LOW_BITS, LOW_MASK, LOWS
from tapisvert.games.pai_gow.sheet import PaiGow


@pytest.mark.parametrize("seed", range(5))
def test_three_ways_to_count_pairs_agree(seed: int) -> None:
    source = np.random.default_rng(seed)
    highs, hands = int(source.integers(2, 40)), int(source.integers(1, 300))
    mine, theirs = (
        (source.integers(0, highs, hands) << LOW_BITS | source.integers(0, LOWS, hands)).astype(
            np.uint32
        )
        for _ in range(2)
    )
    eligible = source.random(LOWS) < 0.8
    found = np.zeros((3, 4), dtype=np.int64)
    by_comparing(mine, theirs, eligible, found[0])
    ordered, starts = np.empty((2, hands), np.uint8), np.empty((2, highs + 2), np.int64)
    by_order(mine, theirs, eligible, ordered, starts, found[1])
    tallies = np.zeros((2, highs, LOWS), np.int32)
    by_tally(mine, theirs, eligible, tallies, found[2])
    assert (found == found[0]).all()
    assert not tallies.any()


@pytest.mark.parametrize("held", [(3,), (0, 1), (0, 5, 9), (2, 3, 4, 10), (0, 4, 5, 9, 10), ()])
def test_the_hands_that_contain_a_set_are_found_by_adding(held: tuple[int, ...]) -> None:
    cards = 11
    table = np.arange(comb(cards, 7), dtype=np.uint32)
    found = np.empty(comb(cards - len(held), 7 - len(held)), dtype=np.uint32)
    gather(table, np.array(held, dtype=np.uint8), cards, WAYS, found)
    hands = [each for each in combinations(range(cards), 7) if {*held} <= {*each}]
    numbers = [int(number_of(np.array(each, dtype=np.uint8), WAYS)) for each in hands]
    assert sorted(found.tolist()) == sorted(numbers)


def test_a_player_who_sets_as_the_house_does_is_as_often_better_as_worse() -> None:
    house = house_of(
        sheet_of(PaiGow), deck_of(parse_hand("As Ks 9s 8s 7s 6s Kd 9d 9c 8h 6h 5c 2d Jk"))
    )
    house = house._replace(eligible=np.ones(LOWS, dtype=np.bool_))
    deals = count_deals(house, house.marks)
    # With both orders turned round, wins are the deals in which the house was strictly better.
    highs, lows = house.marks >> LOW_BITS, house.marks & LOW_MASK
    turned = ((highs.max() - highs) << LOW_BITS | (LOWS - 1 - lows)).astype(np.uint32)
    assert count_deals(house._replace(marks=turned), turned) == deals
    assert deals.win > 0
    assert sum(deals) == house.deck.deals
