"""The player's seven cards against the house's, over every deal, without dealing any.

The two hands share no card. Over all pairs of hands, shared cards or not, a property is easy to
count: the hands are sorted. And of the pairs that share nothing,

    disjoint = sum over all sets S of up to seven cards of (-1)^|S| * (pairs that both contain S)

since a pair that shares s > 0 cards is counted C(s,0) - C(s,1) + C(s,2) - ... = 0 times. One S of
each suit pattern is enough. The hands that contain S are found in a table of all hands by adding:
the number of a hand is a sum in which each card outside S has a share of its own, given how many
of these are below it.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.cores import Tell, silent, spread
from tapisvert.odds.pai_gow_deck import HAND, WAYS, Deck, sets_of
from tapisvert.odds.pai_gow_sets import LOW_BITS, LOW_MASK, LOWS, order

Marks = NDArray[np.uint32]  # the set of every hand, by the hand's number
_TALLIED = 3  # with up to so many cards shared there are many hands: tally them by class
_COMPARED = 6  # from so many on there are few: compare each with each
_BOTH, _LOW, _HIGH, _ELIGIBLE = range(4)


class Deals(NamedTuple):
    """How many deals there are, by how the main bet ends."""

    win: int
    push: int
    loss: int
    not_eligible: int


def count_deals(
    deck: Deck,
    player: Marks,
    house: Marks,
    eligible: NDArray[np.bool_],
    tell: Tell = silent,
) -> Deals:
    """Count every deal, both sides set as told; `eligible` says which low hands of the house are.

    Both hands better is a win, both not better is a loss.
    """
    sums = [0, 0, 0, 0]
    for shared in range(HAND + 1):
        sets = sets_of(deck, shared)
        for part in spread(
            lambda first, end, sets=sets: _over_sets(  # type: ignore[misc]
                sets.rows[first:end],
                sets.weights[first:end],
                deck.size,
                player,
                house,
                player is house,
                eligible,
                len(order().strengths),
                WAYS,
            ),
            len(sets.rows),
            lambda done, shared=shared: tell((shared + done) / (HAND + 1)),  # type: ignore[misc]
        ):
            for n in range(4):
                sums[n] += (-1) ** shared * int(part[n])
    facing = comb(deck.size - HAND, HAND)  # as many hands are left to the player, whatever these
    held = int(np.count_nonzero(eligible[house & LOW_MASK]))
    if sums[_ELIGIBLE] != held * facing:
        raise AssertionError(f"{sums[_ELIGIBLE]:,} eligible deals of {held * facing:,}")
    win = sums[_BOTH]
    loss = sums[_ELIGIBLE] - sums[_LOW] - sums[_HIGH] + win
    push = sums[_ELIGIBLE] - win - loss
    return Deals(win, push, loss, deck.deals - sums[_ELIGIBLE])


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
    """Sum over sets: the pairs that contain one and where both, low, high are better; and all."""
    shared = rows.shape[1]
    hands = ways[cards - shared, HAND - shared] if shared else 0
    mine = np.empty(hands, dtype=np.uint32)
    theirs = mine if alike else np.empty(hands, dtype=np.uint32)
    tallies = np.zeros((2, highs, LOWS), dtype=np.int32)
    ordered = np.empty((2, hands), dtype=np.uint8)
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
        if shared <= _TALLIED:
            _by_tally(mine, theirs, eligible, tallies[0], tallies[1], found)
        elif shared < _COMPARED:
            _sort(mine, ordered[0], starts[0])
            _sort(theirs, ordered[1], starts[1])
            _by_order(ordered, starts, eligible, found)
        else:
            _by_comparing(mine, theirs, eligible, found)
        sums += weights[row] * found
    return sums


@numba.njit(cache=True, nogil=True)
def gather(
    table: NDArray[np.uint32],
    held: NDArray[np.uint8],
    cards: int,
    ways: NDArray[np.int64],
    out: NDArray[np.uint32],
) -> None:
    """Write what the table says of every hand that contains these places of the deck."""
    more = HAND - len(held)
    shares, whole = _shares(held, cards, ways)
    if more == 0:
        out[0] = table[whole]
        return
    # The hand's other cards, the lowest running fastest: `at` is where each is among those that
    # are not held, `part` the sum of the shares from it upwards.
    at = np.arange(more + 1)
    at[more] = shares.shape[1]
    part = np.empty(more + 1, dtype=np.int64)
    part[more] = whole
    for n in range(more - 1, 0, -1):
        part[n] = part[n + 1] + shares[n, at[n]]
    count = 0
    while True:
        for lowest in range(at[1]):
            out[count + lowest] = table[part[1] + shares[0, lowest]]
        count += at[1]
        n = 1
        while n < more and at[n] + 1 == at[n + 1]:
            n += 1
        if n >= more:
            return
        at[n] += 1
        part[n] = part[n + 1] + shares[n, at[n]]
        for lower in range(n - 1, 0, -1):
            at[lower] = lower
            part[lower] = part[lower + 1] + shares[lower, lower]


@numba.njit(cache=True, nogil=True)
def _shares(
    held: NDArray[np.uint8], cards: int, ways: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """Return what each other card adds to a hand's number as the n-th lowest, and the rest of it.

    A held card with n others below counts as ways[held, its place among the held + n]. Written for
    the n-th lowest other card: the held ones above it no longer have n - 1 below but n.
    """
    more = HAND - len(held)
    shares = np.empty((more, cards - len(held)), dtype=np.int64)
    above = np.zeros(more + 1, dtype=np.int64)  # of the held so far, with n others below
    passed = 0
    for place in range(cards):
        if passed < len(held) and held[passed] == place:
            passed += 1
            for n in range(more + 1):
                above[n] += ways[place, passed + n]
        else:
            for n in range(more):
                shares[n, place - passed] = ways[place, passed + n + 1] + above[n] - above[n + 1]
    return shares, above[more]


@numba.njit(cache=True, nogil=True)
def _by_tally(
    mine: Marks,
    theirs: Marks,
    eligible: NDArray[np.bool_],
    my_tally: NDArray[np.int32],
    their_tally: NDArray[np.int32],
    found: NDArray[np.int64],
) -> None:
    """Count pairs by a tally of classes; the tallies are left as they came, empty."""
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
        all_below, below_low[low] = all_below + below_low[low], all_below
    found[_ELIGIBLE] += len(mine) * all_below
    for high in range(len(my_tally)):
        for low in range(LOWS):
            count = np.int64(my_tally[high, low])
            found[_BOTH] += count * below_both[low]
            found[_LOW] += count * below_low[low]
            found[_HIGH] += count * below_high
            my_tally[high, low] = 0
        here = 0
        for low in range(LOWS):
            below_both[low] += here
            here += np.int64(their_tally[high, low])
            their_tally[high, low] = 0
        below_high += here


@numba.njit(cache=True, nogil=True)
def _sort(marks: Marks, lows: NDArray[np.uint8], starts: NDArray[np.int64]) -> None:
    """Write the low hands in the order of the high ones; those of one begin at its start."""
    starts[:] = 0
    for each in marks:
        starts[(each >> LOW_BITS) + 2] += 1
    for high in range(2, len(starts)):
        starts[high] += starts[high - 1]
    for each in marks:
        lows[starts[(each >> LOW_BITS) + 1]] = each & LOW_MASK
        starts[(each >> LOW_BITS) + 1] += 1


@numba.njit(cache=True, nogil=True)
def _by_order(
    ordered: NDArray[np.uint8],
    starts: NDArray[np.int64],
    eligible: NDArray[np.bool_],
    found: NDArray[np.int64],
) -> None:
    """Count pairs of sorted hands (mine, theirs), from the weakest high hand upwards."""
    below_low = np.zeros(LOWS, dtype=np.int64)
    for low in ordered[1]:
        below_low[low] += eligible[low]
    all_below = 0
    for low in range(LOWS):
        all_below, below_low[low] = all_below + below_low[low], all_below
    found[_ELIGIBLE] += ordered.shape[1] * all_below
    below_both = np.zeros(LOWS, dtype=np.int32)
    below_high = 0
    for high in range(starts.shape[1] - 2):
        for n in range(starts[0, high], starts[0, high + 1]):
            found[_BOTH] += below_both[ordered[0, n]]
            found[_LOW] += below_low[ordered[0, n]]
            found[_HIGH] += below_high
        for n in range(starts[1, high], starts[1, high + 1]):
            if eligible[ordered[1, n]]:
                below_high += 1
                for low in range(ordered[1, n] + 1, LOWS):
                    below_both[low] += 1


@numba.njit(cache=True, nogil=True)
def _by_comparing(
    mine: Marks, theirs: Marks, eligible: NDArray[np.bool_], found: NDArray[np.int64]
) -> None:
    """Count pairs by looking at each."""
    for their in theirs:
        if eligible[their & LOW_MASK]:
            found[_ELIGIBLE] += len(mine)
            for my in mine:
                low = my & LOW_MASK > their & LOW_MASK
                high = my >> LOW_BITS > their >> LOW_BITS
                found[_LOW] += low
                found[_HIGH] += high
                found[_BOTH] += low & high
