"""The entries of `games.perft`, each derived a second time."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import comb, prod

import pytest

from perft import perft
from perft.orders import ORDERS
from perft.perft import Entry, count_hands, read_entries
from tiers import long

ENTRIES = {entry.id: entry for entry in read_entries(perft.GAMES_PERFT.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda entry: entry.id)
def test_the_file_states_every_class_and_the_total(entry: Entry) -> None:
    order = ORDERS[entry.id]
    assert set(entry.expected) == {"total", *order.names}
    total = sum(entry.expected[name] for name in order.names)
    assert entry.expected["total"] == total == comb(order.deck_size, order.cards)


# Of the two orders of High Card Flush one in the first tier. The Fortune Bonus of every hand is
# also counted by suit patterns, in tests/odds/test_fortune.py.
LONG = {"fortune-bonus/53", "straight-flush-length/52"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[long] if name in LONG else []) for name in ENTRIES]
)
def test_every_hand_classed(name: str) -> None:
    assert count_hands(name) == ENTRIES[name].expected


def by_suits(worth: dict[int, Counter[int]]) -> Counter[int]:
    """Combine four suits: the best of the four, over all ways to hold seven cards."""
    held: Counter[tuple[int, int]] = Counter({(0, 0): 1})  # cards so far, best so far
    for _ in range(4):
        together: Counter[tuple[int, int]] = Counter()
        for (cards, best), ways in held.items():
            for more, counts in worth.items():
                for value, each in counts.items():
                    if cards + more <= 7:
                        together[cards + more, max(best, value)] += ways * each
        held = together
    return Counter({best: ways for (cards, best), ways in held.items() if cards == 7})


def test_the_flush_lengths_follow_from_the_suits_alone() -> None:
    lengths: Counter[int] = Counter()
    for shape in product(range(8), repeat=4):
        if sum(shape) == 7:
            lengths[max(shape)] += prod(comb(13, cards) for cards in shape)
    stated = ENTRIES["flush-length/52"].expected
    assert {str(length): lengths[length] for length in range(8)}.items() <= stated.items()


def longest_run(ranks: tuple[int, ...]) -> int:
    """Return the longest run of consecutive ranks; 12 is the ace, which also counts as -1."""
    line = {*ranks, *([-1] if 12 in ranks else [])}
    starts = [low for low in line if low - 1 not in line]
    return max((next(n for n in range(1, 15) if low + n not in line) for low in starts), default=0)


def test_the_straight_flush_lengths_follow_from_the_sets_of_one_suit() -> None:
    worth = {
        cards: Counter(longest_run(ranks) for ranks in combinations(range(13), cards))
        for cards in range(8)
    }
    runs = by_suits(worth)
    stated = ENTRIES["straight-flush-length/52"].expected
    assert {str(length): runs[length] for length in range(8)}.items() <= stated.items()


def test_the_high_hands_with_the_joker_follow_from_closed_forms() -> None:
    """Natural hands as in any poker, and the 270,725 fours that a joker completes.

    Four ranks fit in a straight in 41 ways: five for each of ten, less the nine that two
    neighbours share. Five of them make A-high, eight have an ace.
    """
    natural = read_entries(perft.STANDARD_PERFT.read_text(encoding="utf-8"))[0].expected
    fits, royal, with_ace, suits = 41, 5, 8, 4**4 - 4
    joker = {
        "five-aces": 1,
        "royal-flush": 4 * royal,
        "straight-flush": 4 * (fits - royal),
        "flush": 4 * (comb(13, 4) - fits),
        "straight": suits * fits,
        # Three aces and another; four of another rank stay four, with an ace beside them.
        "four-of-a-kind": 4 * 48 + 12,
        # A pair of aces and another pair, or three of another rank and an ace.
        "full-house": 6 * 12 * 6 + 12 * 4 * 4,
        "three-of-a-kind": 12 * 4 * 11 * 4 + 6 * comb(12, 2) * 4**2,
        "two-pair": 12 * 6 * 4 * 11 * 4 + comb(12, 2) * 6**2,
        "pair": (comb(12, 3) - with_ace) * suits + 12 * 6 * comb(11, 2) * 4**2,
        "high-card": (comb(12, 4) - (fits - with_ace)) * suits,
        "total": comb(52, 4),
    }
    counted = {name: natural.get(name, 0) + with_joker for name, with_joker in joker.items()}
    assert counted == ENTRIES["pai-gow-high/53"].expected
