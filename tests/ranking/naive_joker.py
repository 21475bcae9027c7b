"""Slow reference implementations of the orders of Pai Gow and High Card Flush.

Nothing here imports `tapisvert.ranking`. The joker is tried as every card the rules allow, the
Fortune Bonus is searched in every five of the seven cards, flushes are compared as tuples, and runs
are searched window by window.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ranking.naive import CATEGORY_NAMES, STRAIGHTS, NaiveRank, naive_rank, random_hands
from tapisvert.cards import (
    ACE,
    JOKER,
    STANDARD,
    WITH_JOKER,
    rank,
    suit,
)

PAI_GOW_NAMES = (*CATEGORY_NAMES, "five-aces")
# Lowest first: A-2-3-4-5 is the second highest.
PAI_GOW_STRAIGHTS = (*STRAIGHTS[1:-1], STRAIGHTS[0], STRAIGHTS[-1])
STRAIGHT, TWO_PAIR, PAIR = map(CATEGORY_NAMES.index, ("straight", "two-pair", "pair"))
FIVE_ACES: NaiveRank = (PAI_GOW_NAMES.index("five-aces"), ())
ACES = frozenset(card for card in STANDARD if rank(card) == ACE)
ROYAL = STRAIGHTS[-1]
ACE_TO_ACE = (ACE, *range(13))  # the ace stands at either end


def naive_high(five: Sequence[int]) -> NaiveRank:
    """Return the rank of a high hand: the best its joker can make."""
    if JOKER not in five:
        return _natural_high(five)
    others = [card for card in five if card != JOKER]
    cards = stand_ins(five)
    return max(_natural_high([*others, card]) for card in cards) if cards else FIVE_ACES


def stand_ins(five: Sequence[int]) -> list[int]:
    """Return the cards a joker may stand for: none when the other four are the aces."""
    others = [card for card in five if card != JOKER]
    unused = [card for card in STANDARD if card not in others]
    completing = [card for card in unused if _is_straight_or_flush([*others, card])]
    return completing or [card for card in unused if card in ACES]


def best_stand_ins(five: Sequence[int]) -> list[int]:
    """Return the cards a joker stands for in the best hand, any of them."""
    others = [card for card in five if card != JOKER]
    goal = naive_high(five)
    return [card for card in stand_ins(five) if _natural_high([*others, card]) == goal]


def naive_low(two: Sequence[int]) -> NaiveRank:
    """Return the rank of a low hand, by the categories of high hands."""
    ranks = sorted((ACE if card == JOKER else rank(card) for card in two), reverse=True)
    return (PAIR, (ranks[0],)) if ranks[0] == ranks[1] else (0, tuple(ranks))


def naive_legal(high: Sequence[int], low: Sequence[int]) -> bool:
    """Tell whether a set is legal, clause by clause."""
    category, ranks = naive_high(high)
    low_category, low_ranks = naive_low(low)
    if category >= TWO_PAIR:
        return True
    if category == PAIR:
        return low_category != PAIR or ranks[0] >= low_ranks[0]
    return low_category != PAIR and ranks[:2] >= low_ranks


def sets(seven: Sequence[int]) -> Iterator[tuple[list[int], tuple[int, ...]]]:
    """Yield the 21 ways to make a high and a low hand of seven cards."""
    for low in combinations(seven, 2):
        yield [card for card in seven if card not in low], low


def naive_fortune(seven: Sequence[int]) -> frozenset[str]:
    """Return every row of the Fortune Bonus that some of these seven cards make."""
    found = {row for five in combinations(seven, 5) for row in _rows_of_five(five)}
    for five, two in sets(seven):
        king_queen = sorted(map(rank, two)) == [ACE - 2, ACE - 1] and JOKER not in two
        if king_queen and _is_suited(two) and "royal-flush" in _rows_of_five(five):
            found.add("royal-flush-king-queen")
    others = [card for card in seven if card != JOKER]
    if len(others) == 7:
        if _is_straight_flush_of_7(seven):
            found.add("straight-flush-7")
    elif any(_is_straight_flush_of_7([*others, card]) for card in STANDARD if card not in others):
        found.add("straight-flush-7-joker")
    return frozenset(found)


def naive_flush(cards: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """Return the best flush of a hand: its length, then its ranks from the top."""
    suits = [[rank(card) for card in cards if suit(card) == each] for each in range(4)]
    return max((len(ranks), tuple(sorted(ranks, reverse=True))) for ranks in suits)


def naive_run(cards: Sequence[int]) -> int:
    """Return the length of the longest straight flush of at most seven cards."""
    held = [{rank(card) for card in cards if suit(card) == each} for each in range(4)]
    return max(
        length
        for length in range(1, 8)
        for start in range(len(ACE_TO_ACE) - length + 1)
        for ranks in held
        if ranks >= set(ACE_TO_ACE[start : start + length])
    )


def rise_together(ranked: set[tuple[int, Any]]) -> bool:
    """Tell whether strengths and an oracle's ranks have the same order, ties included."""
    return all(
        weaker < stronger and weaker_oracle < stronger_oracle
        for (weaker, weaker_oracle), (stronger, stronger_oracle) in pairwise(sorted(ranked))
    )


def every_hand(deck: Sequence[int], size: int) -> NDArray[np.uint8]:
    """Deal every hand of this many cards, each in the order of the deck."""
    cards = chain.from_iterable(combinations(deck, size))
    return np.fromiter(cards, dtype=np.uint8).reshape(-1, size)


def first_seen(cards: Sequence[int]) -> tuple[int, ...]:
    """Rename the suits of natural cards in order of appearance: no rule distinguishes suits."""
    names: dict[int, int] = {}
    return tuple(
        sorted(4 * rank(card) + names.setdefault(suit(card), len(names)) for card in sorted(cards))
    )


def random_hands_of_53(
    count: int, size: int, seed: int, *, joker: bool = False
) -> NDArray[np.uint8]:
    """Deal hands from the 53 cards, each from its own shuffled deck, or all with the joker."""
    hands = random_hands(count, size, seed, STANDARD if joker else WITH_JOKER)
    if joker:
        hands[np.arange(count), np.arange(count) % size] = JOKER
    return hands


def _natural_high(five: Sequence[int]) -> NaiveRank:
    category, ranks = naive_rank(five)
    if _is_straight(five):
        ranks = (PAI_GOW_STRAIGHTS.index(frozenset(map(rank, five))),)
    return category, ranks


def _rows_of_five(five: Sequence[int]) -> set[str]:
    """Return the rows that five cards reach, lower ones included: four of a kind contain three."""
    if JOKER not in five:
        return _rows_of_natural_five(five)
    others = [card for card in five if card != JOKER]
    cards = stand_ins(five)
    if not cards:
        return {"five-aces", "four-of-a-kind", "three-of-a-kind"}
    return {row for card in cards for row in _rows_of_natural_five([*others, card])}


def _rows_of_natural_five(five: Sequence[int]) -> set[str]:
    straight, flush = _is_straight(five), _is_suited(five)
    copies = sorted(Counter(map(rank, five)).values())
    tests = {
        "straight": straight,
        "flush": flush,
        "straight-flush": straight and flush,
        "royal-flush": flush and frozenset(map(rank, five)) == ROYAL,
        "three-of-a-kind": copies[-1] >= 3,
        "full-house": copies == [2, 3],
        "four-of-a-kind": copies == [1, 4],
    }
    return {row for row, held in tests.items() if held}


def _is_straight_flush_of_7(cards: Sequence[int]) -> bool:
    windows = [set(ACE_TO_ACE[start : start + 7]) for start in range(len(ACE_TO_ACE) - 6)]
    return _is_suited(cards) and set(map(rank, cards)) in windows


def _is_straight_or_flush(five: Sequence[int]) -> bool:
    return _is_suited(five) or _is_straight(five)


def _is_straight(five: Sequence[int]) -> bool:
    return frozenset(map(rank, five)) in STRAIGHTS


def _is_suited(cards: Sequence[int]) -> bool:
    return len(set(map(suit, cards))) == 1
