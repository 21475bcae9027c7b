"""Three Card Poker the slow way, written from docs/rules.md: nothing here knows the package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from tapisvert.cards import STANDARD, text

Rank = tuple[int, ...]

KINDS = ("high-card", "pair", "flush", "straight", "three-of-a-kind", "straight-flush")
BONUS = {"straight": 1, "three-of-a-kind": 4, "straight-flush": 5}
FACES = "23456789TJQKA"
RUNS = {"A23": 3, **{FACES[n : n + 3]: n + 4 for n in range(11)}}  # by its highest card


class Ends(NamedTuple):
    """How many hands of the house end the round each way, if the player plays."""

    unqualified: int
    beaten: int
    tied: int
    better: int


def rank_hand(hand: Sequence[int]) -> Rank:
    """Rank three cards by their faces: the kind, then what hands of the kind are compared by."""
    faces = [text(card) for card in hand]
    ranks = Counter(face[0] for face in faces)
    suited = len({face[1] for face in faces}) == 1
    run = next((RUNS[run] for run in RUNS if set(run) == set(ranks)), None)
    by_count = sorted(((n, FACES.index(face)) for face, n in ranks.items()), reverse=True)
    compared = tuple(rank for _, rank in by_count)
    if run is not None:
        return KINDS.index("straight-flush" if suited else "straight"), run
    if suited:
        return KINDS.index("flush"), *compared
    return (0, KINDS.index("pair"), KINDS.index("three-of-a-kind"))[by_count[0][0] - 1], *compared


def kind_of(hand: Sequence[int]) -> str:
    """Name the kind of three cards."""
    return KINDS[rank_hand(hand)[0]]


def qualifies(rank: Rank) -> bool:
    """Say whether the house plays with this hand: queen high or better (three.7)."""
    return rank[0] > 0 or rank[1] >= FACES.index("Q")


def ends(player: Sequence[int]) -> Ends:
    """Go through the 18,424 hands of the house."""
    mine = rank_hand(player)
    unqualified = beaten = tied = better = 0
    for house in combinations([card for card in STANDARD if card not in player], 3):
        theirs = rank_hand(house)
        if not qualifies(theirs):
            unqualified += 1
        elif theirs < mine:
            beaten += 1
        elif theirs == mine:
            tied += 1
        else:
            better += 1
    return Ends(unqualified, beaten, tied, better)


def play_value(player: Sequence[int], found: Ends) -> Fraction:
    """Return the mean net result of playing, per ante (three.8 to three.12)."""
    total = found.unqualified + 2 * found.beaten - 2 * found.better
    return Fraction(total, sum(found)) + BONUS.get(kind_of(player), 0)
