"""The rules of a table as the kernels need them, and the deck as it lies before a hand is played."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.blackjack_hands import DECK, Counts, places, with_card
from tapisvert.odds.blackjack_house import ENDS, barred, count_ends, draws, stand_values
from tapisvert.odds.blackjack_play import DOUBLING, ON_10_OR_11, Felt, guard_of
from tapisvert.sheets import Blackjack


class Rules(NamedTuple):
    """What the main bet depends on. The deck and the first doubling are fixed by the rules."""

    hits_soft_17: bool = True
    doubling: int = ON_10_OR_11  # of two cards as dealt
    doubling_halves: int = ON_10_OR_11
    pays: Fraction = Fraction(1)
    blackjack_pays: Fraction = Fraction(3, 2)
    even_money_pays: Fraction = Fraction(1)
    insurance_pays: Fraction = Fraction(2)
    deck: Counts = DECK


def rules_of(sheet: Blackjack) -> Rules:
    """Take the rules from a sheet."""
    return Rules(
        hits_soft_17=sheet.house.hits_soft_17,
        doubling_halves=DOUBLING[sheet.hand.double_after_split],
        pays=sheet.hand.pays,
        blackjack_pays=sheet.hand.blackjack_pays,
        even_money_pays=sheet.hand.even_money_pays,
        insurance_pays=sheet.insurance.pays,
    )


def lay(
    rules: Rules, up: int, seen: Counts | None = None, taken: NDArray[np.int64] | None = None
) -> tuple[Felt, NDArray[np.float64]]:
    """Lay the felt for an up card; also return the counts of the house's ends by place.

    `seen` is out of the deck besides the up card; `taken` names the places that will be asked
    for, all that the deck allows if left out.
    """
    left = np.array(with_card(rules.deck, up, -1), dtype=np.int64)
    if seen is not None:
        left -= np.array(seen, dtype=np.int64)
    spots = places()
    asked = spots.packed if taken is None else spots.packed[taken]
    guard = guard_of(left)
    fits = (guard - asked) & 0x8888888888 == 0x8888888888
    here = np.flatnonzero(fits) if taken is None else taken[fits]
    ends = np.empty((len(spots.packed), ENDS))
    values = np.empty((len(spots.packed), ENDS))
    count_ends(draws(up, rules.hits_soft_17), left, spots.packed, here, ends)
    stand_values(here, ends, float(rules.pays), values)
    felt = Felt(left, guard, int(left.sum()), barred(up), spots.row, spots.column, values)
    return felt, ends
