"""The order of High Card Flush: the longest flush of seven cards, then its ranks from the top.

A strength is 32 bits: the length of the flush, then its ranks, four bits each, highest first. Among
suits of the same length, the strongest counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.cards import ACE, RANKS, Card, rank, suit


def strength(cards: Sequence[Card]) -> int:
    """Return the strength of a hand's best flush.

    >>> from tapisvert.cards import parse_hand
    >>> four = parse_hand("9h 7h 4h 2h As Kd Qc")
    >>> strength(four) > strength(parse_hand("Ah Kh Qh Js Td 9c 8s"))
    True
    """
    return max(map(of_suit, suits(cards)))


def best_flush(cards: Sequence[Card]) -> list[Card]:
    """Return the cards of the best flush, highest first.

    >>> from tapisvert.cards import parse_hand, write_hand
    >>> write_hand(best_flush(parse_hand("9h 7h 4h Ks 2s Qd Jc")))
    '9h 7h 4h'
    """
    best = max(range(4), key=lambda each: of_suit(suits(cards)[each]))
    return sorted((card for card in cards if suit(card) == best), reverse=True)


def least(length: int, ranks: Sequence[str]) -> int:
    """Return the lowest strength of a flush of this length headed by these ranks."""
    return _pack(length, [RANKS.index(written) for written in ranks])


def length(value: int) -> int:
    """Return the number of cards in the flush of a strength."""
    return value >> 28


def straight_flush_length(cards: Sequence[Card]) -> int:
    """Return the longest run of one suit; the ace stands high or low, never in the middle.

    >>> from tapisvert.cards import parse_hand
    >>> straight_flush_length(parse_hand("Ah 2h 3h Kh Qs 9d 9c"))
    3
    """
    return max(map(run_of_suit, suits(cards)))


def suits(cards: Sequence[Card]) -> list[int]:
    """Return the ranks held in each suit, as 13-bit sets."""
    held = [0] * 4
    for card in cards:
        held[suit(card)] |= 1 << rank(card)
    return held


def of_suit(ranks: int) -> int:
    """Return the strength of the flush made of these ranks."""
    return _pack(ranks.bit_count(), [place for place in range(ACE, -1, -1) if ranks >> place & 1])


def run_of_suit(ranks: int) -> int:
    """Return the longest run in a set of ranks."""
    line = ranks << 1 | ranks >> ACE
    run = 0
    while line:
        line &= line >> 1
        run += 1
    return run


def _pack(length: int, ranks: Sequence[int]) -> int:
    value = length
    for place in range(7):
        value = value << 4 | (ranks[place] if place < len(ranks) else 0)
    return value
