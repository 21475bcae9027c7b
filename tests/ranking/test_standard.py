"""The scalar order, against the rules of poker, a naive evaluator and eval7."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odds.oracle_stud import by_eval7
from ranking.naive import CATEGORY_NAMES, naive_rank, random_hands
from ranking.naive_joker import every_hand, rise_together
from tapisvert.cards import RANKS, STANDARD, SUITS, parse, parse_hand, rank, suit
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES, best_five, category, strength, telling_ranks
from tiers import few_or_many

each_sample = pytest.mark.parametrize("count", few_or_many(4_000, 20_000))
# No deadline: a busy machine is not a wrong answer.
many = settings(max_examples=200, deadline=None)

# The lowest and the highest hand of each category, weakest first; ranks only, suits by `deal`.
LADDER = (
    ("high-card", "75432", "AKQJ9"),
    ("pair", "22543", "AAKQJ"),
    ("two-pair", "33224", "AAKKQ"),
    ("three-of-a-kind", "22243", "AAAKQ"),
    ("straight", "5432A", "AKQJT"),
    ("flush", "75432", "AKQJ9"),
    ("full-house", "22233", "AAAKK"),
    ("four-of-a-kind", "22223", "AAAAK"),
    ("straight-flush", "5432A", "KQJT9"),
    ("royal-flush", "AKQJT", "AKQJT"),
)

# For each rank that tells two hands of a category apart, a winner and a loser that are equal up to
# that rank; where it can, the loser is the better hand in everything that comes after.
DECIDED = (
    ("high-card", 0, "A7432", "KQJT8"),
    ("high-card", 1, "A9432", "A8765"),
    ("high-card", 2, "AK732", "AK654"),
    ("high-card", 3, "AKQ52", "AKQ43"),
    ("high-card", 4, "AKQJ3", "AKQJ2"),
    ("pair", 0, "33542", "22AKQ"),
    ("pair", 1, "22A43", "22KQJ"),
    ("pair", 2, "22A63", "22A54"),
    ("pair", 3, "22AK4", "22AK3"),
    ("two-pair", 0, "44223", "3322A"),
    ("two-pair", 1, "AA332", "AA22K"),
    ("two-pair", 2, "AAKK3", "AAKK2"),
    ("three-of-a-kind", 0, "33342", "222AK"),
    ("three-of-a-kind", 1, "222A3", "222KQ"),
    ("three-of-a-kind", 2, "222A4", "222A3"),
    ("straight", 0, "65432", "5432A"),
    ("straight", 0, "AKQJT", "KQJT9"),
    ("flush", 0, "A7432", "KQJT8"),
    ("flush", 1, "A9432", "A8765"),
    ("flush", 2, "AK732", "AK654"),
    ("flush", 3, "AKQ52", "AKQ43"),
    ("flush", 4, "AKQJ3", "AKQJ2"),
    ("full-house", 0, "33322", "222AA"),
    ("full-house", 1, "22244", "22233"),
    ("four-of-a-kind", 0, "33332", "2222A"),
    ("four-of-a-kind", 1, "22224", "22223"),
    ("straight-flush", 0, "65432", "5432A"),
)

# Hands of six and seven cards in which a hasty reading goes wrong.
LARGER_HANDS = (
    ("Ac Ad Kh Ks Qc Qd", "two-pair", "AKQ"),  # the third pair gives the kicker
    ("Ac Ad Kh Ks Qc Qd Js", "two-pair", "AKQ"),
    ("5c 5d 3h 3s 2c 2d As", "two-pair", "53A"),  # ... unless a single card is higher
    ("9c 9d 9h 4s 4c 4d", "full-house", "94"),  # two threes of a kind are a full house
    ("4c 4d 4h 9s 9c 9d As", "full-house", "94"),
    ("2c 2d 2h Ks Kc Ad As", "full-house", "2A"),  # the better of two pairs
    ("7c 7d 7h 7s Kc Kd Kh", "four-of-a-kind", "7K"),
    ("7c 7d 7h 7s 2c 2d As", "four-of-a-kind", "7A"),  # one ace outranks two deuces as kicker
    ("Ac 2d 3h 4s 5c 6d", "straight", "6"),  # the ace is not needed below
    ("Ac 2d 3h 4s 5c Kd Qs", "straight", "5"),
    ("3c 4d 5h 6s 7c 8d 9s", "straight", "9"),
    ("5c 5d 5h 6s 7c 8d 9s", "straight", "9"),  # a straight beats three of a kind
    ("Qc Kd Ah 2s 3c", "high-card", "AKQ32"),  # the ace is never in the middle
    ("Jc Qd Kh As 2c 3d 4s", "high-card", "AKQJ4"),
    ("2h 4h 6h 8h Th Qh Ah", "flush", "AQT86"),  # the best five of seven hearts
    ("5h 6h 7h 8h Kh 9c Td", "flush", "K8765"),  # a straight and a flush, apart
    ("2h 4h 6h 8h Th Tc Td", "flush", "T8642"),  # a flush beats three of a kind
    ("5h 6h 7h 8h 9h Tc Jd", "straight-flush", "9"),  # though a jack-high straight is there
    ("Ah 2h 3h 4h 5h Kh Qh", "straight-flush", "5"),  # though an ace-high flush is there
    ("Ah 2h 3h 4h 5h 6c 6d", "straight-flush", "5"),
    ("9h Th Jh Qh Kh Ac Ad", "straight-flush", "K"),  # the ace of another suit makes no royal
    ("9h Th Jh Qh Kh Ah 8h", "royal-flush", ""),
    ("Ts Js Qs Ks As Ac Ad", "royal-flush", ""),
)


def deal(name: str, ranks: str) -> list[int]:
    """Give suits to five ranks: one suit for flushes, else rotating, so that no suit has five.

    Equal ranks are adjacent in these tables, so rotation never repeats a card.
    """
    suits = "hhhhh" if name.endswith("flush") else "cdhsc"
    return [parse(held + given) for held, given in zip(ranks, suits, strict=True)]


@st.composite
def hands(draw: st.DrawFn, sizes: Sequence[int] = (5, 6, 7)) -> list[int]:
    """Draw a hand, often from part of the deck, in which rare categories are common."""
    lowest = draw(st.integers(0, 7))
    pools = (
        STANDARD,
        [card for card in STANDARD if suit(card) < 2],
        [card for card in STANDARD if lowest <= rank(card) < lowest + 6 and suit(card) < 2],
        [card for card in STANDARD if lowest <= rank(card) < lowest + 3],
        [card for card in STANDARD if suit(card) == 3],
    )
    pool, size = draw(st.sampled_from(pools)), draw(st.sampled_from(sizes))
    return draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size, unique=True))


def test_categories_are_the_ten_of_the_rules_weakest_first() -> None:
    assert CATEGORIES == CATEGORY_NAMES == tuple(name for name, _, _ in LADDER)


@pytest.mark.parametrize(("name", "lowest", "highest"), LADDER)
def test_category_of_its_lowest_and_highest_hand(name: str, lowest: str, highest: str) -> None:
    assert category(strength(deal(name, lowest))) == name
    assert category(strength(deal(name, highest))) == name


def test_the_highest_hand_of_a_category_loses_to_the_lowest_of_the_next() -> None:
    for (name, _, highest), (better_name, lowest, _) in pairwise(LADDER):
        assert strength(deal(name, highest)) < strength(deal(better_name, lowest))


@pytest.mark.parametrize(("name", "place", "winner", "loser"), DECIDED)
def test_each_telling_rank_decides(name: str, place: int, winner: str, loser: str) -> None:
    won, lost = strength(deal(name, winner)), strength(deal(name, loser))
    assert category(won) == category(lost) == name
    assert won > lost
    assert telling_ranks(won)[:place] == telling_ranks(lost)[:place]
    assert RANKS.index(telling_ranks(won)[place]) > RANKS.index(telling_ranks(lost)[place])


@pytest.mark.parametrize(("written", "name", "told"), LARGER_HANDS)
def test_best_five_cards_are_read(written: str, name: str, told: str) -> None:
    value = strength(parse_hand(written))
    assert (category(value), telling_ranks(value)) == (name, told)


def test_a_sixth_and_a_seventh_card_never_break_a_tie() -> None:
    assert strength(parse_hand("Ac Kd Qh Js 9c")) == strength(parse_hand("Ac Kd Qh Js 9c 8d 7h"))
    assert strength(parse_hand("7c 7d 7h 7s Ac Kd")) == strength(parse_hand("7c 7d 7h 7s Ac 2d"))
    assert strength(parse_hand("Ah Kh 9h 8h 7h 6h")) == strength(parse_hand("Ah Kh 9h 8h 7h 2h"))
    assert strength(parse_hand("Ac Ad Kh Ks Qc Qd")) == strength(parse_hand("Ac Ad Kh Ks Qc 2d"))


def test_the_ten_straights_ascend_from_five_high_suited_or_not() -> None:
    runs = ["A2345", *(RANKS[low : low + 5] for low in range(9))]
    for name in ("straight", "straight-flush"):
        values = [strength(deal(name, run)) for run in runs]
        assert all(lower < higher for lower, higher in pairwise(values))
        # The royal flush has a category to itself, and no rank left to tell.
        told = [telling_ranks(value) for value in values]
        assert told == [*"56789TJQK", "A" if name == "straight" else ""]


@many
@given(hands(), hands())
def test_order_is_the_naive_order(one: list[int], other: list[int]) -> None:
    value, other_value = strength(one), strength(other)
    oracle, other_oracle = naive_rank(one), naive_rank(other)
    assert (value > other_value) == (oracle > other_oracle)
    assert (value < other_value) == (oracle < other_oracle)
    assert category(value) == CATEGORY_NAMES[oracle[0]]


@many
@given(hands(), st.permutations(range(len(SUITS))))
def test_suit_relabelling_changes_nothing(cards: list[int], suits: list[int]) -> None:
    relabelled = [4 * rank(card) + suits[suit(card)] for card in cards]
    assert strength(relabelled) == strength(cards)


@many
@given(hands().flatmap(lambda cards: st.tuples(st.just(cards), st.permutations(cards))))
def test_card_order_changes_nothing(dealt: tuple[list[int], list[int]]) -> None:
    cards, shuffled = dealt
    assert strength(shuffled) == strength(cards)


@many
@given(hands())
def test_best_five_are_five_of_the_cards_in_their_order_and_as_strong(cards: list[int]) -> None:
    five = best_five(cards)
    assert five in set(combinations(cards, 5))
    assert naive_rank(five) == naive_rank(cards)


def test_best_five_of_a_full_board() -> None:
    cards = parse_hand("2c Kd 2h Ks 2s Kc Ad")
    assert sorted(telling_ranks(strength(best_five(cards)))) == ["2", "K"]
    assert best_five(cards) == tuple(parse_hand("2c Kd 2h Ks Kc"))
    assert best_five(cards[:5]) == tuple(cards[:5])


def test_7462_classes_stand_in_the_naive_order() -> None:
    every_five = every_hand(STANDARD, 5)
    values, first_places = np.unique(strengths(every_five), return_index=True)
    # Up to suits there are 6,175 hands without a flush and C(13,5) with one: no two of them tie.
    assert len(values) == 7_462 == 6_175 + comb(13, 5)
    examples = every_five[first_places].tolist()
    assert [strength(cards) for cards in examples] == values.tolist()
    assert all(weaker < stronger for weaker, stronger in pairwise(map(naive_rank, examples)))


@pytest.mark.parametrize("size", [5, 6, 7])
@each_sample
def test_scalar_and_batch_give_the_same_strengths(size: int, count: int) -> None:
    sample = random_hands(count, size, seed=size)
    assert [strength(cards) for cards in sample.tolist()] == strengths(sample).tolist()


@pytest.mark.parametrize("size", [5, 6, 7])
@each_sample
def test_order_is_that_of_eval7(size: int, count: int) -> None:
    # Two hands for each pair; sorted, they settle every other pair among them as well.
    sample = random_hands(2 * count, size, seed=70 + size).tolist()
    # What ties in one order ties in the other.
    assert rise_together({(strength(cards), by_eval7(cards)) for cards in sample})
