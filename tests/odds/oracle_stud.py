"""A slow reference for Casino Stud, from docs/rules/casino-stud.md: every hand of the house.

eval7, a third-party evaluator, ranks the hands: 163,185 hands take a tenth of a second.
`ranking.standard` gives only the category of the player's hand, because eval7 has no royal flush.
Nothing here uses the kernels.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

from tapisvert.cards import RANKS, STANDARD, text
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.ranking.standard import category, strength

with warnings.catch_warnings():
    # eval7 0.1.11 calls old names of pyparsing on import; warnings are errors in this project.
    warnings.simplefilter("ignore")
    import eval7

EVAL7 = tuple(eval7.Card(text(card)) for card in STANDARD)


def by_eval7(cards: Iterable[int]) -> int:
    """Return eval7's value of a hand of five to seven cards; a stronger one has a higher value."""
    return int(eval7.evaluate([EVAL7[card] for card in cards]))


class Ends(NamedTuple):
    """The number of the house's hands by result, if the player plays."""

    unqualified: int
    beaten: int
    tied: int
    better: int


@cache
def weakest_qualifying(qualifies_with: tuple[str, ...]) -> int:
    """Return eval7's value of the weakest hand that qualifies (stud.8).

    High cards are compared by their ranks from the top as far as the sheet names them; a hand of
    five different ranks and mixed suits may still be a straight, and any pair qualifies.
    """
    needed = [RANKS.index(rank) for rank in qualifies_with]
    values = [by_eval7((0, 1, 4, 8, 13))]  # 2 2 3 4 5
    for ranks in combinations(range(13), 5):
        if sorted(ranks, reverse=True)[: len(needed)] >= needed:
            values.append(by_eval7(4 * rank + place % 4 for place, rank in enumerate(ranks)))
    return min(values)


def ends(player: Sequence[int], up: int, qualifies_with: tuple[str, ...]) -> Ends:
    """Go through the 163,185 hands of the house with this card face up."""
    mine = by_eval7(player)
    least = weakest_qualifying(qualifies_with)
    shown = EVAL7[up]
    hidden = [EVAL7[card] for card in STANDARD if card != up and card not in player]
    unqualified = beaten = tied = better = 0
    for four in combinations(hidden, 4):
        theirs = eval7.evaluate((shown, *four))
        if theirs < least:
            unqualified += 1
        elif theirs < mine:
            beaten += 1
        elif theirs == mine:
            tied += 1
        else:
            better += 1
    return Ends(unqualified, beaten, tied, better)


def play_value(sheet: CasinoStud, player: Sequence[int], found: Ends) -> Fraction:
    """Return the mean net result of playing, per ante (stud.9 to stud.12)."""
    row = category(strength(player))
    raised = sheet.play.times_ante
    total = found.unqualified * sheet.ante.pays
    total += found.beaten * (sheet.ante.pays + raised * sheet.play.pays[row])
    total -= found.better * (1 + raised)
    return Fraction(total) / sum(found)


def bonus_row(six: Sequence[int]) -> str:
    """Return the best five of six, trying each five in turn (stud.13)."""
    return category(max(strength(five) for five in combinations(six, 5)))
