"""Pairs of hands counted in three ways, and which hands contain a set of cards."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from odds.renaming import sheet_of
from tapisvert.cards import parse_hand
from tapisvert.games.pai_gow.odds.deck import WAYS, deck_of, gather, number_of
from tapisvert.games.pai_gow.odds.hands import HABITS, by_habit, house_of
from tapisvert.games.pai_gow.odds.optimal_sets import choose, scales
from tapisvert.games.pai_gow.odds.pairs import (
    by_adding,
    by_comparing,
    combinations_of,
    count_deals,
    make_room,
)
from tapisvert.games.pai_gow.odds.sets import LOW_BITS, LOW_MASK, LOWS
from tapisvert.games.pai_gow.sheet import PaiGow


@pytest.mark.parametrize("seed", range(5))
def test_three_ways_to_count_pairs_agree(seed: int) -> None:
    source = np.random.default_rng(seed)
    highs, different = int(source.integers(2, 40)), int(source.integers(1, 300))
    drawn = source.integers(0, highs, (different, 4)) << LOW_BITS
    marks = (drawn | source.integers(0, LOWS, (different, 4))).astype(np.uint32)
    held = source.integers(0, different, int(source.integers(1, 400))).astype(np.uint32)
    eligible = source.random(LOWS) < 0.8
    room = make_room(0, different, highs)
    room.counts[:] = np.bincount(held, minlength=different)
    present = np.flatnonzero(room.counts).astype(np.uint32)
    added = by_adding(marks, present, eligible, room)
    assert not room.counts.any()
    high, low = (marks >> LOW_BITS)[held], (marks & LOW_MASK)[held]
    facing = eligible[low[:, 0]]
    for player in range(3):
        higher = high[:, None, player + 1] > high[None, facing, 0]
        lower = low[:, None, player + 1] > low[None, facing, 0]
        plain = [(higher & lower).sum(), lower.sum(), higher.sum(), lower.size]
        assert added[player].tolist() == plain
    assert (by_comparing(marks, held, eligible) == added).all()


def test_hands_of_the_same_marks_are_one_combination() -> None:
    source = np.random.default_rng(3)
    house, one, other = source.integers(0, 3, (3, 200)).astype(np.uint32)
    found = combinations_of(house, [one, house, other])
    every = list(zip(*(each.tolist() for each in (house, one, house, other)), strict=True))
    assert [tuple(row) for row in found.marks[found.numbers].tolist()] == every
    assert len(found.marks) == len(set(every)) == 27


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
    marks = house.usual.marks
    (deals,) = count_deals(house, [marks])
    # With both orders turned round, wins are the deals in which the house was strictly better.
    highs, lows = marks >> LOW_BITS, marks & LOW_MASK
    turned = ((highs.max() - highs) << LOW_BITS | (LOWS - 1 - lows)).astype(np.uint32)
    around = house._replace(usual=house.usual._replace(marks=turned))
    assert count_deals(around, [turned]) == [deals]
    assert deals.win > 0
    assert sum(deals) == house.deck.deals


@pytest.mark.parametrize("habit", [None, *HABITS])
def test_the_best_sets_gain_what_the_counts_of_all_deals_differ_by(habit: str | None) -> None:
    """Against a house that plays by its way, or by a habit instead: two counts apart."""
    sheet = sheet_of(PaiGow)
    house = house_of(sheet, deck_of(parse_hand("As Ks 9s 8s 7s 6s Ah Kd 9d 9c 8h 6h 5c 2d Jk")))
    if habit:
        house = house._replace(usual=by_habit(house.deck, house.hands, habit))
    mine = house.usual.marks
    found = choose(scales(house, sheet.house_way), house.hands.rows, mine, of_house=mine)
    best, usual = count_deals(house, [found.marks, mine])
    gained = int((house.hands.weights * found.gains).sum())
    assert gained == (best.win - best.loss) - (usual.win - usual.loss) > 0
