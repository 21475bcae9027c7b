"""The batch ranking: its refusals and its tables' arithmetic."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from ranking.naive import random_hands, ways_to_share
from tapisvert.cards import STANDARD
from tapisvert.ranking.batch import strengths, tables
from tapisvert.ranking.standard import strength

SIZES = (5, 6, 7)
PLACES = {5: 6_175, 6: 18_395, 7: 49_205}  # the figures of the module's docstring and its kin
LOW_RANKS = 7  # deuce to eight; the docstring's low group


def in_base_5(digits: tuple[int, ...]) -> int:
    """Read digits as a number in base 5, least significant first, as in the docstring."""
    return int("".join(map(str, reversed(digits))), base=5)


def hand_with(copies: tuple[int, ...]) -> list[int]:
    """Return a hand with this many cards of each rank and at most four of a suit.

    Suits rotate, so each goes to at most two of seven cards.
    """
    ranks = [held for held, count in enumerate(copies) for _ in range(count)]
    return [4 * held + turn % 4 for turn, held in enumerate(ranks)]


@pytest.mark.parametrize(
    "shape", [(0,), (7,), (3, 0), (3, 4), (3, 8), (0, 4), (2, 3, 7), (1, 1, 1)]
)
def test_shapes_other_than_rows_of_five_to_seven_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="expected rows of 5, 6 or 7 cards, got shape"):
        strengths(np.zeros(shape, dtype=np.uint8))


@pytest.mark.parametrize("size", SIZES)
def test_one_32_bit_strength_for_each_row(size: int) -> None:
    for count in (0, 1, 1000):
        ranked = strengths(random_hands(count, size, seed=count))
        assert ranked.shape == (count,)
        assert ranked.dtype == np.int32


@pytest.mark.parametrize("size", SIZES)
def test_memory_layout_changes_nothing(size: int) -> None:
    hands = random_hands(2000, size, seed=11)
    expected = strengths(hands)
    wide = np.zeros((2000, 2 * size), dtype=np.uint8)
    wide[:, ::2] = hands
    views: list[tuple[NDArray[np.uint8], NDArray[np.int32]]] = [
        (np.asfortranarray(hands), expected),
        (wide[:, ::2], expected),
        (hands[:, ::-1], expected),
        (hands[::-1], expected[::-1]),
        (hands[::3], expected[::3]),
    ]
    for view, ranked in views:
        assert not view.flags.c_contiguous
        assert np.array_equal(strengths(view), ranked)


@pytest.mark.parametrize("size", SIZES)
def test_the_hands_given_are_not_written_to(size: int) -> None:
    hands = random_hands(100, size, seed=12)
    before = hands.copy()
    hands.flags.writeable = False
    strengths(hands)
    assert np.array_equal(hands, before)


@pytest.mark.parametrize("size", SIZES)
def test_each_place_is_used_exactly_once(size: int) -> None:
    table = tables(size)
    ways = list(ways_to_share(len(STANDARD) // 4, size))
    places = [
        int(table.low[in_base_5(way[:LOW_RANKS])]) + int(table.high[in_base_5(way[LOW_RANKS:])])
        for way in ways
    ]
    assert len(ways) == len(table.unsuited) == PLACES[size]
    assert sorted(places) == list(range(PLACES[size]))


@pytest.mark.parametrize("size", SIZES)
def test_every_way_to_share_cards_among_ranks_is_ranked_as_by_the_scalar(size: int) -> None:
    cards = [hand_with(way) for way in ways_to_share(13, size)]
    assert all(len(set(hand)) == size for hand in cards)
    assert strengths(np.array(cards, dtype=np.uint8)).tolist() == [strength(hand) for hand in cards]


@pytest.mark.parametrize("size", SIZES)
def test_every_set_of_suited_ranks_is_ranked_as_by_the_scalar(size: int) -> None:
    # With one card of each rank in 5 to `size` suited ranks; the rest, of other suits, are pairs.
    cards = []
    for ranks in range(1 << 13):
        suited = [4 * held + 2 for held in range(13) if ranks >> held & 1]
        if 5 <= len(suited) <= size:
            cards.append(suited + [card + 1 for card in suited[: size - len(suited)]])
    assert len(cards) == sum(comb(13, suited) for suited in range(5, size + 1))
    assert strengths(np.array(cards, dtype=np.uint8)).tolist() == [strength(hand) for hand in cards]


def test_tables_for_seven_cards_are_under_the_documented_size() -> None:
    assert sum(table.nbytes for table in tables(7)) < 700_000
