"""Random deals: Philox gives the published numbers, every deal depends on seed and number only."""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np
import pytest
from numpy.random import Philox

from dealing import battery
from tapisvert.odds.philox import multiply, philox
from tapisvert.odds.random_deals import PICKS, Bounds, Decks, bounds, deal, deal_into, deal_these
from tiers import few_or_many

# Known answers of the authors' library Random123: counter, key, result.
VECTORS = [
    (
        (0, 0, 0, 0),
        (0, 0),
        (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B),
    ),
    (
        (2**64 - 1,) * 4,
        (2**64 - 1,) * 2,
        (0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0),
    ),
    (
        (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
        (0x452821E638D01377, 0xBE5466CF34E90C6C),
        (0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6),
    ),
]
MASK = 2**64 - 1


@numba.njit()
def both_halves(one: np.uint64, other: np.uint64) -> tuple[np.uint64, np.uint64]:
    return multiply(one, other)


def word(seed: int, number: int, place: int) -> int:
    """Return a word of a round as the module's text defines it, by NumPy's generator."""
    if place < 2:
        counter, at = (number // 2, 0, 0, 0), 2 * (number % 2) + place
    else:
        counter, at = (number, place, 1, 0), 0
    before = (sum(part << 64 * n for n, part in enumerate(counter)) - 1) % 2**256  # it adds one
    stream = Philox(key=seed, counter=before)
    return int(stream.random_raw(at + 1)[at])


def dealt(seed: int, number: int, cards: int, deck: int) -> list[int]:
    """Deal a round in whole numbers of any size."""
    left, found = list(range(deck)), []
    for place in range(cards):
        if place % PICKS == 0:
            drawn = word(seed, number, place // PICKS)
        drawn *= deck - place
        at = place + (drawn >> 64)
        drawn &= MASK
        left[place], left[at] = left[at], left[place]
        found.append(left[place])
    return found


@pytest.mark.parametrize(("counter", "key", "expected"), VECTORS)
def test_philox_gives_the_published_numbers(
    counter: tuple[int, ...], key: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    found = philox(*map(np.uint64, (*counter, *key)))
    assert tuple(map(int, found)) == expected


def test_philox_gives_the_numbers_of_numpy() -> None:
    key, counter = (2**63 - 25, 9), (2**64 - 3, 5, 7, 1)
    stream = Philox(
        key=np.array(key, dtype=np.uint64), counter=np.array(counter, dtype=np.uint64)
    ).random_raw(4)
    after = (counter[0] + 1, *counter[1:])
    assert list(philox(*map(np.uint64, (*after, *key)))) == stream.tolist()


@pytest.mark.parametrize("one", [0, 1, 52, 2**32 + 1, 2**64 - 1])
@pytest.mark.parametrize("other", [1, 2**63, 2**64 - 1])
def test_a_product_has_both_halves(one: int, other: int) -> None:
    high, low = both_halves(np.uint64(one), np.uint64(other))
    assert int(high) << 64 | int(low) == one * other


@pytest.mark.parametrize("deck", [52, 53])
@pytest.mark.parametrize("cards", [3, 7, 9, 14, 15, 52])
def test_a_deal_is_the_shuffle_that_its_words_describe(deck: int, cards: int) -> None:
    for first in (0, 1, 10**10 - 1):
        found = deal(2**63 - 1, first, 3, cards, deck).tolist()
        assert found == [dealt(2**63 - 1, first + n, cards, deck) for n in range(3)]


def test_any_round_is_dealt_alone() -> None:
    together = deal(3, 0, 50, 52, 52)
    numbers = np.array([49, 0, 7, 8])
    assert (deal_these(3, numbers, 20, 52) == together[numbers, :20]).all()


@pytest.mark.parametrize("deck", [52, 53])
def test_words_that_are_kept_make_every_pick_equally_often(deck: int) -> None:
    """The last halves of the words with the same picks are `ways` apart: only the first may be
    below the least, which is below `ways`.
    """
    by = bounds(deck)
    for ways, least in zip(by.ways.tolist(), by.least.tolist(), strict=True):
        for picks in (0, 1, ways // 3, ways // 2, ways - 1):
            # The words with these picks: from picks * 2^64 / ways to the next such, rounded up.
            begin, end = (-(-(n << 64) // ways) for n in (picks, picks + 1))
            assert end - begin - (begin * ways % 2**64 < least) == 2**64 // ways


def test_a_word_below_the_least_is_drawn_again() -> None:
    """No test waits for one word in 27 million: the kernel gets bounds that keep every second."""
    by = bounds(52)
    half = Bounds(by.ways, np.full_like(by.least, 2**63))
    decks = np.empty((400, 14), dtype=np.uint8)
    deal_into(np.uint64(5), 0, 52, half, decks)
    usual = deal(5, 0, 400, 14, 52)
    kept = [word(5, n, 0) * int(by.ways[0]) % 2**64 >= 2**63 for n in range(400)]
    assert 150 < sum(kept) < 250
    assert (decks[:, :7] == usual[:, :7]).all(axis=1).tolist() == kept
    assert (np.diff(np.sort(decks, axis=1)) > 0).all()


@pytest.mark.parametrize("count", few_or_many(20_000, 1_000_000))
@pytest.mark.parametrize("test", battery.BATTERY.values(), ids=battery.BATTERY)
def test_dealt_decks_pass_the_tests_of_the_shuffle(
    test: Callable[[Decks], float], count: int
) -> None:
    assert test(np.ascontiguousarray(deal(1, 0, count, 52, 52).T)) > 1e-4
