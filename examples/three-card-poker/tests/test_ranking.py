"""The order of three-card hands, against counts of the textbook and a ranking written again."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from tapisvert.cards import STANDARD, parse_hand
from tapisvert.odds.combinatorics import all_sets

from oracle import rank_hand
from three_card_poker.odds.ranking_batch import strengths
from three_card_poker.ranking import CATEGORIES, category, strength, telling_ranks
from three_card_poker.script import hand_name

# Every three cards of the 52, by kind: textbook figures, typed out.
COUNTS = {
    "straight-flush": 48,
    "three-of-a-kind": 52,
    "straight": 720,
    "flush": 1_096,
    "pair": 3_744,
    "high-card": 16_440,
}
ORDERED = (  # strongest first
    *("Ah Kh Qh", "4h 3h 2h", "3h 2h Ah", "As Ah Ad", "2s 2h 2d", "As Kh Qd", "4s 3h 2d"),
    *("3s 2h Ad", "As Ks Js", "5s 3s 2s", "As Ah Kd", "2s 2h Ad", "2s 2h 3d", "As Kh Jd"),
    *("As Kh Td", "Qs 6h 4d", "Qs 6h 3d", "Qs 5h 4d", "Qs 3h 2d", "Js Th 8d", "5s 3h 2d"),
)


def test_three_16_every_hand_is_of_its_kind_as_often_as_the_textbook_says() -> None:
    assert sum(COUNTS.values()) == 22_100
    found = Counter(category(strength(hand)) for hand in combinations(STANDARD, 3))
    assert found == COUNTS
    rarest_first = sorted(COUNTS, key=lambda kind: COUNTS[kind])
    assert tuple(reversed(rarest_first)) == CATEGORIES


def test_three_16_hands_in_the_order_of_the_rules() -> None:
    values = [strength(parse_hand(hand)) for hand in ORDERED]
    assert all(better > worse for better, worse in pairwise(values))


def test_three_16_the_ace_is_low_in_a_2_3_only() -> None:
    assert category(strength(parse_hand("Ks Ah 2d"))) == "high-card"
    assert category(strength(parse_hand("As Ks 2s"))) == "flush"
    assert telling_ranks(strength(parse_hand("As 2h 3d"))) == "3"


def test_three_16_two_rankings_agree_on_every_pair_of_hands() -> None:
    hands = list(combinations(STANDARD, 3))
    ours, theirs = [strength(hand) for hand in hands], [rank_hand(hand) for hand in hands]
    assert dict(zip(ours, theirs, strict=True)).keys() == set(ours)
    by_ours = [rank for _, rank in sorted(set(zip(ours, theirs, strict=True)))]
    assert by_ours == sorted(set(theirs))
    assert len(set(ours)) == len(set(theirs)) == len(by_ours)


def test_three_16_suits_and_the_order_of_cards_never_matter() -> None:
    chance = random.Random(16)
    for _ in range(500):
        hand = chance.sample(STANDARD, 3)
        names = chance.sample(range(4), 4)
        renamed = [card & ~3 | names[card & 3] for card in chance.sample(hand, 3)]
        assert strength(renamed) == strength(hand)


def test_the_batch_ranking_is_the_scalar_one_for_every_hand_in_any_order() -> None:
    hands = all_sets(52, 3)
    expected = [strength(hand) for hand in hands.tolist()]
    for columns in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        assert strengths(np.ascontiguousarray(hands[:, columns])).tolist() == expected


@pytest.mark.parametrize("shape", [(2, 5), (3,)])
def test_the_batch_ranking_refuses_other_shapes(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="rows of 3 cards"):
        strengths(np.zeros(shape, dtype=np.uint8))


@pytest.mark.parametrize(
    ("cards", "kind", "ranks"),
    [
        ("Js Ts 9s", "straight-flush", "J"),
        ("7s 7d 7c", "three-of-a-kind", "7"),
        ("2c 3s Ad", "straight", "3"),
        ("4s 7s Js", "flush", "J74"),
        ("4c 7d 7s", "pair", "74"),
        ("4c 6d Qs", "high-card", "Q64"),
    ],
)
def test_three_16_a_hand_is_named_by_its_kind_and_ranks(cards: str, kind: str, ranks: str) -> None:
    name = hand_name(parse_hand(cards))
    assert (name.category, name.ranks, name.cards) == (kind, ranks, tuple(cards.split()))
