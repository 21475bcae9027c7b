"""The rows of the Fortune Bonus, against the rules and a search of every five of seven cards."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from ranking.naive_joker import naive_fortune, random_hands_of_53
from tapisvert.cards import (
    JOKER,
    STANDARD,
    parse,
    parse_hand,
    rank,
    suit,
    write_hand,
)
from tapisvert.ranking.fortune import ROWS, rows
from tapisvert.ranking.joker_batch import fortune_rows
from tiers import few_or_many, long

# Each row, with the joker and without where it can be, and the near misses: seven cards and the
# first row of the table they reach ("" for none).
FIRST_ROWS = (
    ("2h 3h 4h 5h 6h 7h 8h", "straight-flush-7"),
    ("Ah 2h 3h 4h 5h 6h 7h", "straight-flush-7"),  # the ace plays low
    ("8h 9h Th Jh Qh Kh Ah", "straight-flush-7"),  # and high: more than the royal in it
    ("Kh Ah 2h 3h 4h 5h 6h", "straight-flush"),  # and never in the middle
    ("Qh Kh Ah 2h 3h 4h Th", "flush"),
    ("As Ks Qs Js Ts Kh Qh", "royal-flush-king-queen"),
    ("Jk Ks Qs Js Ts Kh Qh", "royal-flush-king-queen"),  # the joker in the royal
    ("As Jk Qs Js Ts Kh Qh", "royal-flush-king-queen"),
    ("As Ks Qs Js Jk Kh Qh", "royal-flush-king-queen"),
    ("As Ks Qs Js Ts Jk Qh", "royal-flush"),  # the joker in the king-queen
    ("As Ks Qs Js Ts Kh Jk", "royal-flush"),
    ("As Ks Qs Js Ts Kh Qd", "royal-flush"),  # not suited
    ("As Ks Qs Js Ts Kh Jh", "royal-flush"),
    ("As Ks Qs Js Jk Kh Qd", "royal-flush"),
    ("9s Ks Qs Js Ts Kh Qh", "straight-flush"),  # king-queen beside no royal
    ("Jk 2h 3h 4h 5h 6h 7h", "straight-flush-7-joker"),  # at an end: as an ace or an eight
    ("Ah 2h 3h Jk 5h 6h 7h", "straight-flush-7-joker"),
    ("8h 9h Th Jh Jk Kh Ah", "straight-flush-7-joker"),  # more than the royal in it
    ("8h Jk Qh Jh Jc Kh Ah", "royal-flush"),
    ("2h 3h 4h Jk 6h 7h 9h", "straight-flush"),  # two cards are missing
    ("As Ah Ad Ac Jk 2h 3h", "five-aces"),
    ("As Ah Ad Ac Jk Kh Kd", "five-aces"),
    ("As Ks Qs Js Ts 2h 3h", "royal-flush"),
    ("As Ks Jk Js Ts 2h 3h", "royal-flush"),
    ("As Ks Qs Js Ts 9s Jk", "straight-flush-7-joker"),  # more than a royal that needs no joker
    ("9s Ks Qs Js Ts 2h Ah", "straight-flush"),
    ("As 2s 3s 4s 5s 9h 9d", "straight-flush"),
    ("2s 3s 4s 5s Jk 9h 9d", "straight-flush"),
    ("5s 6s Jk 8s 9s Ah Ad", "straight-flush"),
    ("9s 9h 9d 9c 2h 3h 5d", "four-of-a-kind"),
    ("9s 9h 9d 9c Jk 3h 5d", "four-of-a-kind"),  # never five nines
    ("9s 9h 9d 9c Kh Kd Ks", "four-of-a-kind"),
    ("As Ah Ad Jk 2h 3c 7d", "four-of-a-kind"),
    ("9s 9h 9d 2c 2h 3h 5d", "full-house"),
    ("9s 9h 9d 2c 2h 2d 5d", "full-house"),
    ("9s 9h 9d Jk Ah 3h 6d", "full-house"),
    ("As Ah Jk 9d 9h 3h 6d", "full-house"),
    ("2h 4h 6h 8h Th Ac Ad", "flush"),
    ("2h 4h 6h 8h Jk 9c 9d", "flush"),
    ("5h 6h 7h 8h Kh 9c Td", "flush"),  # a straight and a flush, apart
    ("9s 9h 9d 2c 4h 6h Kd", "three-of-a-kind"),
    ("9s 9h 9d 8c 7h 6h 5d", "three-of-a-kind"),  # pays more than the straight
    ("9s 9h 9d Jk 4h 6h Kd", "three-of-a-kind"),  # never four nines
    ("As Ah Jk 9d 4h 6h Kd", "three-of-a-kind"),
    ("As 2h 3d 4c 5h 9h 9d", "straight"),
    ("9s Th Jd Qc Kh 2h 2d", "straight"),
    ("2h 3d 4c 5h Jk 9h 9d", "straight"),
    ("Ts Jh Kd Ac Jk 2h 2d", "straight"),
    ("9s 9h Kd Kc 4h 6h 2d", ""),
    ("9s 9h Kd Kc 4h Jk 2d", ""),  # two pair and an ace
    ("Kh Qh Ad 2c 3s 9d 8d", ""),
)


def in_batch(hands: NDArray[np.uint8]) -> list[frozenset[str]]:
    """Return the rows each hand reaches, from the batch."""
    found = fortune_rows(hands).tolist()
    return [frozenset(row for n, row in enumerate(ROWS) if bits >> n & 1) for bits in found]


def dense_hands(count: int, seed: int) -> NDArray[np.uint8]:
    """Deal hands of few suits or few ranks, in which rare rows are common. Half have the joker."""
    rng = np.random.default_rng(seed)
    hands = np.empty((count, 7), dtype=np.uint8)
    for turn in range(count):
        lowest, kind = int(rng.integers(0, 7)), turn // 2 % 5
        pools = (
            [card for card in STANDARD if suit(card) == 1],
            [card for card in STANDARD if suit(card) == 2 and lowest <= rank(card) < lowest + 8],
            [card for card in STANDARD if suit(card) < 2 and lowest <= rank(card) < lowest + 7],
            [card for card in STANDARD if rank(card) in (12, lowest, lowest + 1)],
            [card for card in STANDARD if suit(card) > 1 and rank(card) > 7],
        )
        hands[turn] = rng.permutation(pools[kind])[:7]
        if turn % 2:
            hands[turn, lowest] = JOKER
    return hands


def test_the_rows_are_the_eleven_of_the_rules_in_the_order_they_pay() -> None:
    assert ROWS == (
        "straight-flush-7",
        "royal-flush-king-queen",
        "straight-flush-7-joker",
        "five-aces",
        "royal-flush",
        "straight-flush",
        "four-of-a-kind",
        "full-house",
        "flush",
        "three-of-a-kind",
        "straight",
    )
    assert {row for _, row in FIRST_ROWS} == {*ROWS, ""}


@pytest.mark.parametrize(("written", "first"), FIRST_ROWS)
def test_the_first_row_reached_is_that_of_the_rules(written: str, first: str) -> None:
    cards = parse_hand(written)
    found = set(rows(cards))
    assert next((row for row in ROWS if row in found), "") == first
    assert found == naive_fortune(cards)
    assert in_batch(np.array([cards], dtype=np.uint8)) == [found]


@pytest.mark.parametrize("row", ROWS)
def test_each_row_is_shown_with_the_joker_and_without_where_it_can_be(row: str) -> None:
    joker = {"Jk" in written for written, first in FIRST_ROWS if first == row}
    only = {"straight-flush-7": {False}, "straight-flush-7-joker": {True}, "five-aces": {True}}
    assert joker == only.get(row, {False, True})


@pytest.mark.parametrize(
    ("written", "reached"),
    [
        ("As Ah Ad Ac Jk Kh Kd", "five-aces four-of-a-kind full-house three-of-a-kind"),
        ("9s 9h 9d 9c Kh Kd Ks", "four-of-a-kind full-house three-of-a-kind"),
        ("9s 9h 9d 9c 2h 3h 5d", "four-of-a-kind three-of-a-kind"),
        ("Th Jh Qh Kh Ah Ac Ad", "royal-flush straight-flush flush straight three-of-a-kind"),
        ("As Ks Qs Js Ts Jk Qh", "royal-flush straight-flush flush straight"),
    ],
)
def test_the_lesser_rows_a_hand_holds_are_reached_as_well(written: str, reached: str) -> None:
    assert (
        set(rows(parse_hand(written))) == naive_fortune(parse_hand(written)) == set(reached.split())
    )


def test_every_7_card_straight_flush_is_one_with_any_of_its_cards_as_the_joker() -> None:
    for written in ("A234567", *("23456789TJQKA"[low : low + 7] for low in range(7))):
        cards = [parse(place + "d") for place in written]
        assert "straight-flush-7" in rows(cards)
        for at in range(7):
            wild = [*cards[:at], JOKER, *cards[at + 1 :]]
            assert "straight-flush-7-joker" in rows(wild)
            assert "straight-flush-7" not in rows(wild)


@pytest.mark.parametrize(
    ("joker", "count"),
    [
        (False, 600),
        (True, 120),
        pytest.param(False, 3_000, marks=long),
        pytest.param(True, 600, marks=long),
    ],
)
def test_random_hands_reach_the_rows_of_the_naive_search(joker: bool, count: int) -> None:
    sample = random_hands_of_53(count, 7, seed=8, joker=joker)
    for cards in sample.tolist():
        assert set(rows(cards)) == naive_fortune(cards), write_hand(cards)


@pytest.mark.parametrize("count", few_or_many(600, 1_200))
def test_dense_hands_reach_the_rows_of_the_naive_search(count: int) -> None:
    reached: set[str] = set()
    for cards in dense_hands(count, seed=9).tolist():
        assert set(rows(cards)) == naive_fortune(cards), write_hand(cards)
        reached |= set(rows(cards))
    assert reached == set(ROWS)


@pytest.mark.parametrize("count", few_or_many(2_000, 10_000))
def test_scalar_and_batch_reach_the_same_rows(count: int) -> None:
    dealt = random_hands_of_53(2 * count, 7, seed=10), dense_hands(count, seed=11)
    sample = np.concatenate(dealt)
    expected = [set(rows(cards)) for cards in sample.tolist()]
    assert in_batch(sample) == expected
    assert in_batch(np.asfortranarray(sample[:, ::-1])) == expected
    assert frozenset().union(*expected) == set(ROWS)
