"""The house's hands that contain a set of cards, counted by what they beat.

For sets of up to four cards, tables hold counts for all classes. Few hands contain a larger set, so
for those the high hands are stored as sorted lists. One set per suit pattern is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.pai_gow.odds.deck import (
    HAND,
    WAYS,
    Deck,
    Sets,
    gather,
    number_all,
    sets_of,
)
from tapisvert.games.pai_gow.odds.sets import LOW_BITS, LOW_MASK, LOWS, Marks, order
from tapisvert.odds.parallel import spread

TABLED = 4  # sets of up to this many cards have tables
_AT_ONCE = 16  # sets whose counts of one class are written together
_NEVER = 0xFFFF  # stands for an ineligible hand: it is never beaten

Counts = NDArray[np.unsignedinteger[Any]]


class HandTable(NamedTuple):
    """For sets of cards: the eligible house hands that contain them, by class.

    In `lows` and `highs` a row is a class and a column a set of cards, because one hand looks up
    many sets in few classes. Entries count the hands with a lower low hand, or a lower high hand.
    The last row of `lows`, above all classes, counts every eligible hand.
    """

    starts: NDArray[np.int64]  # the first number of the sets of each size
    ids: NDArray[np.uint32]  # the column of a set, by number
    lows: Counts
    highs: Counts


class Beaten(NamedTuple):
    """The tables."""

    few: HandTable  # sets of up to three cards
    fours: HandTable  # sets of four: at most 18,424 hands contain one, so a narrower type suffices


class Listed(NamedTuple):
    """The same for sets of five or six cards: a row per set, its high hands as a sorted list."""

    ids: NDArray[np.uint32]
    lows: Counts  # bytes for sets of six: at most 47 hands contain one
    highs: NDArray[np.uint16]


def tables_of(deck: Deck, house: Marks, eligible: NDArray[np.bool_]) -> Beaten:
    """Count the house hands that contain each set of up to four cards."""
    sets = [sets_of(deck, size) for size in range(TABLED + 1)]
    fours = _empty(deck, sets[TABLED:], TABLED, np.uint16)
    spread(
        lambda first, end: _tabulate(
            sets[TABLED].rows[first:end],
            deck.size,
            house,
            eligible,
            WAYS,
            fours.lows[:, first:end],
            fours.highs[:, first:end],
        ),
        len(sets[TABLED].rows),
    )
    few = _empty(deck, sets[:TABLED], 0, np.uint32)
    for size in range(TABLED - 1, -1, -1):
        # A hand that contains S contains S and one of its 7 - |S| other cards in as many ways.
        source = fours if size == TABLED - 1 else few
        larger = _one_more(sets[size].rows, deck.size, source.ids[source.starts[size + 1] :], WAYS)
        first = sum(len(each.rows) for each in sets[:size])
        for tables in ((source.lows, few.lows), (source.highs, few.highs)):
            spread(
                lambda begin, end, tables=tables, first=first, larger=larger, size=size: (  # type: ignore[misc]
                    _add_up(tables[0][begin:end], larger, HAND - size, tables[1][begin:end, first:])
                ),
                len(tables[0]),
            )
    return Beaten(few, fours)


def _empty(
    deck: Deck, sets: Sequence[Sets], smallest: int, kind: type[np.uint16 | np.uint32]
) -> HandTable:
    """Allocate the table for consecutive sizes of sets; counts are filled in later."""
    largest = smallest + len(sets)
    starts = np.zeros(largest + 1, dtype=np.int64)
    starts[smallest + 1 :] = np.cumsum(WAYS[deck.size, smallest:largest])
    ids = np.empty(starts[-1], dtype=np.uint32)
    columns = 0
    for size, each in enumerate(sets, start=smallest):
        numbers = np.arange(columns, columns + len(each.rows), dtype=np.uint32)
        number_all(deck, each, numbers, ids[starts[size] : starts[size + 1]])
        columns += len(each.rows)
    lows: Counts = np.empty((LOWS + 1, columns), dtype=kind)
    highs: Counts = np.empty((len(order().strengths), columns), dtype=kind)
    return HandTable(starts, ids, lows, highs)


def list_of(deck: Deck, size: int, house: Marks, eligible: NDArray[np.bool_]) -> Listed:
    """List the house hands that contain each set of five or six cards."""
    sets = sets_of(deck, size)
    rows = len(sets.rows)
    ids = np.empty(WAYS[deck.size, size], dtype=np.uint32)
    number_all(deck, sets, np.arange(rows, dtype=np.uint32), ids)
    hands = int(WAYS[deck.size - size, HAND - size])
    lows: Counts = np.empty((rows, LOWS + 1), dtype=np.uint8 if hands < 256 else np.uint16)
    highs = np.empty((rows, hands), dtype=np.uint16)
    spread(
        lambda first, end: _list(
            sets.rows[first:end],
            deck.size,
            house,
            eligible,
            WAYS,
            lows[first:end],
            highs[first:end],
        ),
        rows,
    )
    return Listed(ids, lows, highs)


@numba.njit(cache=True, nogil=True)
def _tabulate(
    rows: NDArray[np.uint8],
    cards: int,
    house: Marks,
    eligible: NDArray[np.bool_],
    ways: NDArray[np.int64],
    lows: Counts,
    highs: Counts,
) -> None:
    hands = np.empty(ways[cards - rows.shape[1], HAND - rows.shape[1]], dtype=np.uint32)
    low = np.empty((_AT_ONCE, len(lows)), dtype=np.uint32)
    high = np.empty((_AT_ONCE, len(highs)), dtype=np.uint32)
    for first in range(0, len(rows), _AT_ONCE):
        end = min(first + _AT_ONCE, len(rows))
        low[:] = 0
        high[:] = 0
        for row in range(first, end):
            gather(house, rows[row], cards, ways, hands)
            for each in hands:
                if eligible[each & LOW_MASK]:
                    low[row - first, each & LOW_MASK] += 1
                    high[row - first, each >> LOW_BITS] += 1
            _accumulate(low[row - first])
            _accumulate(high[row - first])
        for place in range(len(lows)):
            for row in range(first, end):
                lows[place, row] = low[row - first, place]
        for place in range(len(highs)):
            for row in range(first, end):
                highs[place, row] = high[row - first, place]


@numba.njit(cache=True, nogil=True)
def _one_more(
    rows: NDArray[np.uint8], cards: int, ids: NDArray[np.uint32], ways: NDArray[np.int64]
) -> NDArray[np.uint32]:
    """Return the columns of each set with one more card."""
    size = rows.shape[1]
    found = np.empty((len(rows), cards - size), dtype=np.uint32)
    for row in range(len(rows)):
        passed = 0
        for card in range(cards):
            if passed < size and rows[row, passed] == card:
                passed += 1
            else:
                number = ways[card, passed + 1]
                for n in range(size):
                    number += ways[rows[row, n], n + 1 if n < passed else n + 2]
                found[row, card - passed] = ids[number]
    return found


@numba.njit(cache=True, nogil=True)
def _add_up(
    source: Counts,
    larger: NDArray[np.uint32],
    times: int,
    table: Counts,
) -> None:
    """Write each smaller set's column: the sum over its larger sets, divided by `times`."""
    for place in range(len(table)):
        for row in range(len(larger)):
            total = np.int64(0)
            for n in range(larger.shape[1]):
                total += np.int64(source[place, larger[row, n]])
            table[place, row] = total // times


@numba.njit(cache=True, nogil=True)
def _list(
    rows: NDArray[np.uint8],
    cards: int,
    house: Marks,
    eligible: NDArray[np.bool_],
    ways: NDArray[np.int64],
    lows: Counts,
    highs: NDArray[np.uint16],
) -> None:
    hands = np.empty(highs.shape[1], dtype=np.uint32)
    for row in range(len(rows)):
        gather(house, rows[row], cards, ways, hands)
        lows[row] = 0
        for n in range(len(hands)):
            low = hands[n] & LOW_MASK
            lows[row, low] += eligible[low]
            highs[row, n] = hands[n] >> LOW_BITS if eligible[low] else _NEVER
        _accumulate(lows[row])
        highs[row].sort()


@numba.njit(cache=True, nogil=True)
def _accumulate(counts: Counts) -> None:
    """Turn counts per class into cumulative counts below each class."""
    below = 0
    for place in range(len(counts)):
        here = counts[place]
        counts[place] = below
        below += here
