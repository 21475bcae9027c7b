"""A slow reference for High Card Flush, from docs/rules/high-card-flush.md.

Three ways to classify the house's hands, independent of the kernels: every hand of a thinned deck
in plain Python; all 45,379,620 hands of the full deck in blocks, ranked in batches; and by shares,
where each suit's sets are listed one by one and put together by how many cards of each suit the
house has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, prod
from typing import NamedTuple

import numpy as np

from tapisvert.cards import STANDARD, rank, suit
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.ranking.flush import strength
from tapisvert.ranking.flush_batch import strengths

HAND = 7
SHARES = [share for share in product(range(HAND + 1), repeat=4) if sum(share) == HAND]


class Ends(NamedTuple):
    """The number of the house's hands by result, if the player raises."""

    unqualified: int
    beaten: int
    tied: int
    better: int


def end_of(mine: int, theirs: int, least: int) -> int:
    """Return the result (flush.9 to flush.11)."""
    if theirs < least:
        return 0
    return 1 if theirs < mine else 2 if theirs == mine else 3


def ends_in_deck(deck: Sequence[int], least: int) -> dict[tuple[int, ...], Ends]:
    """Return the ends of every hand of a thinned deck, by going through every deal."""
    cards = [1 << card for card in deck]  # a hand is the sum of its cards
    worth = {
        sum(bits): strength(hand)
        for bits, hand in zip(combinations(cards, HAND), combinations(deck, HAND), strict=True)
    }
    found = {}
    for player in combinations(deck, HAND):
        counts = [0] * 4
        mine = worth[sum(1 << card for card in player)]
        for theirs in combinations([1 << card for card in deck if card not in player], HAND):
            counts[end_of(mine, worth[sum(theirs)], least)] += 1
        found[player] = Ends(*counts)
    return found


def ends_in_blocks(player: Sequence[int], least: int) -> Ends:
    """Go through all 45,379,620 hands of the house: two cards, and five of those after them."""
    mine = strength(player)
    left = np.array([card for card in STANDARD if card not in player], dtype=np.uint8)
    fives = np.array(list(combinations(range(45), 5)), dtype=np.uint8)
    counts = np.zeros(4, dtype=np.int64)
    for first, second in combinations(range(41), 2):
        after = left[fives[len(fives) - comb(44 - second, 5) :]]  # in order, so these are the last
        hands = np.empty((len(after), HAND), dtype=np.uint8)
        hands[:, 0], hands[:, 1], hands[:, 2:] = left[first], left[second], after
        theirs = strengths(hands)
        qualified = theirs[theirs >= least]
        counts[0] += len(theirs) - len(qualified)
        counts[1] += (qualified < mine).sum()
        counts[2] += (qualified == mine).sum()
        counts[3] += (qualified > mine).sum()
    return Ends(*counts.tolist())


def ends_by_shares(player: Sequence[int], least: int) -> Ends:
    """Class the house's hands by how many cards it has of each suit."""
    mine = strength(player)
    left = [card for card in STANDARD if card not in player]
    unqualified = hands_where(left, lambda value: value < least)
    weaker = hands_where(left, lambda value: value < max(mine, least))
    not_better = hands_where(left, lambda value: value < max(mine + 1, least))
    everything = comb(len(left), HAND)
    return Ends(unqualified, weaker - unqualified, not_better - weaker, everything - not_better)


def hands_where(left: Iterable[int], holds: Callable[[int], bool]) -> int:
    """Count the hands in which this holds for the flush of every suit."""
    by_suit: list[list[int]] = [[] for _ in range(4)]
    for card in left:
        by_suit[suit(card)].append(rank(card))
    kept = [
        [sum(holds(of_ranks(ranks)) for ranks in combinations(held, size)) for size in range(8)]
        for held in by_suit
    ]
    return sum(prod(kept[n][size] for n, size in enumerate(share)) for share in SHARES)


@cache
def of_ranks(ranks: tuple[int, ...]) -> int:
    """Return the strength of the flush of these ranks; no cards are no flush."""
    return strength([4 * each for each in ranks]) if ranks else 0


def raise_value(sheet: HighCardFlush, found: Ends, times: int) -> Fraction:
    """Return the mean net result of a raise, per ante (flush.9 to flush.11)."""
    total = found.unqualified * sheet.ante.pays
    total += found.beaten * (sheet.ante.pays + times * sheet.raises.pays)
    total -= found.better * (1 + times)
    return Fraction(total) / sum(found)


def best_choice(sheet: HighCardFlush, player: Sequence[int], found: Ends) -> tuple[Fraction, int]:
    """Return the value of the best choice and its raise: 0 folds (flush.5, flush.6)."""
    held = [sum(suit(card) == each for card in player) for each in range(4)]
    most = sheet.raises.most_times[f"flush-{max(held)}"]
    worths = [Fraction(-1), *(raise_value(sheet, found, times) for times in range(1, most + 1))]
    best = max(worths)
    return best, worths.index(best)
