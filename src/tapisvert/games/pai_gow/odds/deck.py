"""The deck of Pai Gow for a proof: its sets of cards, and the index of each in a table.

A proof covers the 53 cards, or any smaller deck, so that a plain count of every deal can check it.
Cards are identified by their places in the deck, lowest first. A set of k places a < b < ... has
the number C(a,1) + C(b,2) + ...: sets of one size are numbered without a gap, and those of the
lowest cards come first.

If every rank has all four suits, sets that differ only by renaming suits have the same value. One
set per suit pattern is computed, and its value is written for all its renamings.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from math import comb
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import JOKER, Card, rank
from tapisvert.odds.parallel import spread
from tapisvert.odds.suits import cards_of, patterns

HAND = 7
_MOST_CARDS = 53


def _ways() -> NDArray[np.int64]:
    return np.array([[comb(n, k) for k in range(HAND + 1)] for n in range(_MOST_CARDS + 1)])


WAYS = _ways()  # the number of sets of k of n cards


class Deck(NamedTuple):
    """A deck, and the allowed renamings of its suits."""

    cards: NDArray[np.uint8]  # ascending; the joker is the highest
    renamings: NDArray[np.uint8]  # one row per renaming: the card that replaces each
    places: NDArray[np.uint8]  # the index of each of the 53 among the cards

    @property
    def size(self) -> int:
        """The number of cards."""
        return len(self.cards)

    @property
    def hands(self) -> int:
        """The number of hands of seven."""
        return comb(self.size, HAND)

    @property
    def deals(self) -> int:
        """The number of ways to deal seven cards to the player and seven to the house."""
        return self.hands * comb(self.size - HAND, HAND)


class Sets(NamedTuple):
    """Sets of cards, one per suit pattern, as ascending places in the deck."""

    rows: NDArray[np.uint8]
    weights: NDArray[np.int64]  # the number of sets each represents


def deck_of(cards: Sequence[Card]) -> Deck:
    """Return a deck of these cards.

    >>> deck_of(range(53)).deals
    8250459031214400
    """
    natural = {card for card in cards if card != JOKER}
    whole = {4 * rank(card) + suit for card in natural for suit in range(4)}
    orders = permutations(range(4)) if natural == whole else [(0, 1, 2, 3)]
    renamings = [[4 * (card >> 2) + order[card & 3] for card in range(52)] for order in orders]
    places = np.zeros(_MOST_CARDS, dtype=np.uint8)
    places[sorted(cards)] = np.arange(len(cards))
    return Deck(
        cards=np.array(sorted(cards), dtype=np.uint8),
        renamings=np.array([[*row, JOKER] for row in renamings], dtype=np.uint8),
        places=places,
    )


def sets_of(deck: Deck, size: int) -> Sets:
    """Return the sets of this many cards: one per suit pattern, or all if suits differ."""
    if len(deck.renamings) == 1:
        rows = np.array(list(combinations(range(deck.size), size)), dtype=np.uint8)
        return Sets(rows, np.ones(len(rows), dtype=np.int64))
    parts = [_natural(deck, size)]
    if size and deck.cards[-1] == JOKER:
        beside = _natural(deck, size - 1)
        joker = np.full((len(beside.rows), 1), deck.size - 1, dtype=np.uint8)
        parts.append(Sets(np.hstack([beside.rows, joker]), beside.weights))
    return Sets(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.weights for part in parts]),
    )


def _natural(deck: Deck, size: int) -> Sets:
    """Return the suit patterns of this many cards without the joker."""
    ranks = sum(
        1 << int(card) for card in {card >> 2 for card in deck.cards.tolist()} - {JOKER >> 2}
    )
    found = patterns(size)
    held = found.suits[:, 0] | found.suits[:, 1] | found.suits[:, 2] | found.suits[:, 3]
    there = held & ~np.int16(ranks) == 0
    cards = cards_of(found.suits[there], size)
    cards.sort(axis=1)
    return Sets(deck.places[cards], found.weights[there])


def number_all(
    deck: Deck, sets: Sets, values: NDArray[np.uint32], table: NDArray[np.uint32]
) -> None:
    """Write the value of each set at the numbers of all its renamings."""
    spread(
        lambda first, end: _number(
            sets.rows[first:end],
            values[first:end],
            deck.cards,
            deck.places,
            deck.renamings,
            WAYS,
            table,
        ),
        len(sets.rows),
    )


@numba.njit(cache=True, nogil=True)
def number_of(places: NDArray[np.uint8], ways: NDArray[np.int64]) -> int:
    """Return the number of a set of ascending places."""
    number = 0
    for n in range(len(places)):
        number += ways[places[n], n + 1]
    return number


@numba.njit(cache=True, nogil=True)
def _number(
    rows: NDArray[np.uint8],
    values: NDArray[np.uint32],
    cards: NDArray[np.uint8],
    places: NDArray[np.uint8],
    renamings: NDArray[np.uint8],
    ways: NDArray[np.int64],
    table: NDArray[np.uint32],
) -> None:
    size = rows.shape[1]
    renamed = np.empty(size, dtype=np.uint8)
    for row in range(len(rows)):
        for name in range(len(renamings)):
            for n in range(size):
                place = places[renamings[name, cards[rows[row, n]]]]
                at = n  # renaming changes the order only within a rank
                while at > 0 and renamed[at - 1] > place:
                    renamed[at] = renamed[at - 1]
                    at -= 1
                renamed[at] = place
            table[number_of(renamed, ways)] = values[row]


@numba.njit(cache=True, nogil=True)
def gather(
    table: NDArray[np.uint32],
    held: NDArray[np.uint8],
    cards: int,
    ways: NDArray[np.int64],
    out: NDArray[np.uint32],
) -> None:
    """Write the table's entries of every hand that contains these places of the deck."""
    more = HAND - len(held)
    shares, whole = _shares(held, cards, ways)
    # The hand's other cards, the lowest running fastest: `at` is the index of each among the cards
    # not held, `part` the sum of the shares from it upwards.
    at = np.arange(more + 1)
    at[more] = shares.shape[1]
    part = np.empty(more + 1, dtype=np.int64)
    part[more] = whole
    for n in range(more - 1, 0, -1):
        part[n] = part[n + 1] + shares[n, at[n]]
    count = 0
    while True:
        for lowest in range(at[1]):
            out[count + lowest] = table[part[1] + shares[0, lowest]]
        count += at[1]
        n = 1
        while n < more and at[n] + 1 == at[n + 1]:
            n += 1
        if n >= more:
            return
        at[n] += 1
        part[n] = part[n + 1] + shares[n, at[n]]
        for lower in range(n - 1, 0, -1):
            at[lower] = lower
            part[lower] = part[lower + 1] + shares[lower, lower]


@numba.njit(cache=True, nogil=True)
def _shares(
    held: NDArray[np.uint8], cards: int, ways: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """Return each other card's share in a hand's number, by its order n among them; and the rest.

    A held card with n others below counts as ways[held, its place among the held + n]. The share of
    the n-th lowest other card includes the change for held cards above it, from n - 1 others below
    to n.
    """
    more = HAND - len(held)
    shares = np.empty((more, cards - len(held)), dtype=np.int64)
    above = np.zeros(more + 1, dtype=np.int64)  # of the cards held so far, with n others below
    passed = 0
    for place in range(cards):
        if passed < len(held) and held[passed] == place:
            passed += 1
            for n in range(more + 1):
                above[n] += ways[place, passed + n]
        else:
            for n in range(more):
                shares[n, place - passed] = ways[place, passed + n + 1] + above[n] - above[n + 1]
    return shares, above[more]
