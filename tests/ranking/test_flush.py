"""The order of High Card Flush and the straight-flush lengths, against the rules and tuples."""

from __future__ import annotations

from itertools import pairwise, product
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from ranking.naive import random_hands
from ranking.naive_joker import every_hand, naive_flush, naive_run, rise_together
from tapisvert.cards import STANDARD, parse_hand, rank, suit, write_hand
from tapisvert.ranking import flush_batch
from tapisvert.ranking.flush import (
    best_flush,
    least,
    length,
    of_suit,
    run_of_suit,
    straight_flush_length,
    strength,
)

# A hand, its best flush and its longest straight flush.
READ = (
    ("9h 7h 4h Ks 2s Qd Jc", "9h 7h 4h", 1),
    ("9h 7h 4h 2h As Ks Qs", "9h 7h 4h 2h", 3),  # most cards first, though A-K-Q is suited
    ("9h 7h 4h 9s 7s 5s Ad", "9s 7s 5s", 1),  # of equal lengths the better counts
    ("9s 7s 4s 9h 7h 5h Ad", "9h 7h 5h", 1),
    ("Kc 3c 2c Qd Jd Td Ah", "Kc 3c 2c", 3),
    ("Ac 2c Kd Qd Jh 9h 8s", "Ac 2c", 2),
    ("Ac 2d 3h 4s 5c 6d 7h", "Ac 5c", 1),
    ("Ah 2h 3h Kh Qs 9d 9c", "Ah Kh 3h 2h", 3),  # the ace low
    ("Ah Qh 3h Kh Qs 9d 9c", "Ah Kh Qh 3h", 3),  # the ace high
    ("Ah Kh 2h 9s 7d 5c 4c", "Ah Kh 2h", 2),  # never in the middle
    ("Ah 2h 3h 4h 5h 6h 7h", "Ah 7h 6h 5h 4h 3h 2h", 7),
    ("Ah Kh Qh Jh Th 9h 8h", "Ah Kh Qh Jh Th 9h 8h", 7),
    ("Ah 2h 3h 4h 5h 6h 8h", "Ah 8h 6h 5h 4h 3h 2h", 6),
    ("Ah Kh Qh 2h 3h 4h 5h", "Ah Kh Qh 5h 4h 3h 2h", 5),  # A-5, and A-K-Q
    ("2h 3h 5h 6h 8h 9h Jh", "Jh 9h 8h 6h 5h 3h 2h", 2),
    ("4c 5c 6c 7c As Ks Qs", "7c 6c 5c 4c", 4),
    ("4c 5c 6c Tc As Ks Qs", "Tc 6c 5c 4c", 3),
)

# Each is weaker than the next.
ASCENDING = (
    "9c 7c 5d 4d 3h 2h 6s",
    "Ac 2c 5d 4d 3h 2h 6s",
    "Ac Kc 5d 4d 3h 2h 6s",
    "4c 3c 2c 5d 6d 7h 9s",
    "8c 7c 6c 5d 6d 7h 9s",
    "9c 3c 2c 5d 6d 7h As",
    "9c 4c 2c 5d 6d 7h As",
    "9c 4c 3c 5d 6d 7h As",
    "Ac Kc Qc 5d 6d 7h Js",
    "5c 4c 3c 2c Ad Kd Qd",
    "Ac Kc Qc Jc 9d 6d 5h",
    "6c 5c 4c 3c 2c Ad Kd",
    "Ac Kc Qc Jc Tc 9d 8d",
    "7c 6c 5c 4c 3c 2c Ad",
    "Ac Kc Qc Jc Tc 9c Ad",
    "8c 7c 6c 5c 4c 3c 2c",
    "Ac Kc Qc Jc Tc 9c 7c",
    "Ac Kc Qc Jc Tc 9c 8c",
)


def suited(ranks: int) -> list[int]:
    """Return the hearts of a 13-bit set of ranks."""
    return [4 * place + 2 for place in range(13) if ranks >> place & 1]


def every_set_of_up_to_seven() -> list[int]:
    return [ranks for ranks in range(1, 1 << 13) if ranks.bit_count() <= 7]


@pytest.fixture(scope="module")
def low_deck() -> NDArray[np.uint8]:
    """Return every seven of the 20 cards A, 2, 3, 4, 6."""
    deck = [card for card in STANDARD if rank(card) in (12, 0, 1, 2, 4)]
    return every_hand(deck, 7)


@pytest.mark.parametrize(("written", "flush", "run"), READ)
def test_a_hand_is_read_as_the_rules_say(written: str, flush: str, run: int) -> None:
    cards = parse_hand(written)
    assert write_hand(best_flush(cards)) == flush
    assert length(strength(cards)) == len(flush.split())
    assert straight_flush_length(cards) == naive_run(cards) == run
    row = np.array([cards], dtype=np.uint8)
    assert flush_batch.strengths(row).tolist() == [strength(cards)]
    assert flush_batch.straight_flush_lengths(row).tolist() == [run]


def test_length_comes_first_then_the_ranks_from_the_top() -> None:
    for weaker, stronger in pairwise(ASCENDING):
        assert strength(parse_hand(weaker)) < strength(parse_hand(stronger)), (weaker, stronger)
        assert naive_flush(parse_hand(weaker)) < naive_flush(parse_hand(stronger))


def test_flushes_of_equal_ranks_tie_whatever_the_suits_and_the_other_cards() -> None:
    tie = strength(parse_hand("9h 7h 4h Ks 2s Qd Jc"))
    assert tie == strength(parse_hand("9c 7c 4c 9s 7s 4s 2d"))
    assert tie == strength(parse_hand("9d 7d 4d Ac Kc Qs Js"))
    # Two suits hold the same flush: either may be shown.
    assert write_hand(best_flush(parse_hand("9c 7c 4c 9s 7s 4s 2d"))) in ("9c 7c 4c", "9s 7s 4s")


@pytest.mark.parametrize(
    ("written", "qualifies"),
    [
        ("9h 3h 2h Ks Qs Jd Tc", True),  # the weakest three-card flush, nine high
        ("9h 8h 7h Ks Qs Jd Tc", True),
        ("Th 3h 2h Ks Qs Jd 9c", True),
        ("8h 7h 6h Ks Qs Jd Tc", False),  # the strongest, eight high
        ("8h 7h 6h 9s 3s 2s Tc", True),  # the other suit is nine high
        ("Ah Kh Qs Js Td 9d 8c", False),  # two cards
        ("5h 4h 3h 2h Ks Qd Jc", True),  # four cards, whatever their ranks
    ],
)
def test_the_qualifier_is_three_cards_nine_high(written: str, qualifies: bool) -> None:
    assert (strength(parse_hand(written)) >= least(3, ["9"])) is qualifies


def test_the_least_strength_of_a_heading_lies_between_its_neighbours() -> None:
    for ranks in map(suited, every_set_of_up_to_seven()):
        cards, top = len(ranks), max(map(rank, ranks))
        assert (of_suit(sum(1 << rank(card) for card in ranks)) >= least(3, ["9"])) is (
            cards > 3 or (cards == 3 and top >= 7)
        )
    assert least(4, []) < strength(parse_hand("5h 4h 3h 2h Ks Qd Jc"))
    assert least(3, ["A", "K"]) <= strength(parse_hand("Ah Kh 2h 3s 4s 5d 6d"))
    assert least(3, ["A", "K"]) > strength(parse_hand("Ah Qh Jh 3s 4s 5d 6d"))


def test_no_hand_beats_the_suited_ace_to_eight_and_only_its_like_ties() -> None:
    best = strength(parse_hand("Ah Kh Qh Jh Th 9h 8h"))
    assert max(map(of_suit, every_set_of_up_to_seven())) == best
    assert [ranks for ranks in every_set_of_up_to_seven() if of_suit(ranks) == best] == [
        0b1111111000000
    ]
    assert best == least(7, list("AKQJT98"))
    # Any other seven of a suit lose to the ace to eight of another.
    assert sum(of_suit(ranks) < best for ranks in every_set_of_up_to_seven()) == (
        sum(comb(13, cards) for cards in range(1, 8)) - 1
    )


def test_every_suit_stands_in_the_naive_order() -> None:
    sets = every_set_of_up_to_seven()
    ranked = {(of_suit(ranks), naive_flush(suited(ranks))) for ranks in sets}
    assert len(ranked) == len(sets)
    assert rise_together(ranked)
    assert all(length(value) == cards for value, (cards, _) in ranked)


def test_every_suit_has_the_naive_run() -> None:
    for ranks in every_set_of_up_to_seven():
        assert run_of_suit(ranks) == naive_run(suited(ranks)), write_hand(suited(ranks))


def test_random_hands_stand_in_the_naive_order_and_the_batch_agrees() -> None:
    sample = random_hands(20_000, 7, seed=3)
    values = [strength(cards) for cards in sample.tolist()]
    naive = [naive_flush(cards) for cards in sample.tolist()]
    assert rise_together(set(zip(values, naive, strict=True)))
    assert flush_batch.strengths(sample).tolist() == values
    assert flush_batch.strengths(sample[::-1, ::-1]).tolist() == values[::-1]


def test_the_best_flush_of_random_hands_is_of_one_suit_and_of_the_naive_ranks() -> None:
    for cards in random_hands(3_000, 7, seed=4).tolist():
        shown = best_flush(cards)
        assert set(shown) <= set(cards)
        assert len({suit(card) for card in shown}) == 1
        assert (len(shown), tuple(map(rank, shown))) == naive_flush(cards)


def test_random_hands_have_the_naive_run_and_the_batch_agrees() -> None:
    sample = random_hands(20_000, 7, seed=5)
    runs = [straight_flush_length(cards) for cards in sample.tolist()]
    assert runs[:3_000] == [naive_run(cards) for cards in sample[:3_000].tolist()]
    assert flush_batch.straight_flush_lengths(sample).tolist() == runs


def test_every_hand_of_twenty_cards_is_read_alike_by_scalar_and_batch(
    low_deck: NDArray[np.uint8],
) -> None:
    hands = low_deck.tolist()
    assert len(hands) == comb(20, 7)
    values = flush_batch.strengths(low_deck)
    assert values.tolist() == [strength(cards) for cards in hands]
    runs = flush_batch.straight_flush_lengths(low_deck)
    assert runs.tolist() == [straight_flush_length(cards) for cards in hands]
    # Seven cards shared among four suits of five, by the length of the longest.
    shares = [share for share in product(range(6), repeat=4) if sum(share) == 7]
    for cards in range(2, 6):
        ways = [share for share in shares if max(share) == cards]
        expected = sum(int(np.prod([comb(5, held) for held in share])) for share in ways)
        assert int((values >> 28 == cards).sum()) == expected


@pytest.mark.parametrize("shape", [(7,), (3, 6), (3, 8), (2, 7, 7)])
def test_shapes_other_than_rows_of_seven_are_refused(shape: tuple[int, ...]) -> None:
    for order in (flush_batch.strengths, flush_batch.straight_flush_lengths):
        with pytest.raises(ValueError, match="expected rows of 7 cards, got uint8"):
            order(np.zeros(shape, dtype=np.uint8))


def test_the_joker_is_refused() -> None:
    for order in (flush_batch.strengths, flush_batch.straight_flush_lengths):
        with pytest.raises(ValueError, match="a card is not one of the 52"):
            order(np.array([[0, 1, 2, 3, 4, 5, 52]], dtype=np.uint8))
