"""The player's seven cards against the house's, counted over all deals by inclusion and exclusion.

The two hands share no card. Over all pairs of hands, shared cards or not, a property is easy to
count from a table of the house's. The pairs that share nothing are

    disjoint = sum over all sets S of up to seven cards of (-1)^|S| * (pairs that both contain S)

since a pair that shares s > 0 cards is counted C(s,0) - C(s,1) + C(s,2) - ... = 0 times. One S per
suit pattern suffices. The hands that contain S are found in a table of all hands by addition: a
hand's number is a sum in which each card outside S has its own share, which depends on how many of
these cards are below it.

Several players are counted together, because finding the hands costs most. The table of all hands
has no marks in it but the number of their combination: the house's mark and each player's. Hands of
one combination are counted as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.pai_gow.odds.deck import HAND, WAYS, gather, sets_of
from tapisvert.games.pai_gow.odds.hands import HouseHands, every_hand
from tapisvert.games.pai_gow.odds.sets import LOW_BITS, LOW_MASK, LOWS, Marks, order
from tapisvert.odds.parallel import Progress, no_progress, spread

# The best method to count pairs depends on how many hands contain a set: 154,143,080 of the 53
# cards for the empty set, then 20,358,520, 2,349,060, 230,300, 18,424, 1,128 and 47 for six.
_COMPARED = 64  # up to this many: compare all pairs; above: add up the house's
_BOTH, _LOW, _HIGH, _ELIGIBLE = range(4)


class Deals(NamedTuple):
    """The number of deals by result of the main bet."""

    win: int
    push: int
    loss: int
    not_eligible: int


class Combinations(NamedTuple):
    """The combinations of marks that hands have, and that of each suit pattern's hands."""

    marks: Marks  # by combination: the house's mark, then each player's
    numbers: NDArray[np.uint32]


class Room(NamedTuple):
    """Buffers for the hands that contain a set of cards."""

    held: NDArray[np.uint32]  # the combination of each hand
    counts: NDArray[np.int32]  # by combination; empty before and after a set
    found: NDArray[np.uint32]  # the combinations counted
    rows: NDArray[np.int32]  # by high hand: how many of the house's different ones are lower
    less: NDArray[np.int32]  # house hands by this row and low hand: those lower with both


def count_deals(
    house: HouseHands, players: Sequence[Marks], tell: Progress = no_progress
) -> list[Deals]:
    """Count every deal for each of these players, whose marks are by suit pattern."""
    deck, weights = house.deck, house.hands.weights
    every = combinations_of(house.usual.marks, players)
    table = every_hand(deck, house.hands, every.numbers)
    sums = np.zeros((len(players), 4), dtype=object)  # Python's integers: they do not overflow
    for shared in range(HAND + 1):
        for part in _sharing(house, every, table, shared, tell):
            sums += (-1) ** shared * part.astype(object)
    facing = comb(deck.size - HAND, HAND)  # hands left to the player
    held = int(weights[house.eligible[house.usual.marks & LOW_MASK]].sum())
    return [_deals(sums[n].tolist(), held * facing, deck.deals) for n in range(len(players))]


def _deals(sums: Sequence[int], eligible: int, every: int) -> Deals:
    if sums[_ELIGIBLE] != eligible:
        raise AssertionError(f"{sums[_ELIGIBLE]:,} eligible deals of {eligible:,}")
    win = sums[_BOTH]
    loss = eligible - sums[_LOW] - sums[_HIGH] + win
    return Deals(win, eligible - win - loss, loss, every - eligible)


def combinations_of(house: Marks, players: Sequence[Marks]) -> Combinations:
    """Number the different combinations of marks."""
    distinct, numbers = np.unique(house, return_inverse=True)
    columns = [distinct]
    for each in players:
        if each is house:  # no new combination
            columns.append(columns[0])
            continue
        both, numbers = np.unique(numbers << 32 | each, return_inverse=True)
        columns = [*(column[both >> 32] for column in columns), both & 0xFFFFFFFF]
    return Combinations(
        np.stack(columns, axis=1).astype(np.uint32, order="C"), numbers.astype(np.uint32)
    )


def _sharing(
    house: HouseHands, every: Combinations, table: NDArray[np.uint32], shared: int, tell: Progress
) -> list[NDArray[np.int64]]:
    """Sum over the sets of this many cards, in pieces."""
    deck, weights, eligible = house.deck, house.hands.weights, house.eligible

    def tell_all(done: float) -> None:
        tell((shared + done) / (HAND + 1))

    if shared == HAND:  # both have the same hand
        return [_alike(every, weights, eligible)]
    highs = len(order().strengths)
    if shared == 0:  # every hand, in the number of its pattern
        room = make_room(0, len(every.marks), highs)
        _count_patterns(every.numbers, weights, room.counts)
        room.found[:] = np.arange(len(every.marks))
        return [by_adding(every.marks, room.found, eligible, room)]
    sets = sets_of(deck, shared)

    def work(first: int, end: int) -> NDArray[np.int64]:
        rows, times = sets.rows[first:end], sets.weights[first:end]
        hands = int(WAYS[deck.size - shared, HAND - shared])
        room = make_room(hands, len(every.marks), highs)
        return _over_sets(rows, times, deck.size, table, every.marks, eligible, room, WAYS)

    return spread(work, len(sets.rows), tell_all)


def make_room(hands: int, combinations: int, highs: int) -> Room:
    """Allocate the buffers for sets that this many hands contain, or for all patterns."""
    most = min(hands, combinations) if hands else combinations
    adds = not 0 < hands <= _COMPARED
    return Room(
        np.empty(hands, dtype=np.uint32),
        np.zeros(combinations if adds else 0, dtype=np.int32),
        np.empty(most if adds else 0, dtype=np.uint32),
        np.empty(highs + 1 if adds else 0, dtype=np.int32),
        np.empty((min(most, highs) + 1 if adds else 0, LOWS + 1), dtype=np.int32),
    )


@numba.njit(cache=True, nogil=True)
def _count_patterns(
    numbers: NDArray[np.uint32], weights: NDArray[np.int64], counts: NDArray[np.int32]
) -> None:
    for row in range(len(numbers)):
        counts[numbers[row]] += weights[row]


@numba.njit(cache=True, nogil=True)
def _over_sets(
    rows: NDArray[np.uint8],
    weights: NDArray[np.int64],
    cards: int,
    table: NDArray[np.uint32],
    marks: Marks,
    eligible: NDArray[np.bool_],
    room: Room,
    ways: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Sum over sets, by player: the pairs that contain one and in which both, low, high are better;
    and all pairs.
    """
    sums = np.zeros((marks.shape[1] - 1, 4), dtype=np.int64)
    for row in range(len(rows)):
        gather(table, rows[row], cards, ways, room.held)
        if len(room.held) <= _COMPARED:
            sums += weights[row] * by_comparing(marks, room.held, eligible)
        else:
            size = _tally(room)
            sums += weights[row] * by_adding(marks, room.found[:size], eligible, room)
    return sums


@numba.njit(cache=True, nogil=True)
def _tally(room: Room) -> int:
    """Count the hands by combination; return how many combinations there are."""
    counts, found = room.counts, room.found
    size = 0
    for each in room.held:
        if counts[each] == 0:
            found[size] = each
            size += 1
        counts[each] += 1
    return size


@numba.njit(cache=True, nogil=True)
def by_adding(
    marks: Marks, found: NDArray[np.uint32], eligible: NDArray[np.bool_], room: Room
) -> NDArray[np.int64]:
    """Count pairs of hands with these combinations, from a table of the house's; clear the counts.

    The table has a row for every high hand the house has, from the lowest.
    """
    counts, rows, less = room.counts, room.rows, room.less
    rows[:] = 0
    for each in found:
        if eligible[marks[each, 0] & LOW_MASK]:
            rows[(marks[each, 0] >> LOW_BITS) + 1] = 1
    for high in range(1, len(rows)):
        rows[high] += rows[high - 1]
    last = rows[len(rows) - 1]
    less[: last + 1] = 0
    hands = 0
    for each in found:
        low = marks[each, 0] & LOW_MASK
        if eligible[low]:
            less[rows[marks[each, 0] >> LOW_BITS] + 1, low + 1] += counts[each]
        hands += counts[each]
    for row in range(1, last + 1):
        here = 0
        for low in range(LOWS + 1):
            here += less[row, low]
            less[row, low] = less[row - 1, low] + here
    sums = np.zeros((marks.shape[1] - 1, 4), dtype=np.int64)
    for player in range(len(sums)):
        both, lower, higher = 0, 0, 0
        for each in found:
            mark, times = marks[each, player + 1], np.int64(counts[each])
            row, low = rows[mark >> LOW_BITS], mark & LOW_MASK
            both += times * less[row, low]
            lower += times * less[last, low]
            higher += times * less[row, LOWS]
        _add(sums[player], both, lower, higher, np.int64(hands) * less[last, LOWS])
    for each in found:
        counts[each] = 0
    return sums


@numba.njit(cache=True, nogil=True)
def by_comparing(
    marks: Marks, held: NDArray[np.uint32], eligible: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Count pairs of hands with these combinations by comparing each."""
    sums = np.zeros((marks.shape[1] - 1, 4), dtype=np.int64)
    mine = np.empty(len(held), dtype=np.int32)
    for player in range(len(sums)):
        for n in range(len(held)):
            mine[n] = marks[held[n], player + 1]
        both, lower, higher, seen = 0, 0, 0, 0
        for each in held:
            their = np.int32(marks[each, 0])
            if eligible[their & LOW_MASK]:
                seen += len(mine)
                for my in mine:
                    low = my & LOW_MASK > their & LOW_MASK
                    high = my >> LOW_BITS > their >> LOW_BITS
                    lower += int(low)
                    higher += int(high)
                    both += int(low & high)
        _add(sums[player], both, lower, higher, seen)
    return sums


@numba.njit(cache=True, nogil=True)
def _alike(
    every: Combinations, weights: NDArray[np.int64], eligible: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Sum over hands: a hand against itself, as each player sets it and as the house does."""
    sums = np.zeros((every.marks.shape[1] - 1, 4), dtype=np.int64)
    for player in range(len(sums)):
        both, lower, higher, seen = 0, 0, 0, 0
        for row in range(len(weights)):
            marks, times = every.marks[every.numbers[row]], weights[row]
            if eligible[marks[0] & LOW_MASK]:
                low = marks[player + 1] & LOW_MASK > marks[0] & LOW_MASK
                high = marks[player + 1] >> LOW_BITS > marks[0] >> LOW_BITS
                lower += times * int(low)
                higher += times * int(high)
                both += times * int(low & high)
                seen += times
        _add(sums[player], both, lower, higher, seen)
    return sums


@numba.njit(cache=True, nogil=True)
def _add(found: NDArray[np.int64], both: int, low: int, high: int, eligible: int) -> None:
    # Summed in a local variable and then stored: a sum in a register is much faster.
    found[_BOTH] += both
    found[_LOW] += low
    found[_HIGH] += high
    found[_ELIGIBLE] += eligible
