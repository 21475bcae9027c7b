"""The rows of the Fortune Bonus reached by seven cards of the 53, the joker included.

A hand may reach several rows (a straight flush is a flush and a straight as well). The bet pays the
row with the highest price; the sheet sets the prices.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.cards import ACE, JOKER, Card, rank, suit

ROWS = (
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
ROYAL_RANKS = 0b11111 << 8
KING_QUEEN = 0b11 << 10
RUNS_OF_5 = (1 << ACE | 0b1111, *(0b11111 << low for low in range(9)))
RUNS_OF_7 = (1 << ACE | 0b111111, *(0b1111111 << low for low in range(7)))


def rows(seven: Sequence[Card]) -> tuple[str, ...]:
    """Return every row a hand reaches, in the order of `ROWS`.

    >>> from tapisvert.cards import parse_hand
    >>> rows(parse_hand("As Ad Ac Jk 9h 9d 2c"))
    ('four-of-a-kind', 'full-house', 'three-of-a-kind')
    """
    joker = JOKER in seven
    suits = [0] * 4
    counts = [0] * 13
    for card in seven:
        if card != JOKER:
            suits[suit(card)] |= 1 << rank(card)
            counts[rank(card)] += 1
    counts[ACE] += joker
    ranks = suits[0] | suits[1] | suits[2] | suits[3]
    most, next_most, *_ = sorted(counts, reverse=True)
    found = {
        "straight-flush-7": not joker and any(fills(held, RUNS_OF_7, 7) for held in suits),
        "royal-flush-king-queen": _royal_and_king_queen(suits, joker=joker),
        "straight-flush-7-joker": joker and any(fills(held, RUNS_OF_7, 6) for held in suits),
        "five-aces": counts[ACE] == 5,
        "royal-flush": any(fills(held, [ROYAL_RANKS], 5 - joker) for held in suits),
        "straight-flush": any(fills(held, RUNS_OF_5, 5 - joker) for held in suits),
        "four-of-a-kind": most >= 4,
        "full-house": most >= 3 and next_most >= 2,
        "flush": any(held.bit_count() >= 5 - joker for held in suits),
        "three-of-a-kind": most >= 3,
        "straight": fills(ranks, RUNS_OF_5, 5 - joker),
    }
    return tuple(row for row in ROWS if found[row])


def fills(held: int, runs: Sequence[int], cards: int) -> bool:
    """Tell whether a set of ranks has that many cards of one of these runs."""
    return any((held & run).bit_count() >= cards for run in runs)


def _royal_and_king_queen(suits: Sequence[int], *, joker: bool) -> bool:
    """Tell whether five cards make a royal flush and the other two a natural, suited king-queen."""
    royal = any((held & ROYAL_RANKS).bit_count() == 5 - joker for held in suits)
    return royal and any(
        held == KING_QUEEN
        and all(
            other == 0 or (other & ROYAL_RANKS).bit_count() == other.bit_count() == 5 - joker
            for place, other in enumerate(suits)
            if place != at
        )
        for at, held in enumerate(suits)
    )
