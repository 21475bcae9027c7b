"""The rules of a table as the kernels need them, and the deck before a hand is played."""

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
    """Make room for a felt."""
    shape = (len(places().packed), ENDS)
    return Room(np.empty(shape), np.empty(shape))


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


def left_of(rules: Rules, up: int, seen: Counts = NO_CARDS) -> NDArray[np.int64]:
    """Return the deck without the up card and what else was seen."""
    return np.array(with_card(rules.deck, up, -1), dtype=np.int64) - np.array(seen, dtype=np.int64)


def lay(
    rules: Rules,
    up: int,
    seen: Counts = NO_CARDS,
    asked: NDArray[np.int64] | None = None,
    pieces: int = 1,
    where: Room | None = None,
) -> tuple[Felt, NDArray[np.float64]]:
    """Lay the felt for an up card; also return the counts of the house's ends by place.

    `asked` are the places that will be asked for, if not all that the deck allows. The work is
    done in so many pieces, in new room if none is given.
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
