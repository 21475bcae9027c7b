"""Forms of boards: 42,783 instead of 134,459 suit patterns, because few suits matter.

A suit that has three cards of the board or more is the only one in which a flush is possible; of
the other cards only the ranks matter. Where no suit has three, no suit matters. So the form of a
board is the ranks in its flush suit, and its other ranks. The kind of a card is its rank, and
whether it is of the flush suit. On all boards of a form, pairs of the same two kinds have the same
strength and the same results, and each board leaves as many of them.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.ultimate.odds.boards import PAIRS, classes, measure
from tapisvert.odds.combinatorics import choose_table
from tapisvert.odds.parallel import Progress, no_progress, spread
from tapisvert.odds.suits import RANKS, SUITS, cards_of, patterns
from tapisvert.ranking.batch import Tables, tables

BOARD, FLUSH = 5, 3  # a flush needs three of its suit on the board
NO_FLUSH = SUITS  # in the place of a flush suit
KINDS = 2 * RANKS
COUPLES = KINDS * (KINDS + 1) // 2  # of two kinds
PLAIN_COUPLES = RANKS * (RANKS + 1) // 2  # they come first; without a flush suit there are no more


class Forms(NamedTuple):
    """Every form by number. Thirteen numbers, of five cards of a rank, have no board."""

    starts: NDArray[np.int32]  # by the ranks in the flush suit, as bits: the first form
    choose: NDArray[np.int64]
    boards: NDArray[np.uint8]  # a board of each form, ascending
    weights: NDArray[np.int64]  # the number of boards of each form


class Measured(NamedTuple):
    """The pairs of every couple of kinds, on every form."""

    ways: NDArray[np.int8]  # the number of such pairs of cards on a board
    categories: NDArray[np.int8]
    results: NDArray[np.int16]  # see `boards`


@cache
def forms() -> Forms:
    """Number the forms."""
    starts, count = np.zeros(1 << RANKS, dtype=np.int32), 0
    for ranks in range(1 << RANKS):
        others = BOARD - ranks.bit_count()
        if ranks == 0 or 0 <= others <= BOARD - FLUSH:
            starts[ranks] = count
            count += comb(RANKS + others - 1, others)
    every = patterns(BOARD)
    cards = np.sort(cards_of(every.suits, BOARD), axis=1)
    found = Forms(
        starts,
        choose_table(),
        np.zeros((count, BOARD), dtype=np.uint8),
        np.zeros(count, dtype=np.int64),
    )
    _sort_boards(cards, every.weights, found)
    return found


@numba.njit(cache=True, nogil=True)
def _sort_boards(cards: NDArray[np.uint8], weights: NDArray[np.int64], known: Forms) -> None:
    for each in range(len(cards)):
        form, _ = form_of(cards[each], known.starts, known.choose)
        known.boards[form] = cards[each]
        known.weights[form] += weights[each]


@numba.njit(cache=True, nogil=True)
def form_of(
    board: NDArray[np.uint8], starts: NDArray[np.int32], choose: NDArray[np.int64]
) -> tuple[int, int]:
    """Return the form of a board, and its flush suit or `NO_FLUSH`."""
    held = 0  # four bits for each suit
    for card in board:
        held += 1 << 4 * (card & 3)
    flush: int = NO_FLUSH
    for suit in range(SUITS):
        if held >> 4 * suit & 15 >= FLUSH:
            flush = suit
    ranks, others = 0, 0  # four bits for each of the other ranks
    for card in board:
        if card & 3 == flush:
            ranks |= 1 << (card >> 2)
        else:
            others += 1 << 4 * (card >> 2)
    number: int = starts[ranks] + 0  # in 64 bits
    place = 0
    for rank in range(RANKS):
        for _ in range(others >> 4 * rank & 15):
            number += choose[rank + place, place + 1]
            place += 1
    return number, flush


@numba.njit(cache=True, nogil=True)
def kind_of(card: int, flush: int) -> int:
    """Return the kind of a card on a board with this flush suit."""
    return (card >> 2) + (RANKS if card & 3 == flush else 0)


@numba.njit(cache=True, nogil=True)
def couple(one: int, other: int) -> int:
    """Return the number of two kinds, in either order."""
    low, high = min(one, other), max(one, other)
    return high * (high + 1) // 2 + low


def measured(opens_from: int, tell: Progress = no_progress) -> Measured:
    """Measure every couple of kinds, on one board of each form."""
    known, (numbers, _) = forms(), classes()
    size = (len(known.weights), COUPLES)
    found = Measured(
        np.zeros(size, dtype=np.int8),
        np.zeros(size, dtype=np.int8),
        np.zeros((*size, 4), dtype=np.int16),
    )

    def work(first: int, end: int) -> None:
        _measure_forms(first, end, known, opens_from, numbers, tables(7), found)

    spread(work, len(known.weights), tell)
    return found


@numba.njit(cache=True, nogil=True)
def _measure_forms(
    first: int,
    end: int,
    known: Forms,
    opens_from: int,
    numbers: NDArray[np.uint16],
    tables: Tables,
    found: Measured,
) -> None:
    hands = np.empty((PAIRS, 7), dtype=np.uint8)
    strengths = np.empty(PAIRS, dtype=np.int32)
    results = np.empty((PAIRS, 4), dtype=np.int32)
    for form in range(first, end):
        if known.weights[form] == 0:
            continue
        board = known.boards[form]
        _, flush = form_of(board, known.starts, known.choose)
        measure(board, opens_from, numbers, tables, hands, strengths, results)
        for row in range(PAIRS):
            at = couple(kind_of(hands[row, 0], flush), kind_of(hands[row, 1], flush))
            found.ways[form, at] += 1
            found.categories[form, at] = strengths[row] >> 20
            for end_of in range(4):
                found.results[form, at, end_of] = results[row, end_of]
