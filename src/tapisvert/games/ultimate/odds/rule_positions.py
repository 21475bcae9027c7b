"""The positions of Ultimate Texas Hold'em as strategy files see them: columns of numbers.

Before the flop there are 1,326 pairs, on the flop 1,755 patterns with 1,176 pairs each, at the
river 134,459 boards with 1,081 pairs each. The boards are taken in chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import comb
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.ultimate.odds.boards import PAIRS, measure
from tapisvert.games.ultimate.odds.flops import Renaming, raises_on_flops
from tapisvert.games.ultimate.odds.proof import FLOPS, add_ends
from tapisvert.games.ultimate.odds.sums import Prices, worth_of
from tapisvert.odds.combinatorics import all_sets
from tapisvert.ranking.batch import Tables, strengths

Column = NDArray[np.int64]
CHUNK = 256  # boards


class Rivers(NamedTuple):
    """The pairs on some boards: a row per board, a column per pair."""

    pairs: NDArray[np.uint8]  # the two cards
    strengths: NDArray[np.int32]
    results: NDArray[np.int32]  # against the house's pairs
    fixed: NDArray[np.int64]  # net result of ante and blind
    per_ante: NDArray[np.int64]  # and of each ante raised
    flop_raises: NDArray[np.int64]  # flops on which each raise is taken, packed


def rivers(
    boards: NDArray[np.uint8],
    asked: Prices,
    numbers: NDArray[np.uint16],
    tables: Tables,
    known: Renaming,
    after: NDArray[np.int8],
) -> Rivers:
    """Measure every pair on these boards, with the raises on their flops.

    Strategies of rules may ask about a board's own suits, so boards are not counted by form here.
    """
    size = (len(boards), PAIRS)
    found = Rivers(
        np.empty((*size, 2), dtype=np.uint8),
        np.empty(size, dtype=np.int32),
        np.empty((*size, 4), dtype=np.int32),
        np.empty(size, dtype=np.int64),
        np.empty(size, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
    )
    _measure_all(boards, asked, numbers, tables, known, after, found)
    return found


@numba.njit(cache=True, nogil=True)
def _measure_all(
    boards: NDArray[np.uint8],
    asked: Prices,
    numbers: NDArray[np.uint16],
    tables: Tables,
    known: Renaming,
    after: NDArray[np.int8],
    found: Rivers,
) -> None:
    hands = np.empty((PAIRS, 7), dtype=np.uint8)
    for each in range(len(boards)):
        strengths, results = found.strengths[each], found.results[each]
        measure(boards[each], asked.opens_from, numbers, tables, hands, strengths, results)
        raises_on_flops(boards[each], hands, known, after, found.flop_raises[each])
        for row in range(PAIRS):
            fixed, per_ante, _, _ = worth_of(strengths[row], results[row], asked)
            found.fixed[each, row], found.per_ante[each, row] = fixed, per_ante
            found.pairs[each, row, 0], found.pairs[each, row, 1] = hands[row, 0], hands[row, 1]


@numba.njit(cache=True, nogil=True)
def end_all(
    found: Rivers,
    weights: NDArray[np.int64],
    early: NDArray[np.int8],
    last: NDArray[np.int8],
    ended: NDArray[np.int64],
) -> None:
    """Add the results of every pair: raised before the flop, on some flops, or at the river."""
    for each in range(len(weights)):
        for row in range(PAIRS):
            here = ended[:, found.strengths[each, row] >> 20]
            result = found.results[each, row]
            if early[each, row]:
                add_ends(here[early[each, row]], result, FLOPS * weights[each])
                continue
            left = FLOPS
            for times in range(1, len(ended)):
                count = found.flop_raises[each, row] >> 8 * times & 255
                if count:
                    add_ends(here[times], result, count * weights[each])
                    left -= count
            if left:
                add_ends(here[last[each, row]], result, left * weights[each])


def pair_columns(pairs: NDArray[np.uint8]) -> dict[str, Callable[[], Column]]:
    """Return the columns of two cards; the last axis holds them, the lower first."""
    low, high = (pairs[..., n].astype(np.int64) >> 2 for n in range(2))
    return {
        "high": lambda: high,
        "low": lambda: low,
        "suited": lambda: (pairs[..., 0] & 3 == pairs[..., 1] & 3).astype(np.int64),
        "pocket": lambda: np.where(low == high, low + 1, 0),
    }


def rank_bits(boards: NDArray[np.uint8]) -> Column:
    """Return the ranks of each board as a set of bits."""
    found: Column = np.bitwise_or.reduce(np.int64(1) << (boards.astype(np.int64) >> 2), axis=1)
    return found


def hidden_pair(pairs: NDArray[np.uint8], ranks: Column) -> Column:
    """Return 1 where a card of the hand has the rank of the other or a rank of the board."""
    low, high = (pairs[..., n].astype(np.int64) >> 2 for n in range(2))
    found: Column = (low == high) | (ranks >> low & 1) | (ranks >> high & 1)
    return found


def four_flush(pairs: NDArray[np.uint8], board: NDArray[np.uint8]) -> Column:
    """Return the highest rank, plus one, of a card of the hand in a suit of four or more; or 0."""
    found = np.zeros(pairs.shape[:-1], dtype=np.int64)
    for suit in range(4):
        cards = (pairs & 3 == suit).sum(axis=-1) + (board & 3 == suit).sum(axis=-1)
        for n in range(2):
            mine = (pairs[..., n] & 3 == suit) & (cards >= 4)
            found = np.maximum(found, np.where(mine, (pairs[..., n].astype(np.int64) >> 2) + 1, 0))
    return found


def flop_columns(
    pairs: NDArray[np.uint8], board: NDArray[np.uint8]
) -> Mapping[str, Callable[[], Column]]:
    """Return the columns of pairs on flops, a row each."""
    hand = np.concatenate((pairs, board), axis=1)
    ranks = np.sort(board >> 2, axis=1)
    return pair_columns(pairs) | {
        "category": lambda: strengths(hand).astype(np.int64) >> 20 << 20,
        "hidden_pair": lambda: hidden_pair(pairs, rank_bits(board)),
        "four_flush": lambda: four_flush(pairs, board),
        "board_trips": lambda: (ranks[:, 0] == ranks[:, 2]).astype(np.int64),
    }


def river_columns(
    pairs: NDArray[np.uint8],
    boards: NDArray[np.uint8],
    each: NDArray[np.intp],
    mine: NDArray[np.int32],
    outs: Callable[[], Column],
) -> Mapping[str, Callable[[], Column]]:
    """Return the columns of pairs on boards of five, a row each; `each` is the board of a row."""
    alone = strengths(boards).astype(np.int64)
    return pair_columns(pairs) | {
        "category": lambda: mine.astype(np.int64) >> 20 << 20,
        "hidden_pair": lambda: hidden_pair(pairs, rank_bits(boards)[each]),
        "improves": lambda: (mine >> 20 > (alone >> 20)[each]).astype(np.int64),
        "beats_board": lambda: (mine > alone[each]).astype(np.int64),
        "outs": outs,
    }


def dealer_outs(boards: NDArray[np.uint8], found: Rivers) -> Column:
    """Return, of the 45 cards unseen, those that alone with the board beat the player's hand."""
    every = np.broadcast_to(np.arange(52, dtype=np.uint8), (len(boards), 52))
    there = (every[:, :, None] != boards[:, None, :]).all(axis=2)
    six = np.empty((len(boards), 47, 6), dtype=np.uint8)
    six[:, :, 0] = every[there].reshape(len(boards), 47)
    six[:, :, 1:] = boards[:, None]
    one = np.zeros((len(boards), 52), dtype=np.int64)
    np.put_along_axis(
        one,
        six[:, :, 0].astype(np.intp),
        strengths(six.reshape(-1, 6)).reshape(len(boards), 47).astype(np.int64),
        axis=1,
    )
    mine = found.strengths.astype(np.int64)
    ordered = np.sort(one, axis=1)
    outs = np.empty(mine.shape, dtype=np.int64)
    for each in range(len(boards)):
        held = one[each][found.pairs[each]]  # of the player's own two cards
        better = 52 - np.searchsorted(ordered[each], mine[each], side="right")
        outs[each] = better - (held > mine[each][:, None]).sum(axis=1)
    return outs


def all_pairs() -> NDArray[np.uint8]:
    """Return the 1,326 pairs by number."""
    found = all_sets(52, 2)
    assert len(found) == comb(52, 2)
    return found
