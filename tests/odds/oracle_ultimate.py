"""A slow reference for Ultimate Texas Hold'em, from docs/rules/ultimate.md: every pair of the
house.

At the river `ranking.standard` ranks the 990 pairs one by one. On the flop there are 1,081 x 990
endings, which are ranked in one batch; their results are computed here all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import STANDARD
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES, category, strength

FOLDED = Fraction(-2)  # ante and blind (uth.6)


class Showdowns(NamedTuple):
    """The number of the house's pairs the player beats and loses to, opened and not."""

    won_opened: int
    won_closed: int
    lost_opened: int
    lost_closed: int
    pairs: int


class Worths(NamedTuple):
    """Sums over the endings of a position, in antes: the components of a raise, and a check."""

    fixed: Fraction  # ante and blind, if something is raised
    per_ante: Fraction  # each ante raised
    checked: Fraction  # the best at the river


def showdowns(hole: Sequence[int], board: Sequence[int], opens_with: str) -> Showdowns:
    """Go through the 990 pairs of the house (uth.8, uth.9)."""
    mine = strength([*hole, *board])
    needed = CATEGORIES.index(opens_with)
    left = [card for card in STANDARD if card not in (*hole, *board)]
    counts = dict.fromkeys(("won", "lost", "won closed", "lost closed", "tie"), 0)
    for pair in combinations(left, 2):
        theirs = strength([*pair, *board])
        end = "tie" if theirs == mine else "won" if theirs < mine else "lost"
        if end != "tie" and CATEGORIES.index(category(theirs)) < needed:
            end += " closed"
        counts[end] += 1
    return Showdowns(
        counts["won"],
        counts["won closed"],
        counts["lost"],
        counts["lost closed"],
        sum(counts.values()),
    )


def net(sheet: Ultimate, row: str, raised: int, end: str, opened: bool) -> Fraction:
    """Return the net result of a raised round: ante, blind and play (uth.9 to uth.12)."""
    if end == "tie":
        return Fraction(0)
    if end == "lost":
        return Fraction(-1 - raised - opened)
    total = sheet.blind.pays.get(row, Fraction(0)) + raised * sheet.play.pays
    return total + sheet.ante.pays if opened else total


def raised_worth(sheet: Ultimate, row: str, found: Showdowns, raised: int) -> Fraction:
    """Return the sum of a raise's net results over the pairs of the house."""
    return (
        found.won_opened * net(sheet, row, raised, "won", True)
        + found.won_closed * net(sheet, row, raised, "won", False)
        + found.lost_opened * net(sheet, row, raised, "lost", True)
        + found.lost_closed * net(sheet, row, raised, "lost", False)
    )


def at_river(sheet: Ultimate, row: str, found: Showdowns) -> tuple[Worths, int]:
    """Return a position's values on the whole board, and the last raise: 0 folds (uth.6)."""
    fixed = raised_worth(sheet, row, found, 0)
    per_ante = raised_worth(sheet, row, found, 1) - fixed
    choices = {0: FOLDED * found.pairs}
    choices |= {times: fixed + times * per_ante for times in sheet.play.after_river}
    best = max(choices, key=choices.__getitem__)  # of equals the first: the fold
    return Worths(fixed, per_ante, choices[best]), best


def on_flop(sheet: Ultimate, hole: Sequence[int], flop: Sequence[int]) -> Worths:
    """Sum a position's values over the 1,081 turns and rivers."""
    left = np.array([card for card in STANDARD if card not in (*hole, *flop)], dtype=np.uint8)
    endings = left[_endings()]
    mine = _ranked(endings[:, 0, :2], [*hole, *flop])
    theirs = _ranked(endings.reshape(-1, 4), flop).reshape(1081, 990)
    won, lost = theirs < mine[:, None], theirs > mine[:, None]
    opened = theirs >> 20 >= CATEGORIES.index(sheet.house.opens_with)
    kinds = (won & opened, won & ~opened, lost & opened, lost & ~opened)
    counts = np.stack([kind.sum(axis=1) for kind in kinds], axis=1)
    alike = Counter(zip(map(category, mine.tolist()), map(tuple, counts.tolist()), strict=True))
    total = [Fraction(0)] * 3
    for (row, found), boards in alike.items():
        worths, _ = at_river(sheet, row, Showdowns._make([*found, 990]))
        total = [so_far + boards * worth for so_far, worth in zip(total, worths, strict=True)]
    return Worths._make(total)


def _ranked(cards: NDArray[np.uint8], others: Sequence[int]) -> NDArray[np.int32]:
    """Rank rows of cards, each beside the same others."""
    beside = np.array(others, dtype=np.uint8)
    return strengths(np.hstack((cards, np.broadcast_to(beside, (len(cards), len(beside))))))


@cache
def _endings() -> NDArray[np.uint8]:
    """Return, of 47 cards left, every turn and river with every pair of the house: four places."""
    found = np.empty((1081, 990, 4), dtype=np.uint8)
    pairs = np.array(list(combinations(range(45), 2)))
    for row, common in enumerate(combinations(range(47), 2)):
        rest = np.array([place for place in range(47) if place not in common], dtype=np.uint8)
        found[row, :, :2] = common
        found[row, :, 2:] = rest[pairs]
    return found
