"""The player's seven cards against the house's, counted over all deals by inclusion and exclusion.

The two hands share no card. Over all pairs of hands, shared cards or not, a property is easy to
count with sorted hands. The pairs that share nothing are

    disjoint = sum over all sets S of up to seven cards of (-1)^|S| * (pairs that both contain S)

since a pair that shares s > 0 cards is counted C(s,0) - C(s,1) + C(s,2) - ... = 0 times. One S per
suit pattern suffices. The hands that contain S are found in a table of all hands by addition: a
hand's number is a sum in which each card outside S has its own share, which depends on how many of
these cards are below it.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.pai_gow.odds.deck import HAND, WAYS, gather, sets_of
from tapisvert.games.pai_gow.odds.hands import HouseHands
from tapisvert.games.pai_gow.odds.sets import LOW_BITS, LOW_MASK, LOWS, Marks, order
from tapisvert.odds.parallel import Progress, no_progress, spread

# The best method to count pairs depends on how many hands contain a set: 154,143,080 of the 53
# cards for the empty set, then 20,358,520, 2,349,060, 230,300, 18,424, 1,128 and 47 for six.
_COMPARED = 64  # up to this many: compare all pairs
_SORTED = 19_000  # up to this many: sort; above: tally by class
_BOTH, _LOW, _HIGH, _ELIGIBLE = range(4)


class Deals(NamedTuple):
    """The number of deals by result of the main bet."""

    win: int
    push: int
    loss: int
    not_eligible: int


def count_deals(house: HouseHands, player: Marks, tell: Progress = no_progress) -> Deals:
    """Count every deal, with the player's hands set as these marks say."""
    deck = house.deck
    sums = [0, 0, 0, 0]
    for shared in range(HAND + 1):
        parts = _sharing(house, player, shared, tell)
        for n in range(4):
            sums[n] += (-1) ** shared * sum(int(part[n]) for part in parts)
    facing = comb(deck.size - HAND, HAND)  # hands left to the player
    held = int(np.count_nonzero(house.eligible[house.marks & LOW_MASK]))
    if sums[_ELIGIBLE] != held * facing:
        raise AssertionError(f"{sums[_ELIGIBLE]:,} eligible deals of {held * facing:,}")
    win = sums[_BOTH]
    loss = sums[_ELIGIBLE] - sums[_LOW] - sums[_HIGH] + win
    push = sums[_ELIGIBLE] - win - loss
    return Deals(win, push, loss, deck.deals - sums[_ELIGIBLE])


def _sharing(
    house: HouseHands, player: Marks, shared: int, tell: Progress
) -> list[NDArray[np.int64]]:
    """Sum over the sets of this many cards, in pieces."""

    def tell_all(done: float) -> None:
        tell((shared + done) / (HAND + 1))

    if shared == HAND:  # both have the same hand
        return spread(
            lambda first, end: _alike(player[first:end], house.marks[first:end], house.eligible),
            house.deck.hands,
            tell_all,
        )
    sets = sets_of(house.deck, shared)
    highs = len(order().strengths)
    return spread(
        lambda first, end: _over_sets(
            sets.rows[first:end],
            sets.weights[first:end],
            house.deck.size,
            player,
            house.marks,
            player is house.marks,
            house.eligible,
            highs,
            WAYS,
        ),
        len(sets.rows),
        tell_all,
    )


@numba.njit(cache=True, nogil=True)
def _over_sets(
    rows: NDArray[np.uint8],
    weights: NDArray[np.int64],
    cards: int,
    player: Marks,
    house: Marks,
    alike: bool,
    eligible: NDArray[np.bool_],
    highs: int,
    ways: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Sum over sets: the pairs that contain one and in which both, low, high are better; and all
    pairs.
    """
    shared = rows.shape[1]
    hands = ways[cards - shared, HAND - shared]
    mine = np.empty(hands if shared else 0, dtype=np.uint32)
    theirs = mine if alike else np.empty(hands if shared else 0, dtype=np.uint32)
    tallies = np.zeros((2, highs if hands > _SORTED else 0, LOWS), dtype=np.int32)
    ordered = np.empty((2, hands if hands <= _SORTED else 0), dtype=np.uint8)
    starts = np.empty((2, highs + 2), dtype=np.int64)
    sums = np.zeros(4, dtype=np.int64)
    found = np.zeros(4, dtype=np.int64)
    for row in range(len(rows)):
        if shared == 0:
            mine, theirs = player, house
        else:
            gather(player, rows[row], cards, ways, mine)
            if not alike:
                gather(house, rows[row], cards, ways, theirs)
        found[:] = 0
        if len(mine) <= _COMPARED:
            by_comparing(mine, theirs, eligible, found)
        elif len(mine) <= _SORTED:
            by_order(mine, theirs, eligible, ordered, starts, found)
        else:
            by_tally(mine, theirs, eligible, tallies, found)
        sums += weights[row] * found
    return sums


@numba.njit(cache=True, nogil=True)
def by_tally(
    mine: Marks,
    theirs: Marks,
    eligible: NDArray[np.bool_],
    tallies: NDArray[np.int32],
    found: NDArray[np.int64],
) -> None:
    """Count pairs by a tally of classes; the tallies are empty before and after."""
    my_tally, their_tally = tallies[0], tallies[1]
    below_low = np.zeros(LOWS, dtype=np.int64)
    for each in mine:
        my_tally[each >> LOW_BITS, each & LOW_MASK] += 1
    for each in theirs:
        if eligible[each & LOW_MASK]:
            their_tally[each >> LOW_BITS, each & LOW_MASK] += 1
            below_low[each & LOW_MASK] += 1
    below_both = np.zeros(LOWS, dtype=np.int64)
    below_high = 0
    all_below = 0
    for low in range(LOWS):
        all_below, below_low[low] = all_below + int(below_low[low]), all_below
    both, lower, higher = 0, 0, 0
    for high in range(len(my_tally)):
        here = 0
        for low in range(LOWS):
            count = int(my_tally[high, low])
            both += count * int(below_both[low])
            lower += count * int(below_low[low])
            here += count
            my_tally[high, low] = 0
        higher += here * below_high
        here = 0
        for low in range(LOWS):
            below_both[low] += here
            here += int(their_tally[high, low])
            their_tally[high, low] = 0
        below_high += here
    _add(found, both, lower, higher, len(mine) * all_below)


@numba.njit(cache=True, nogil=True)
def _sort(marks: Marks, lows: NDArray[np.uint8], starts: NDArray[np.int64]) -> None:
    """Sort the low hands by their high hands; `starts` has the first of each."""
    starts[:] = 0
    for each in marks:
        starts[(each >> LOW_BITS) + 2] += 1
    for high in range(2, len(starts)):
        starts[high] += starts[high - 1]
    for each in marks:
        lows[starts[(each >> LOW_BITS) + 1]] = each & LOW_MASK
        starts[(each >> LOW_BITS) + 1] += 1


@numba.njit(cache=True, nogil=True)
def by_order(
    mine: Marks,
    theirs: Marks,
    eligible: NDArray[np.bool_],
    ordered: NDArray[np.uint8],
    starts: NDArray[np.int64],
    found: NDArray[np.int64],
) -> None:
    """Count pairs from the weakest high hand upwards; two arrays are buffers for sorting."""
    _sort(mine, ordered[0], starts[0])
    _sort(theirs, ordered[1], starts[1])
    below_low = np.zeros(LOWS, dtype=np.int64)
    for low in ordered[1]:
        below_low[low] += eligible[low]
    all_below = 0
    for low in range(LOWS):
        all_below, below_low[low] = all_below + int(below_low[low]), all_below
    below_both = np.zeros(LOWS, dtype=np.int32)
    below_high = 0
    both, lower, higher = 0, 0, 0
    for high in range(starts.shape[1] - 2):
        for n in range(starts[0, high], starts[0, high + 1]):
            both += int(below_both[ordered[0, n]])
            lower += int(below_low[ordered[0, n]])
            higher += below_high
        for n in range(starts[1, high], starts[1, high + 1]):
            if eligible[ordered[1, n]]:
                below_high += 1
                for low in range(ordered[1, n] + 1, LOWS):
                    below_both[low] += 1
    _add(found, both, lower, higher, len(mine) * all_below)


@numba.njit(cache=True, nogil=True)
def by_comparing(
    mine: Marks, theirs: Marks, eligible: NDArray[np.bool_], found: NDArray[np.int64]
) -> None:
    """Count pairs by comparing each."""
    both, lower, higher, seen = 0, 0, 0, 0
    for their in theirs:
        if eligible[their & LOW_MASK]:
            seen += len(mine)
            for my in mine:
                low = my & LOW_MASK > their & LOW_MASK
                high = my >> LOW_BITS > their >> LOW_BITS
                lower += int(low)
                higher += int(high)
                both += int(low & high)
    _add(found, both, lower, higher, seen)


@numba.njit(cache=True, nogil=True)
def _alike(mine: Marks, theirs: Marks, eligible: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Sum over hands: a hand against itself, as the player sets it and as the house does."""
    found = np.zeros(4, dtype=np.int64)
    both, lower, higher, seen = 0, 0, 0, 0
    for n in range(len(mine)):
        if eligible[theirs[n] & LOW_MASK]:
            seen += 1
            low = mine[n] & LOW_MASK > theirs[n] & LOW_MASK
            high = mine[n] >> LOW_BITS > theirs[n] >> LOW_BITS
            lower += int(low)
            higher += int(high)
            both += int(low & high)
    _add(found, both, lower, higher, seen)
    return found


@numba.njit(cache=True, nogil=True)
def _add(found: NDArray[np.int64], both: int, low: int, high: int, eligible: int) -> None:
    # Summed in a local variable and then stored: a sum in a register is much faster.
    found[_BOTH] += both
    found[_LOW] += low
    found[_HIGH] += high
    found[_ELIGIBLE] += eligible
