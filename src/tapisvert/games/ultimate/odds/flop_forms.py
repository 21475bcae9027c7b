"""The forms of the boards on a flop: sums over them for each pair, and their frequency.

Of the 1,176 turns and rivers after a flop, a pair {a, b} leaves those without a and without b:

    all of them - those with a - those with b + the one of a and b

The first sum is the same for all pairs of the same kinds, the second depends on a and the kind of
b. In both, a few hundred forms stand for all turns and rivers. A form may be read for kinds of
which its boards leave no pair: it is subtracted again, so any value will do.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.ultimate.odds.forms import (
    BOARD,
    COUPLES,
    KINDS,
    NO_FLUSH,
    PLAIN_COUPLES,
    Forms,
    couple,
    form_of,
    kind_of,
)
from tapisvert.odds.suits import RANKS

LEFT = 49  # cards beside a flop
Values = NDArray[np.int32 | np.int64]


class Endings(NamedTuple):
    """A flop's other cards, the form and flush suit of each two with it, and buffers."""

    left: NDArray[np.uint8]
    forms: NDArray[np.int32]
    flushes: NDArray[np.int8]
    kinds: NDArray[np.int64]  # of the other cards, by the flush suit looked at
    counts: NDArray[np.int64]  # by form; empty before and after a tally
    tallied: NDArray[np.int64]  # the forms found, and how often each


@numba.njit(cache=True, nogil=True)
def make_endings(forms: int) -> Endings:
    """Allocate the buffers for one flop at a time."""
    return Endings(
        np.empty(LEFT, dtype=np.uint8),
        np.empty((LEFT, LEFT), dtype=np.int32),
        np.empty((LEFT, LEFT), dtype=np.int8),
        np.empty(LEFT, dtype=np.int64),
        np.zeros(forms, dtype=np.int64),
        np.empty((2, LEFT * LEFT), dtype=np.int64),
    )


@numba.njit(cache=True, nogil=True)
def lay_flop(flop: NDArray[np.uint8], known: Forms, endings: Endings) -> None:
    """Write the cards beside a flop, and the form of the board that each two of them make."""
    board = np.empty(BOARD, dtype=np.uint8)
    board[:3] = flop
    count = 0
    for card in range(52):
        if card not in (flop[0], flop[1], flop[2]):
            endings.left[count] = card
            count += 1
    for one in range(LEFT):
        endings.flushes[one, one] = NO_FLUSH + 1  # no board
        for two in range(one):
            board[3], board[4] = endings.left[one], endings.left[two]
            form, flush = form_of(board, known.starts, known.choose)
            endings.forms[one, two] = endings.forms[two, one] = form
            endings.flushes[one, two] = endings.flushes[two, one] = flush


@numba.njit(cache=True, nogil=True)
def look_at(flush: int, endings: Endings) -> int:
    """Write the kinds of the cards beside the flop; return how many couples of kinds there are."""
    for one in range(LEFT):
        endings.kinds[one] = kind_of(endings.left[one], flush)
    return PLAIN_COUPLES if flush == NO_FLUSH else COUPLES


@numba.njit(cache=True, nogil=True)
def tally(forms: NDArray[np.int32], flushes: NDArray[np.int8], flush: int, endings: Endings) -> int:
    """Tally the forms with this flush suit; return how many there are.

    A tally of all forms finds each turn and river in both orders.
    """
    size = 0
    for n in range(len(forms)):
        if flushes[n] == flush:
            form = forms[n]
            if endings.counts[form] == 0:
                endings.tallied[0, size] = form
                size += 1
            endings.counts[form] += 1
    for n in range(size):
        form = endings.tallied[0, n]
        endings.tallied[1, n] = endings.counts[form]
        endings.counts[form] = 0
    return size


@numba.njit(cache=True, nogil=True)
def sum_flops(
    flops: NDArray[np.uint8],
    known: Forms,
    values: Values,
    pairs: NDArray[np.int16],
    sums: NDArray[np.int64],
) -> None:
    """Add up the value of every pair over all turns and rivers.

    `values` are by form and couple of kinds, `sums` by flop and pair.
    """
    endings = make_endings(len(values))
    all_of = np.empty(COUPLES, dtype=np.int64)
    with_one = np.empty((LEFT, KINDS), dtype=np.int64)
    for each in range(len(flops)):
        lay_flop(flops[each], known, endings)
        for flush in range(NO_FLUSH + 1):
            size = tally(endings.forms.ravel(), endings.flushes.ravel(), flush, endings)
            if size == 0:
                continue
            width = look_at(flush, endings)
            all_of[:] = 0
            for n in range(size):
                form, times = endings.tallied[0, n], endings.tallied[1, n] // 2
                for at in range(width):
                    all_of[at] += times * values[form, at]
            _sum_with_one(flush, values, endings, with_one)
            _add_pairs(flush, values, endings, all_of, with_one, pairs, sums[each])


@numba.njit(cache=True, nogil=True)
def _sum_with_one(
    flush: int, values: Values, endings: Endings, with_one: NDArray[np.int64]
) -> None:
    """Add up the forms with each card beside the flop, by the kind of the pair's other card."""
    with_one[:] = 0
    kinds = RANKS if flush == NO_FLUSH else KINDS
    for one in range(LEFT):
        for n in range(tally(endings.forms[one], endings.flushes[one], flush, endings)):
            form, times = endings.tallied[0, n], endings.tallied[1, n]
            for kind in range(kinds):
                with_one[one, kind] += times * values[form, couple(endings.kinds[one], kind)]


@numba.njit(cache=True, nogil=True)
def _add_pairs(
    flush: int,
    values: Values,
    endings: Endings,
    all_of: NDArray[np.int64],
    with_one: NDArray[np.int64],
    pairs: NDArray[np.int16],
    sums: NDArray[np.int64],
) -> None:
    for one in range(LEFT):
        mine = endings.kinds[one]
        for two in range(one):
            other = endings.kinds[two]
            at = couple(mine, other)
            total = all_of[at] - with_one[one, other] - with_one[two, mine]
            if endings.flushes[one, two] == flush:
                total += values[endings.forms[one, two], at]
            sums[pairs[endings.left[one], endings.left[two]]] += total


@numba.njit(cache=True, nogil=True)
def count_flops(
    flops: NDArray[np.uint8],
    weights: NDArray[np.int64],
    known: Forms,
    chosen: NDArray[np.bool_],
    pairs: NDArray[np.int16],
    counts: NDArray[np.int32],
) -> None:
    """Count the boards on which the chosen pairs end, by form and couple of kinds.

    `chosen` is by flop and pair. The counting is that of `sum_flops`, in the other direction.
    """
    endings = make_endings(len(counts))
    all_of = np.empty(COUPLES, dtype=np.int64)
    with_one = np.empty((LEFT, KINDS), dtype=np.int64)
    for each in range(len(flops)):
        lay_flop(flops[each], known, endings)
        for flush in range(NO_FLUSH + 1):
            size = tally(endings.forms.ravel(), endings.flushes.ravel(), flush, endings)
            if size == 0:
                continue
            width = look_at(flush, endings)
            all_of[:] = 0
            with_one[:] = 0
            weight = weights[each]
            _take_pairs(flush, weight, chosen[each], endings, pairs, all_of, with_one, counts)
            for n in range(size):
                form, times = endings.tallied[0, n], endings.tallied[1, n] // 2
                for at in range(width):
                    counts[form, at] += times * all_of[at]
            _take_with_one(flush, endings, with_one, counts)


@numba.njit(cache=True, nogil=True)
def _take_pairs(
    flush: int,
    weight: int,
    chosen: NDArray[np.bool_],
    endings: Endings,
    pairs: NDArray[np.int16],
    all_of: NDArray[np.int64],
    with_one: NDArray[np.int64],
    counts: NDArray[np.int32],
) -> None:
    for one in range(LEFT):
        mine = endings.kinds[one]
        for two in range(one):
            if chosen[pairs[endings.left[one], endings.left[two]]]:
                other = endings.kinds[two]
                at = couple(mine, other)
                all_of[at] += weight
                with_one[one, other] += weight
                with_one[two, mine] += weight
                if endings.flushes[one, two] == flush:
                    counts[endings.forms[one, two], at] += weight


@numba.njit(cache=True, nogil=True)
def _take_with_one(
    flush: int, endings: Endings, with_one: NDArray[np.int64], counts: NDArray[np.int32]
) -> None:
    kinds = RANKS if flush == NO_FLUSH else KINDS
    for one in range(LEFT):
        for n in range(tally(endings.forms[one], endings.flushes[one], flush, endings)):
            form, times = endings.tallied[0, n], endings.tallied[1, n]
            for kind in range(kinds):
                at = couple(endings.kinds[one], kind)
                counts[form, at] -= times * with_one[one, kind]
