"""A brute-force count of Pai Gow: every deal of a small deck, one after the other.

Nothing here is shared with `tapisvert.odds`: hands are set and ranked as at the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

from tapisvert.cards import RANKS, Card
from tapisvert.games.pai_gow.house_way import high_of, house_way
from tapisvert.games.pai_gow.sheet import HouseWay, PaiGow
from tapisvert.ranking.fortune import rows
from tapisvert.ranking.joker import low_strength, outranks, strength

Hand = tuple[Card, ...]
Laid = tuple[int, int]  # the strengths of a low hand and a high hand
Facing = Sequence[Laid]


# Hands of a small deck share their fives: each is ranked once.
strength_of = cache(strength)


def laid(hand: Sequence[Card], low: Sequence[Card]) -> Laid:
    return low_strength(low), strength_of(tuple(high_of(hand, low)))


@cache
def allowed(hand: Hand) -> dict[tuple[Card, Card], Laid]:
    sets = {low: laid(hand, low) for low in combinations(hand, 2)}
    return {low: each for low, each in sets.items() if outranks(each[1], each[0])}


def ends(sheet: PaiGow, mine: Laid, theirs: Laid) -> str:
    if theirs[0] < 1 << 20 and theirs[0] >> 16 == RANKS.index(sheet.house.not_eligible_with):
        return "not-eligible"
    better = (mine[0] > theirs[0]) + (mine[1] > theirs[1])
    return ("loss", "push", "win")[better]


def net(sheet: PaiGow, mine: Laid, facing: Facing) -> Fraction:
    """Return the total net result of a set against these hands of the house."""
    ended = Counter(ends(sheet, mine, each) for each in facing)
    return ended["win"] * sheet.main.pays - ended["loss"]


def by_house(sheet: PaiGow, hand: Hand, _: Facing) -> Laid:
    return laid_by_house(sheet.house_way, hand)


@cache
def laid_by_house(way: HouseWay, hand: Hand) -> Laid:
    return laid(hand, house_way(hand, way))


def best(sheet: PaiGow, hand: Hand, facing: Facing) -> Laid:
    """Return the best set: of equals the house way's, then the one with the better low hand."""
    usual = by_house(sheet, hand, facing)
    return max(
        allowed(hand).values(), key=lambda each: (net(sheet, each, facing), each == usual, each)
    )


def best_high(_: PaiGow, hand: Hand, __: Facing) -> Laid:
    return max(allowed(hand).values(), key=lambda each: (each[1], each[0]))


def best_low(_: PaiGow, hand: Hand, __: Facing) -> Laid:
    return max(allowed(hand).values())


CHOICES: dict[str, Callable[[PaiGow, Hand, Facing], Laid]] = {
    "house-way": by_house,
    "optimal": best,
    "best-high": best_high,
    "best-low": best_low,
}


def facing(sheet: PaiGow, hand: Hand, deck: Sequence[Card]) -> Facing:
    """Return all hands the house may have against one of the player, as the house sets them."""
    left = [card for card in deck if card not in hand]
    return [by_house(sheet, other, ()) for other in combinations(left, 7)]


def deals(sheet: PaiGow, deck: Sequence[Card]) -> Iterator[tuple[Hand, Facing]]:
    """Yield every hand of the player with all hands the house may have against it."""
    for hand in combinations(deck, 7):
        yield hand, facing(sheet, hand, deck)


def count_main(
    sheet: PaiGow, deck: Sequence[Card], strategies: Sequence[str]
) -> dict[str, dict[str, int]]:
    """Count how every deal ends, by strategy."""
    found = {each: Counter[str]() for each in strategies}
    for hand, theirs in deals(sheet, deck):
        for strategy in strategies:
            mine = CHOICES[strategy](sheet, hand, theirs)
            found[strategy].update(ends(sheet, mine, each) for each in theirs)
    names = ("win", "push", "loss", "not-eligible")
    return {each: {name: counts[name] for name in names} for each, counts in found.items()}


def count_fortune(sheet: PaiGow, deck: Sequence[Card]) -> Counter[str]:
    """Count the row of every hand."""
    pays = sheet.fortune.pays
    return Counter(
        max(rows(hand), key=lambda row: pays[row], default="nothing")
        for hand in combinations(deck, 7)
    )
