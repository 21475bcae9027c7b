"""The tables that a simulated player of Ultimate Texas Hold'em decides by, kept on disk.

A choice before the flop depends on the pair, on the flop also on its suit pattern, at the river on
that of the board. For each pattern and each raise on offer there are 1,326 bits, one per pair: at
the river 23 MB.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.engine.sheet import content
from tapisvert.games.ultimate.odds.boards import PAIRS as BOARD_PAIRS
from tapisvert.games.ultimate.odds.boards import classes, measure
from tapisvert.games.ultimate.odds.flops import flops
from tapisvert.games.ultimate.odds.play import best, habits
from tapisvert.games.ultimate.odds.sums import Prices, prices, sums, worth_of
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.combinatorics import all_sets, choose_table
from tapisvert.odds.parallel import Progress, part, spread
from tapisvert.odds.suit_index import packed, positions_of, suit_index
from tapisvert.odds.suits import Patterns, cards_of, patterns
from tapisvert.odds.table_cache import cached_tables
from tapisvert.ranking.batch import Tables, tables

_FORM = 1  # increment when the content of the files changes
PAIRS = 1326
_WORDS = -(-PAIRS // 64)

Bits = NDArray[np.uint64]  # by raise on offer, row of the pattern, and pair


class Decisions(NamedTuple):
    """The raise at each step. Pairs are numbered after the renaming that sorts the suits."""

    before: NDArray[np.uint8]  # by pair: 0 to check, or one more than the place of the raise
    flop_rows: NDArray[np.int32]  # by position of the flop's suit pattern
    flop: Bits
    river_rows: NDArray[np.int32]  # by position of the board's suit pattern
    river: Bits


def decisions(sheet: Ultimate, strategy: str, tell: Progress) -> Decisions:
    """Return the tables of a strategy; compute them if they are not kept."""
    figures = content(sheet)
    depends = [_FORM, strategy, *(figures[each] for each in ("ante", "play", "blind", "house"))]

    def build() -> dict[str, NDArray[Any]]:
        if strategy == "optimal":
            found = best(sheet, sums(sheet, part(tell, 0, 0.6)))
        else:
            found = habits(sheet)[strategy]
        before = np.zeros(PAIRS, dtype=np.uint8)
        for place, times in enumerate(sheet.play.before_flop, start=1):
            before[found.before_flop == times] = place
        flop = _flop_bits(found.after_flop, sheet.play.after_flop)
        reached = not before.all()
        always = found.always_at_river
        river = _river_bits(sheet, reached, always, part(tell, 0.6, 1))
        return Decisions(before, *flop, *river)._asdict()

    return Decisions(**cached_tables("ultimate", depends, build))


def _rows(of: Patterns, cards: int) -> NDArray[np.int32]:
    """Return the row of each pattern by its position."""
    rows = np.zeros(suit_index(cards).positions, dtype=np.int32)
    rows[positions_of(packed(of.suits), cards)] = np.arange(len(of.suits))
    return rows


def _flop_bits(
    after_flop: NDArray[np.int8], raises: tuple[int, ...]
) -> tuple[NDArray[np.int32], Bits]:
    """Convert the raises by flop and pair to bits; suits are renamed to the order used here."""
    known, choose, two = flops(), choose_table(), all_sets(52, 2)
    of = patterns(3)
    flop = np.sort(cards_of(of.suits, 3), axis=1)
    number = flop[:, 0] + choose[flop[:, 1], 2] + choose[flop[:, 2], 3]
    becomes = known.cards[known.renaming[number]]
    pairs = known.pairs[becomes[:, two[:, 0]], becomes[:, two[:, 1]]]
    times = after_flop[known.pattern[number][:, None], pairs]
    bits = np.zeros((len(raises), len(flop), _WORDS), dtype=np.uint64)
    for place, each in enumerate(raises):
        for pair in range(PAIRS):
            bit = np.uint64(1) << np.uint64(pair & 63)
            bits[place, times[:, pair] == each, pair >> 6] |= bit
    return _rows(of, 3), bits


def _river_bits(
    sheet: Ultimate, reached: bool, always: bool, tell: Progress
) -> tuple[NDArray[np.int32], Bits]:
    """Compare raise and fold of every pair on every board, unless no round gets there."""
    of, raises = patterns(5), sheet.play.after_river
    rows = _rows(of, 5)
    if not reached:
        return np.zeros_like(rows), np.zeros((len(raises), 1, _WORDS), dtype=np.uint64)
    bits = np.zeros((len(raises), len(of.weights), _WORDS), dtype=np.uint64)
    boards = np.sort(cards_of(of.suits, 5), axis=1)
    asked, numbers, known = prices(sheet), classes()[0], tables(7)

    def work(first: int, end: int) -> None:
        _mark_boards(boards[first:end], asked, numbers, known, always, bits[:, first:end])

    spread(work, len(boards), tell)
    return rows, bits


@numba.njit(cache=True, nogil=True)
def _mark_boards(
    boards: NDArray[np.uint8],
    asked: Prices,
    numbers: NDArray[np.uint16],
    tables: Tables,
    always: bool,
    bits: Bits,
) -> None:
    """Set the bit of every pair that raises on these boards."""
    hands = np.empty((BOARD_PAIRS, 7), dtype=np.uint8)
    strengths = np.empty(BOARD_PAIRS, dtype=np.int32)
    results = np.empty((BOARD_PAIRS, 4), dtype=np.int32)
    for each in range(len(boards)):
        measure(boards[each], asked.opens_from, numbers, tables, hands, strengths, results)
        for row in range(BOARD_PAIRS):
            taken = worth_of(strengths[row], results[row], asked)[3]
            if always and taken == 0:
                taken = asked.river[0]
            pair = pair_number(hands[row, 0], hands[row, 1])
            for place in range(len(asked.river)):
                if asked.river[place] == taken:
                    bits[place, each, pair >> 6] |= np.uint64(1) << np.uint64(pair & 63)


@numba.njit(cache=True, nogil=True, inline="always")
def pair_number(one: np.int64, other: np.int64) -> np.int64:
    """Return the colexicographic number of a pair of cards."""
    low, high = np.int64(min(one, other)), np.int64(max(one, other))
    return high * (high - 1) // 2 + low
