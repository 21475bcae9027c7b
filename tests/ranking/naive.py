"""Two slow reference implementations of the rules of poker, for checking the fast rankings.

`naive_rank` reads one hand; `count_by_category` counts every hand of a deck without dealing any;
`random_hands` deals the samples that both rankings are tried on. Nothing here imports
`tapisvert.ranking`, and the two references share only the table of straights. An error would go
unnoticed only if it occurred in several places alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import STANDARD, rank, suit

# Weakest first, under the names the product uses.
CATEGORY_NAMES = (
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
RANK_COUNT = 13
SUIT_COUNT = 4
# The ten straights, lowest first: the ace stands below the deuce in the first only.
STRAIGHTS = (
    frozenset({12, 0, 1, 2, 3}),
    *(frozenset(range(low, low + 5)) for low in range(RANK_COUNT - 4)),
)

NaiveRank = tuple[int, tuple[int, ...]]


def naive_rank(cards: Sequence[int]) -> NaiveRank:
    """Return the best of all the five-card hands among these cards, as (category, tie-breaks)."""
    return max(_naive_rank_of_five(five) for five in combinations(cards, 5))


def _naive_rank_of_five(cards: Sequence[int]) -> NaiveRank:
    ranks = [rank(card) for card in cards]
    copies = Counter(ranks)
    # Pairs before kickers, and the higher rank first among equals: the order ties are broken in.
    by_weight = tuple(sorted(copies, key=lambda held: (copies[held], held), reverse=True))
    flush = len({suit(card) for card in cards}) == 1
    if frozenset(ranks) in STRAIGHTS:
        place = STRAIGHTS.index(frozenset(ranks))
        if flush:
            name = "royal-flush" if place == len(STRAIGHTS) - 1 else "straight-flush"
        else:
            name = "straight"
        return CATEGORY_NAMES.index(name), (place,)
    if flush:
        return CATEGORY_NAMES.index("flush"), by_weight
    shapes = {
        (4, 1): "four-of-a-kind",
        (3, 2): "full-house",
        (3, 1, 1): "three-of-a-kind",
        (2, 2, 1): "two-pair",
        (2, 1, 1, 1): "pair",
        (1, 1, 1, 1, 1): "high-card",
    }
    shape = tuple(sorted(copies.values(), reverse=True))
    return CATEGORY_NAMES.index(shapes[shape]), by_weight


def random_hands(
    count: int, size: int, seed: int, deck: Sequence[int] = STANDARD
) -> NDArray[np.uint8]:
    """Deal this many hands, each from its own shuffled deck; the same seed deals the same hands."""
    keys = np.random.default_rng(seed).random((count, len(deck)))
    return np.argsort(keys, axis=1)[:, :size].astype(np.uint8)


def count_by_category(size: int) -> dict[str, int]:
    """Return how many hands of `size` cards (5, 6 or 7) fall in each category.

    No hand is dealt: suit patterns are counted for each set of suited ranks (flushes) and for each
    way to share the cards among the ranks (the rest). Two suits never both reach five cards.
    """
    counts = dict.fromkeys(CATEGORY_NAMES, 0)
    for suited in range(5, size + 1):
        others = comb((SUIT_COUNT - 1) * RANK_COUNT, size - suited)
        for ranks in combinations(range(RANK_COUNT), suited):
            counts[_suited_category(frozenset(ranks))] += SUIT_COUNT * others
    for copies in ways_to_share(RANK_COUNT, size):
        counts[_unsuited_category(copies)] += _hands_without_flush(copies)
    return counts


def ways_to_share(ranks: int, cards: int) -> Iterator[tuple[int, ...]]:
    """Yield each way to hold `cards` cards among `ranks` ranks, at most four of a rank.

    Each multiset occurs once, as a non-decreasing choice of ranks.
    """

    def extend(lowest: int, copies: list[int], left: int) -> Iterator[tuple[int, ...]]:
        if left == 0:
            yield tuple(copies)
            return
        for chosen in range(lowest, ranks):
            if copies[chosen] < SUIT_COUNT:
                copies[chosen] += 1
                yield from extend(chosen, copies, left - 1)
                copies[chosen] -= 1

    return extend(0, [0] * ranks, cards)


def _suited_category(ranks: frozenset[int]) -> str:
    if ranks >= STRAIGHTS[-1]:
        return "royal-flush"
    return "straight-flush" if any(ranks >= run for run in STRAIGHTS) else "flush"


def _unsuited_category(copies: Sequence[int]) -> str:
    held = frozenset(place for place, count in enumerate(copies) if count)
    first, second = sorted(copies, reverse=True)[:2]
    if first == 4:
        return "four-of-a-kind"
    if first == 3 and second >= 2:
        return "full-house"
    if any(held >= run for run in STRAIGHTS):
        return "straight"
    if first == 3:
        return "three-of-a-kind"
    if first == 2:
        return "two-pair" if second == 2 else "pair"
    return "high-card"


def _hands_without_flush(copies: Sequence[int]) -> int:
    """Return the number of ways to give suits to these ranks with at most four of any suit."""
    held = [count for count in copies if count]
    # by_suited[n]: the ways in which one chosen suit, say spades, has n cards.
    by_suited = [1]
    for count in held:
        without, within = comb(SUIT_COUNT - 1, count), comb(SUIT_COUNT - 1, count - 1)
        by_suited = [
            without * stay + within * join
            for stay, join in zip([*by_suited, 0], [0, *by_suited], strict=True)
        ]
    flushes = SUIT_COUNT * sum(by_suited[5:])
    return prod(comb(SUIT_COUNT, count) for count in held) - flushes
