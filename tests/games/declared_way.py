"""An independent implementation of the house way's twelve rules, compared on many hands.

    python tests/games/declared_way.py --hands 1000000

The declared way shares nothing with `tapisvert.games.pai_gow.house_way` and `tapisvert.ranking`: it
takes hands one by one, and ranks them with the naive evaluator of the tests.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from ranking.naive import STRAIGHTS, NaiveRank
from ranking.naive_joker import naive_high, naive_low, sets
from tapisvert.cards import ACE, JOKER, RANKS, WITH_JOKER, Card, rank, suit, write_hand

Set = tuple[NaiveRank, NaiveRank]  # the low hand and the high hand, as they rank
TWO, SIX, TEN, JACK, KING = (RANKS.index(each) for each in "26TJK")


def declared(seven: Sequence[Card]) -> Set:
    """Return the house's set of seven cards, by the first rule that applies."""
    by_ranks = low_ranks(seven)
    return complete(seven) if by_ranks is None else leaving_most(seven, by_ranks)


def ranked(seven: Sequence[Card], low: Sequence[Card]) -> Set:
    """Return the rank of a set."""
    return naive_low(low), naive_high([card for card in seven if card not in low])


def leaving_most(seven: Sequence[Card], wanted: Sequence[int]) -> Set:
    """Put cards of these ranks low, so that the best high hand is left (rule 12)."""
    lows = (low for low in combinations(seven, 2) if sorted(map(held_as, low)) == sorted(wanted))
    return max((ranked(seven, low) for low in lows), key=lambda each: each[1])


def held_as(card: Card) -> int:
    """Group a card: the joker is an ace."""
    return ACE if card == JOKER else rank(card)


def low_ranks(seven: Sequence[Card]) -> list[int] | None:
    """Return the ranks of the low hand; None if a complete hand decides (rules 7, 9, 10)."""
    held = Counter(map(held_as, seven))
    five, four, three, two, one = (
        sorted((each for each in held if held[each] == size), reverse=True)
        for size in (5, 4, 3, 2, 1)
    )
    if five:
        return [KING, KING] if KING in two else [ACE, ACE]  # 1
    if four:
        return four_of_a_kind(four[0], three + two, one)
    if len(three) == 2:
        return [three[0]] * 2  # 4
    if three and two:
        full_house_of_twos = len(two) == 1 and two[0] == TWO and one == [ACE, KING]
        return one if full_house_of_twos else [two[0]] * 2  # 4, 5
    if len(two) == 3:
        return [two[0]] * 2  # 6
    if three:
        if has_complete(seven, pair=True):
            return [three[0]] * 2  # 7
        return [ACE, one[0]] if three[0] == ACE else one[:2]
    if len(two) == 2:
        return two_pairs(two, one)  # 8
    if not has_complete(seven):
        return one[:2] if two else one[1:3]  # 11
    if two and TEN <= two[0] <= KING and one[0] == ACE:
        exception = (0, (ACE, one[1]))
        return [ACE, one[1]] if exception > complete(seven)[0] else None  # 9
    return None


def four_of_a_kind(four: int, beside: list[int], one: list[int]) -> list[int]:
    """Rules 2 and 3."""
    if beside:
        return [beside[0]] * 2
    stays = four <= SIX or (four <= TEN and one[0] == ACE)
    return one[:2] if stays else [four] * 2


def two_pairs(two: list[int], one: list[int]) -> list[int]:
    """Rule 8."""
    high, low = two
    if high == ACE:
        return [low] * 2
    if high <= SIX:
        return one[:2]
    if high >= JACK and low >= SIX:
        return [low] * 2
    return one[:2] if one[0] == ACE else [low] * 2


def is_complete(five: Sequence[Card]) -> bool:
    """Tell whether five cards are a straight or a flush, with or without the joker."""
    natural = [card for card in five if card != JOKER]
    ranks = {rank(card) for card in natural}
    flush = len({suit(card) for card in natural}) == 1
    straight = len(ranks) == len(natural) and any(ranks <= set(each) for each in STRAIGHTS)
    return flush or straight


def has_complete(seven: Sequence[Card], *, pair: bool = False) -> bool:
    """Tell whether a complete hand can stay high, with a pair low if required."""
    return any(is_complete(high) for high, low in sets(seven) if not pair or naive_low(low)[0])


def complete(seven: Sequence[Card]) -> Set:
    """Return the highest low hand that leaves a complete one high; of equals, the better high."""
    lows = (low for high, low in sets(seven) if is_complete(high))
    best = max(naive_low(low) for low in lows)
    tied = (low for high, low in sets(seven) if is_complete(high) and naive_low(low) == best)
    return max(ranked(seven, low) for low in tied)


def random_hands(count: int, seed: int) -> list[list[Card]]:
    """Deal random hands of seven from 53 cards."""
    chance = random.Random(seed)
    return [chance.sample(WITH_JOKER, 7) for _ in range(count)]


def main() -> None:
    """Compare the suggestion with the declared way on many hands."""
    from tapisvert.games.pai_gow.house_way import house_way

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=14)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    for done in range(1, asked.hands + 1):
        seven = chance.sample(WITH_JOKER, 7)
        if ranked(seven, house_way(seven)) != declared(seven):
            raise SystemExit(f"hand {done}: {write_hand(seven)} is set otherwise than declared")
        if done % 100_000 == 0:
            print(f"{done:,} hands set as declared", flush=True)


if __name__ == "__main__":
    main()
