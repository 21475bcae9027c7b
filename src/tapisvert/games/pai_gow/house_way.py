"""The house way of Pai Gow, with the rule numbers of docs/rules/pai-gow.md.

The rules are tried in order; the first that applies decides. Cards are grouped by rank, the joker
as an ace. A rule names the ranks of the low hand. If several cards have them, the choice leaves the
best high hand (rule 12). The sheet sets the ranks in rules 3, 8 and 9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from tapisvert.cards import ACE, JOKER, RANKS, Card, rank
from tapisvert.games.pai_gow.sheet import HouseWay
from tapisvert.ranking.joker import low_strength, strength
from tapisvert.ranking.standard import FLUSH, ROYAL, STRAIGHT, STRAIGHT_FLUSH

Low = tuple[Card, Card]
TWO, KING = 0, 11
USUAL = HouseWay()
_COMPLETE = (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL)


def house_way(cards: Sequence[Card], way: HouseWay = USUAL) -> Low:
    """Return the two cards of the house's low hand, in dealing order.

    >>> from tapisvert.cards import parse_hand, write_hand
    >>> write_hand(house_way(parse_hand("Ks 9d 9c 6h 6s 4d 2c")))
    '6h 6s'
    """
    held = Counter(grouped(card) for card in cards)
    fives, fours, threes, pairs, singles = (
        sorted((each for each, count in held.items() if count == size), reverse=True)
        for size in (5, 4, 3, 2, 1)
    )
    if fives:
        return low_of(cards, [KING, KING] if KING in pairs else [ACE, ACE])  # 1
    if fours:
        return four_of_a_kind(cards, way, fours[0], [*threes, *pairs], singles)  # 2, 3
    if len(threes) == 2:
        return low_of(cards, [threes[0]] * 2)  # 4: two threes
    if threes and pairs:
        return three_and_pairs(cards, pairs, singles)  # 4, 5
    if len(pairs) == 3:
        return low_of(cards, [pairs[0]] * 2)  # 6
    if threes:
        return three_alone(cards, threes[0], singles)  # 7
    if len(pairs) == 2:
        return two_pairs(cards, way, pairs, singles)  # 8
    complete = best_complete(cards)
    if pairs:
        return one_pair(cards, way, pairs[0], singles, complete)  # 9, 11
    return complete or low_of(cards, singles[1:3])  # 10, 11


def four_of_a_kind(
    cards: Sequence[Card], way: HouseWay, four: int, others: list[int], singles: list[int]
) -> Low:
    """Four of a kind: three or a pair beside it makes the low hand; otherwise its rank decides."""
    if others:
        return low_of(cards, [others[0]] * 2)  # 2
    keep = four <= RANKS.index(way.fours_stay_to) or (
        four <= RANKS.index(way.fours_stay_with_ace_to) and ACE in singles
    )
    return low_of(cards, singles[:2] if keep else [four] * 2)  # 3


def three_and_pairs(cards: Sequence[Card], pairs: list[int], singles: list[int]) -> Low:
    """Three of a kind with two pairs, or a full house: the higher pair goes low."""
    if pairs == [TWO] and singles == [ACE, KING]:
        return low_of(cards, singles)  # 5, the exception: ace-king low, the full house high
    return low_of(cards, [pairs[0]] * 2)


def three_alone(cards: Sequence[Card], three: int, singles: list[int]) -> Low:
    """Three of a kind alone: a pair of it goes low if a complete hand remains; aces are split."""
    pair = low_of(cards, [three, three])
    if is_complete(high_of(cards, pair)):
        return pair
    return low_of(cards, [ACE, singles[0]] if three == ACE else singles[:2])


def two_pairs(cards: Sequence[Card], way: HouseWay, pairs: list[int], singles: list[int]) -> Low:
    """Two pairs: split them, or keep both high with the two highest other cards low."""
    higher, lower = pairs
    if higher == ACE or (
        higher >= RANKS.index(way.two_pairs_split_from)
        and lower >= RANKS.index(way.two_pairs_split_with)
    ):
        keep = False
    else:
        keep = higher <= RANKS.index(way.two_pairs_stay_to) or ACE in singles
    return low_of(cards, singles[:2] if keep else [lower] * 2)


def one_pair(
    cards: Sequence[Card], way: HouseWay, pair: int, singles: list[int], complete: Low | None
) -> Low:
    """One pair: prefer a complete high hand, with one exception; otherwise the pair goes high."""
    apart = low_of(cards, singles[:2])
    if complete is None:
        return apart  # 11
    better = low_strength(apart) > low_strength(complete)
    if pair >= RANKS.index(way.pair_stays_from) and ACE in singles and better:
        return apart  # 9, the exception
    return complete


def best_complete(cards: Sequence[Card]) -> Low | None:
    """Return the best low hand that leaves a straight or a flush high, or None."""
    lows = [low for low in combinations(cards, 2) if is_complete(high_of(cards, low))]
    return max(lows, key=lambda low: worth(cards, low), default=None)


def low_of(cards: Sequence[Card], ranks: Sequence[int]) -> Low:
    """Return two cards of these ranks; among several, those that leave the best high hand (12)."""
    wanted = sorted(ranks)
    lows = [low for low in combinations(cards, 2) if sorted(map(grouped, low)) == wanted]
    return max(lows, key=lambda low: worth(cards, low))


def worth(cards: Sequence[Card], low: Low) -> tuple[int, int]:
    """Return the sort key of a set: its low hand, then its high hand."""
    return low_strength(low), strength(high_of(cards, low))


def high_of(cards: Sequence[Card], low: Sequence[Card]) -> list[Card]:
    """Return the five cards of the high hand."""
    return [card for card in cards if card not in low]


def is_complete(high: Sequence[Card]) -> bool:
    """Tell whether a high hand is a straight, a flush, or both."""
    return strength(high) >> 20 in _COMPLETE


def grouped(card: Card) -> int:
    """Return the rank a card is grouped by; the joker is an ace."""
    return ACE if card == JOKER else rank(card)
