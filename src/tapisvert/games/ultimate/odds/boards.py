"""Ultimate Texas Hold'em, board by board: the value of every pair of cards on a board.

There are 134,459 boards of different suit patterns. On each, the 1,081 possible pairs are ranked
and sorted once. That gives, for each pair, the house's weaker, equal and better pairs, less those
that share a card with it. Nothing is sampled, and no two hands are compared directly.
"""

from __future__ import annotations

from functools import cache

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.combinatorics import all_sets
from tapisvert.ranking.batch import Tables, rank_rows, strengths

PAIRS = 1081  # of the 47 cards not on the board
HOUSE_PAIRS = 990  # of the 45 cards left to the house
# Counts for a pair on a board, among the house's 990:
WON, LOST, WON_OPENED, LOST_OPENED = range(4)


@cache
def classes() -> tuple[NDArray[np.uint16], NDArray[np.int32]]:
    """Number the strengths of five-card hands in order: strength to number, and back."""
    found = np.unique(strengths(all_sets(52, 5)))
    numbers = np.zeros(int(found[-1]) + 1, dtype=np.uint16)
    numbers[found] = np.arange(len(found))
    return numbers, found


@numba.njit(cache=True, nogil=True)
def lay_out(board: NDArray[np.uint8], hands: NDArray[np.uint8], left: NDArray[np.uint8]) -> None:
    """Write the cards not on the board, and every pair of them with the board."""
    place, on_board = 0, 0
    for card in range(52):
        if on_board < 5 and board[on_board] == card:
            on_board += 1
        else:
            left[place] = card
            place += 1
    row = 0
    for high in range(47):
        for low in range(high):
            hands[row, 0], hands[row, 1] = left[low], left[high]
            hands[row, 2:] = board
            row += 1


@numba.njit(cache=True, nogil=True)
def sort_pairs(
    ranked: NDArray[np.uint16], order: NDArray[np.int32], bins: NDArray[np.int32]
) -> None:
    """Sort the pairs by strength, weakest first, with a counting sort."""
    bins[:] = 0
    for row in range(PAIRS):
        bins[ranked[row] + 1] += 1
    for number in range(1, len(bins)):
        bins[number] += bins[number - 1]
    for row in range(PAIRS):
        order[bins[ranked[row]]] = row
        bins[ranked[row]] += 1


@numba.njit(cache=True, nogil=True)
def compare(
    ranked: NDArray[np.uint16],
    order: NDArray[np.int32],
    hands: NDArray[np.uint8],
    opens_from: int,
    results: NDArray[np.int32],
) -> None:
    """Count for each pair the house's pairs it beats and loses to, with and without an opened
    house.

    Each count is all weaker (better) pairs, less those that share a card.
    """
    weaker, equal, closed = np.zeros(52, np.int32), np.zeros(52, np.int32), np.zeros(52, np.int32)
    all_closed = 0
    for row in range(PAIRS):
        if ranked[row] < opens_from:
            closed[hands[row, 0]] += 1
            closed[hands[row, 1]] += 1
            all_closed += 1
    first = 0
    while first < PAIRS:
        end = first
        strength = ranked[order[first]]
        while end < PAIRS and ranked[order[end]] == strength:
            equal[hands[order[end], 0]] += 1
            equal[hands[order[end], 1]] += 1
            end += 1
        for place in range(first, end):
            row = order[place]
            one, two = hands[row, 0], hands[row, 1]
            won = first - weaker[one] - weaker[two]
            tied = end - first - equal[one] - equal[two] + 1
            lost = HOUSE_PAIRS - won - tied
            not_opened = all_closed - closed[one] - closed[two]
            results[row, WON], results[row, LOST] = won, lost
            if strength < opens_from:  # the house opens with better than this
                not_opened += 1  # the pair itself was subtracted twice
                results[row, WON_OPENED], results[row, LOST_OPENED] = 0, HOUSE_PAIRS - not_opened
            else:
                results[row, WON_OPENED], results[row, LOST_OPENED] = won - not_opened, lost
        for place in range(first, end):
            row = order[place]
            for card in (hands[row, 0], hands[row, 1]):
                weaker[card] += 1
                equal[card] = 0
        first = end


@numba.njit(cache=True, nogil=True)
def measure(
    board: NDArray[np.uint8],
    opens_from: int,
    numbers: NDArray[np.uint16],
    tables: Tables,
    hands: NDArray[np.uint8],
    strengths: NDArray[np.int32],
    results: NDArray[np.int32],
) -> None:
    """Fill in the pairs of a board, their strengths, and their results against the house."""
    left = np.empty(47, dtype=np.uint8)
    ranked = np.empty(PAIRS, dtype=np.uint16)
    order = np.empty(PAIRS, dtype=np.int32)
    bins = np.empty(7464, dtype=np.int32)
    lay_out(board, hands, left)
    rank_rows(
        hands,
        tables.no_suits,
        tables.keys,
        tables.low,
        tables.high,
        tables.unsuited,
        tables.suited,
        strengths,
    )
    for row in range(PAIRS):
        ranked[row] = numbers[strengths[row]]
    sort_pairs(ranked, order, bins)
    compare(ranked, order, hands, opens_from, results)
