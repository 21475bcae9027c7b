"""The order of three-card hands.

A strength is a 16-bit number: the category, then up to three ranks in order of importance, four
bits each. Comparing two hands is comparing two integers.

With three cards a straight is rarer than a flush, and three of a kind is rarer than both. The ace
is high, except in 3-2-A, which is the lowest straight.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.cards import ACE, RANKS, Card, rank, suit

CATEGORIES = ("high-card", "pair", "flush", "straight", "three-of-a-kind", "straight-flush")
HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH = range(6)
CATEGORY_SHIFT = 12
_TELLING_RANKS = (3, 2, 3, 1, 1, 1)  # how many ranks a category is told by
_LOWEST_STRAIGHT = [ACE, 1, 0]  # A-3-2, ranks sorted from the top


def strength(cards: Sequence[Card]) -> int:
    """Return the strength of three cards.

    >>> from tapisvert.cards import parse_hand
    >>> flush, straight = parse_hand("Ah Kh 9h"), parse_hand("Ah 2s 3d")
    >>> strength(straight) > strength(flush)
    True
    """
    high, middle, low = ranks = sorted((rank(card) for card in cards), reverse=True)
    suited = len({suit(card) for card in cards}) == 1
    if high == low:
        return pack(THREE, [high])
    if middle in (high, low):
        return pack(PAIR, [middle, low if middle == high else high])
    if ranks == _LOWEST_STRAIGHT:
        return pack(STRAIGHT_FLUSH if suited else STRAIGHT, [middle])
    if high - low == 2:
        return pack(STRAIGHT_FLUSH if suited else STRAIGHT, [high])
    return pack(FLUSH if suited else HIGH_CARD, ranks)


def pack(category: int, ranks: Sequence[int]) -> int:
    """Return the strength with this category and these telling ranks; missing ranks count lowest.

    >>> from tapisvert.cards import parse_hand
    >>> pack(HIGH_CARD, [10]) <= strength(parse_hand("Qs 3d 2h"))   # queen high or better
    True
    """
    value = category
    for place in range(3):
        value = value << 4 | (ranks[place] if place < len(ranks) else 0)
    return value


def category(value: int) -> str:
    """Return the name of a strength's category.

    >>> from tapisvert.cards import parse_hand
    >>> category(strength(parse_hand("Ah 2h 3h")))
    'straight-flush'
    """
    return CATEGORIES[value >> CATEGORY_SHIFT]


def telling_ranks(value: int) -> str:
    """Return the ranks a hand is named by, most important first.

    >>> from tapisvert.cards import parse_hand
    >>> telling_ranks(strength(parse_hand("4h As 4d"))), telling_ranks(strength([48, 0, 5]))
    ('4A', '3')
    """
    count = _TELLING_RANKS[value >> CATEGORY_SHIFT]
    return "".join(RANKS[value >> 4 * (2 - place) & 15] for place in range(count))
