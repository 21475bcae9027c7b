"""The standard order of poker hands: the best five of five, six or seven cards.

A strength is a 24-bit number: the category, then up to five ranks in order of importance, four
bits each. Comparing two hands is comparing two integers.

    category   high-card 0 ... straight-flush 8, royal-flush 9
    ranks      what the hand is made of, then its kickers

The ace is high, except in 5-4-3-2-A, which is the lowest straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tapisvert.cards import ACE, RANKS, Card

CATEGORIES = (
    "high-card",
    "pair",
    "two-pair",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
    "royal-flush",
)
HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT = range(5)
FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL = range(5, 10)
_TELLING_RANKS = (5, 4, 3, 3, 1, 5, 2, 2, 1, 0)  # the number of ranks in a hand's name, by category


def strength(cards: Sequence[Card]) -> int:
    """Return the strength of the best five of five to seven cards.

    >>> from tapisvert.cards import parse_hand
    >>> pair, straight = parse_hand("Ah As Kd 9c 2s"), parse_hand("Ah 2s 3d 4c 5s")
    >>> strength(straight) > strength(pair)
    True
    """
    counts = [0] * 13
    suits = [0] * 4  # a 13-bit set of ranks for each suit
    for card in cards:
        counts[card >> 2] += 1
        suits[card & 3] |= 1 << (card >> 2)
    for ranks in suits:
        # Five suited cards leave at most two others: never a full house or four of a kind.
        if ranks.bit_count() >= 5:
            return of_suited(ranks)
    return of_counts(counts)


def of_suited(ranks: int) -> int:
    """Return the strength of a flush made of these ranks (a 13-bit set), straight or not."""
    top = _straight_top(ranks)
    if top is None:
        return pack(FLUSH, _highest(ranks, 5))
    return pack(ROYAL, []) if top == ACE else pack(STRAIGHT_FLUSH, [top])


def of_counts(counts: Sequence[int]) -> int:
    """Return the strength of a hand without a flush, from the number of cards of each rank."""
    groups = sorted(((n, rank) for rank, n in enumerate(counts) if n), reverse=True)
    ranks = sum(1 << rank for _, rank in groups)
    (most, first), (next_most, second) = groups[0], groups[1]
    if most == 4:
        return pack(FOUR, [first, *_highest(ranks & ~(1 << first), 1)])
    if most == 3 and next_most >= 2:
        return pack(FULL_HOUSE, [first, second])
    top = _straight_top(ranks)
    if top is not None:
        return pack(STRAIGHT, [top])
    if most == 3:
        return pack(THREE, [first, *_highest(ranks & ~(1 << first), 2)])
    if next_most == 2:
        return pack(TWO_PAIR, [first, second, *_highest(ranks & ~(1 << first | 1 << second), 1)])
    if most == 2:
        return pack(PAIR, [first, *_highest(ranks & ~(1 << first), 3)])
    return pack(HIGH_CARD, _highest(ranks, 5))


def pack(category: int, ranks: Sequence[int]) -> int:
    """Return the strength of this category and these ranks; missing ranks count lowest.

    >>> pack(HIGH_CARD, [12, 11]) <= strength([51, 47, 4, 9, 14])   # A K 3 4 5: ace-king or better
    True
    """
    value = category
    for place in range(5):
        value = value << 4 | (ranks[place] if place < len(ranks) else 0)
    return value


def category(value: int) -> str:
    """Return the name of a strength's category.

    >>> from tapisvert.cards import parse_hand
    >>> category(strength(parse_hand("Ah Kh Qh Jh Th 2c 3d")))
    'royal-flush'
    """
    return CATEGORIES[value >> 20]


def telling_ranks(value: int) -> str:
    """Return the ranks in a hand's name, most important first.

    >>> from tapisvert.cards import parse_hand
    >>> telling_ranks(strength(parse_hand("Kh Ks 4d 4c As")))
    'K4A'
    """
    count = _TELLING_RANKS[value >> 20]
    return "".join(RANKS[value >> 4 * (4 - place) & 15] for place in range(count))


def best_five(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the five cards that make the hand, in the given order."""
    if len(cards) == 5:
        return tuple(cards)
    goal = strength(cards)
    return next(five for five in combinations(cards, 5) if strength(five) == goal)


def _straight_top(ranks: int) -> int | None:
    """Return the highest rank that ends a run of five; the ace also ranks below the deuce."""
    line = ranks << 1 | ranks >> ACE
    runs = line & line >> 1 & line >> 2 & line >> 3 & line >> 4
    return runs.bit_length() + 2 if runs else None


def _highest(ranks: int, count: int) -> list[int]:
    found: list[int] = []
    while ranks and len(found) < count:
        top = ranks.bit_length() - 1
        found.append(top)
        ranks ^= 1 << top
    return found
