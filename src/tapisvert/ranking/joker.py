"""The order of Pai Gow hands: five cards of which one may be the joker, and two-card low hands.

Strengths are packed as in `standard`: the category, then up to five ranks, four bits each. Two
things differ. Five aces rank above the royal flush. A-2-3-4-5 is the second highest straight, below
A-high and above K-high, so a straight is packed by its place in that order, not by its top card.

The joker completes a straight, a flush or a straight flush, as the best card that is not among the
other four; otherwise it is an ace.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.cards import (
    ACE,
    JOKER,
    RANKS,
    Card,
    rank,
    suit,
)
from tapisvert.ranking import standard
from tapisvert.ranking.standard import (
    FLUSH,
    HIGH_CARD,
    PAIR,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    pack,
)

CATEGORIES = (*standard.CATEGORIES, "five-aces")
FIVE_ACES = 10
_ACE_HIGH, _ACE_TO_FIVE = 13, 12  # the places of the two straights with an ace
# The sets of ranks (13 bits) that make a straight, best first, with their places.
_STRAIGHTS = (
    (0b11111 << 8, _ACE_HIGH),
    (1 << ACE | 0b1111, _ACE_TO_FIVE),
    *((0b11111 << low, low + 4) for low in range(7, -1, -1)),
)


def strength(five: Sequence[Card]) -> int:
    """Return the strength of a high hand.

    >>> from tapisvert.cards import parse_hand
    >>> category(strength(parse_hand("As Ah Ad Ac Jk")))
    'five-aces'
    >>> strength(parse_hand("2s 3h 4d 5c Jk")) > strength(parse_hand("Ks Qh Jd Tc 9s"))
    True
    """
    natural = [card for card in five if card != JOKER]
    joker = len(natural) < len(five)
    if len({suit(card) for card in natural}) == 1:
        return of_suited(sum(1 << rank(card) for card in natural), joker=joker)
    counts = [0] * 13
    for card in natural:
        counts[rank(card)] += 1
    return of_counts(counts, joker=joker)


def of_suited(ranks: int, *, joker: bool) -> int:
    """Return the strength of suited cards (a 13-bit set of ranks), with or without the joker."""
    straight = _straight(ranks)
    if straight is not None:
        return pack(ROYAL, []) if straight == _ACE_HIGH else pack(STRAIGHT_FLUSH, [straight])
    if joker:  # the joker is the highest missing rank
        ranks |= 1 << next(place for place in range(ACE, -1, -1) if not ranks >> place & 1)
    return pack(FLUSH, _places(ranks))


def of_counts(counts: Sequence[int], *, joker: bool) -> int:
    """Return the strength without a flush, from the number of natural cards of each rank."""
    ranks = sum(1 << place for place, count in enumerate(counts) if count)
    straight = _straight(ranks) if ranks.bit_count() == sum(counts) else None
    if straight is not None:
        return pack(STRAIGHT, [straight])
    held = list(counts)
    held[ACE] += joker
    if held[ACE] == 5:
        return pack(FIVE_ACES, [])
    return standard.of_counts(held)


def low_strength(two: Sequence[Card]) -> int:
    """Return the strength of a low hand; the joker is an ace.

    >>> from tapisvert.cards import parse_hand
    >>> low_strength(parse_hand("Jk 2c")) > low_strength(parse_hand("Kd Qd"))
    True
    """
    high, low = sorted((ACE if card == JOKER else rank(card) for card in two), reverse=True)
    return pack(PAIR, [high]) if high == low else pack(HIGH_CARD, [high, low])


def outranks(high: int, low: int) -> bool:
    """Tell whether a high hand may stand beside a low hand: it must not be the weaker of the two.

    >>> from tapisvert.cards import parse_hand
    >>> outranks(strength(parse_hand("Js Jh 9d 4c 2s")), low_strength(parse_hand("Jd Jc")))
    True
    """
    # A higher category is always stronger. Two pairs compare by rank; without pairs, the two
    # highest cards compare. A low pair has no rank after its first.
    return high >> 12 >= low >> 12


def category(value: int) -> str:
    """Return the name of a strength's category."""
    return CATEGORIES[value >> 20]


def telling_ranks(value: int) -> str:
    """Return the ranks in a hand's name; A-2-3-4-5 is named by its five.

    >>> from tapisvert.cards import parse_hand
    >>> telling_ranks(strength(parse_hand("2s 3h 4d 5c Jk")))
    '5'
    """
    if value >> 20 == FIVE_ACES:
        return ""
    if value >> 20 in (STRAIGHT, STRAIGHT_FLUSH):
        place = value >> 16 & 15
        return {_ACE_HIGH: "A", _ACE_TO_FIVE: "5"}.get(place) or RANKS[place]
    return standard.telling_ranks(value)


def stands_for(five: Sequence[Card]) -> Card | None:
    """Return the card the joker of a high hand stands for; None without a joker, or as a fifth ace.

    >>> from tapisvert.cards import parse_hand, text
    >>> text(stands_for(parse_hand("Kh 9h 7h 2h Jk")))
    'Ah'
    """
    if JOKER not in five:
        return None
    goal = strength(five)
    natural = [card for card in five if card != JOKER]
    unused = (card for card in range(JOKER - 1, -1, -1) if card not in natural)
    return next((card for card in unused if strength([*natural, card]) == goal), None)


def _straight(ranks: int) -> int | None:
    """Return the place of the best straight these ranks fit in; four ranks leave one to fill."""
    if ranks.bit_count() < 4:
        return None
    return next((place for run, place in _STRAIGHTS if not ranks & ~run), None)


def _places(ranks: int) -> list[int]:
    return [place for place in range(ACE, -1, -1) if ranks >> place & 1]
