"""The rules of a table in the form the kernels need, and the deck before a hand is played."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.dealer_outcomes import (
    ENDS,
    barred,
    count_ends,
    draws,
    stand_values,
)
from tapisvert.games.blackjack.odds.hands import DECK, NO_CARDS, Counts, places, with_card
from tapisvert.games.blackjack.odds.play import DOUBLING, NIBBLES, ON_10_OR_11, Felt, guard_of
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.parallel import spread


class Room(NamedTuple):
    """Reusable buffers for counts and values, a row per place; rows not requested are stale."""

    ends: NDArray[np.float64]
    values: NDArray[np.float64]


def room() -> Room:
    """Allocate the buffers of a `Felt`."""
    shape = (len(places().packed), ENDS)
    return Room(np.empty(shape), np.empty(shape))


class Rules(NamedTuple):
    """The rules the main bet depends on. The deck and the first doubling are fixed."""

    hits_soft_17: bool = True
    doubling: int = ON_10_OR_11  # for two cards as dealt
    doubling_halves: int = ON_10_OR_11
    pays: Fraction = Fraction(1)
    blackjack_pays: Fraction = Fraction(3, 2)
    even_money_pays: Fraction = Fraction(1)
    insurance_pays: Fraction = Fraction(2)
    deck: Counts = DECK


def rules_of(sheet: Blackjack) -> Rules:
    """Read the rules from a sheet."""
    return Rules(
        hits_soft_17=sheet.house.hits_soft_17,
        doubling_halves=DOUBLING[sheet.hand.double_after_split],
        pays=sheet.hand.pays,
        blackjack_pays=sheet.hand.blackjack_pays,
        even_money_pays=sheet.hand.even_money_pays,
        insurance_pays=sheet.insurance.pays,
    )


def left_of(rules: Rules, up: int, seen: Counts = NO_CARDS) -> NDArray[np.int64]:
    """Return the deck without the up card and the other visible cards."""
    return np.array(with_card(rules.deck, up, -1), dtype=np.int64) - np.array(seen, dtype=np.int64)


def lay(
    rules: Rules,
    up: int,
    seen: Counts = NO_CARDS,
    asked: NDArray[np.int64] | None = None,
    pieces: int = 1,
    where: Room | None = None,
) -> tuple[Felt, NDArray[np.float64]]:
    """Prepare the `Felt` of an up card; also return the counts of the house's ends by place.

    `asked` lists the places that will be read; by default, all that the deck allows. The work is
    split into this many pieces; buffers are allocated if none are given.
    """
    left, spots = left_of(rules, up, seen), places()
    guard = guard_of(left)
    if asked is None:
        asked = np.flatnonzero((guard - spots.packed) & NIBBLES == NIBBLES)
    ends, values = where or room()
    tree, wanted = draws(up, rules.hits_soft_17), asked

    def work(first: int, end: int) -> None:
        count_ends(tree, left, spots.packed, wanted[first:end], ends)
        stand_values(wanted[first:end], ends, float(rules.pays), values)

    spread(work, len(wanted), pieces=pieces)
    felt = Felt(left, guard, int(left.sum()), barred(up), spots.row, spots.column, values)
    return felt, ends
