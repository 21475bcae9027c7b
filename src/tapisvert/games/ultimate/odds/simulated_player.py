"""A simulated player of Ultimate Texas Hold'em; it decides by tables of the counted boards."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import Card
from tapisvert.games.ultimate.odds.decision_tables import Bits, Decisions, decisions, pair_number
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.hand_tables import (
    FLUSH,
    NO_CARDS,
    HandTables,
    flush_ranks,
    hand_tables,
    place_of,
)
from tapisvert.odds.parallel import Progress
from tapisvert.odds.simulation import Codes, Decks, Played, ends_of, played
from tapisvert.odds.suit_index import SuitIndex, position, renaming, sorted_suits, suit_index
from tapisvert.ranking.standard import CATEGORIES, pack

STRATEGIES = ("optimal", "wait-for-the-river", "never-fold", "always-raise-first")
# Codes of the main bet: 0 for a fold, then for each raise on offer, in order of steps:
TIED, LOST_OPENED, LOST, WON_OPENED = range(1, 5)
WON = WON_OPENED + len(CATEGORIES)  # the house not open; both plus the category
_PER_RAISE = WON + len(CATEGORIES) - 1


class SimulatedPlayer:
    """Plays ante and blind, and trips, one unit each."""

    bets = ("main", "trips")
    cards = first_cards = 9
    deck = 52

    def __init__(self, sheet: Ultimate, strategy: str, tell: Progress) -> None:
        self._decisions = decisions(sheet, strategy, tell)
        self._opens = pack(CATEGORIES.index(sheet.house.opens_with), [])
        ante, price, blind = sheet.ante.pays, sheet.play.pays, sheet.blind.pays
        pays = [ante, price, *blind.values(), *sheet.trips.pays.values()]
        self.unit = lcm(*(each.denominator for each in pays))
        steps = sheet.play.before_flop, sheet.play.after_flop, sheet.play.after_river
        self._first_codes = np.cumsum([0, *map(len, steps)])[:3]  # raises before each step
        main: list[tuple[Fraction | int, int]] = [(-2, 2)]
        lines = [(0, 2)]
        for step, raises in enumerate(steps):
            for times in raises:
                won = [times * price + blind.get(row, 0) for row in CATEGORIES]
                nets: list[Fraction | int]
                nets = [0, -2 - times, -1 - times, *(net + ante for net in won), *won]
                main += [(net, 2 + times) for net in nets]
                lines += [(times, step)] * len(nets)
        self._lines = np.array(lines)
        trips = [(sheet.trips.pays.get(row, -1), 1) for row in CATEGORIES]
        self.ends = ends_of(self.unit, main), ends_of(self.unit, trips)

    def codes(self, decks: Decks) -> Codes:
        """Raise before the flop, on the flop or at the river, or fold; then compare."""
        found = np.empty((2, len(decks)), dtype=np.uint16)
        tables = hand_tables(7), suit_index(3), suit_index(5)
        late = Late(*np.empty((4, len(decks)), dtype=np.int64))
        play_rounds(decks, self._decisions, *tables, self._opens, self._first_codes, late, found)
        return found

    def play(self, decks: Decks) -> Played:
        """Play one round from each deck."""
        codes = self.codes(decks)
        return played(self.ends, codes, self._lines[codes[0]])

    def said(self, cards: Sequence[Card], line: Sequence[int]) -> tuple[str, ...]:
        """Return the checks before the raise, and the raise or the fold."""
        times, step = line
        return ("check",) * step + ((f"raise-{times}" if times else "fold"),)


class Late(NamedTuple):
    """Rounds that are decided at the river."""

    rows: NDArray[np.int64]
    codes: NDArray[np.int64]  # the end, without the raise
    boards: NDArray[np.int64]  # positions of the suit patterns
    pairs: NDArray[np.int64]


@numba.njit(cache=True, nogil=True)
def play_rounds(
    decks: Decks,
    decided: Decisions,
    seven: HandTables,
    by_flop: SuitIndex,
    by_board: SuitIndex,
    opens: int,
    first_codes: NDArray[np.int64],
    late: Late,
    codes: NDArray[np.uint16],
) -> None:
    """Play rounds to their end: the player's two cards, the house's two, flop, turn and river."""
    # Read once: reference counting of the arrays costs more than the work itself.
    keys, low, high, unsuited, suited = seven
    bits, order, sizes, steps, _ = by_board
    flop_sizes, flop_steps = by_flop.sizes, by_flop.steps
    before, flop_rows, flop, river_rows, river = decided
    rows, ends, boards, pairs = late
    lates = 0
    for row in range(len(decks)):
        one, two, three, four = decks[row, 0], decks[row, 1], decks[row, 2], decks[row, 3]
        board, held = NO_CARDS, np.uint64(0)
        for place in range(4, 7):
            board += keys[decks[row, place]]
            held |= bits[decks[row, place]]
        on_flop = held
        for place in range(7, 9):
            board += keys[decks[row, place]]
            held |= bits[decks[row, place]]
        mine, theirs = board + keys[one] + keys[two], board + keys[three] + keys[four]
        if mine & FLUSH:
            strength = suited[flush_ranks(mine, held | bits[one] | bits[two])]
        else:
            strength = unsuited[place_of(mine, low, high)]
        if theirs & FLUSH:
            other = suited[flush_ranks(theirs, held | bits[three] | bits[four])]
        else:
            other = unsuited[place_of(theirs, low, high)]
        code = _compared(strength, other, opens)
        taken, step = np.int64(before[pair_number(one, two)]), 0
        if taken == 0:
            a, b, c, d = sorted_suits(on_flop, order)
            pattern = flop_rows[position(a, b, c, d, flop_sizes, flop_steps)]
            taken, step = _taken(flop, pattern, _renamed(one, two, renaming(a, b, c, d))), 1
        if taken == 0:
            a, b, c, d = sorted_suits(held, order)
            rows[lates], ends[lates] = row, code
            boards[lates] = position(a, b, c, d, sizes, steps)
            pairs[lates] = _renamed(one, two, renaming(a, b, c, d))
            lates += 1
        codes[0, row] = _PER_RAISE * (first_codes[step] + taken - 1) + code
        codes[1, row] = strength >> 20
    # A separate loop lets the loads from this large table overlap.
    for each in range(lates):
        taken = _taken(river, river_rows[boards[each]], pairs[each])
        code = _PER_RAISE * (first_codes[2] + taken - 1) + ends[each]
        codes[0, rows[each]] = code if taken else 0


@numba.njit(cache=True, nogil=True, inline="always")
def _compared(mine: int, theirs: int, opens: int) -> int:
    """Return the code of an end, as if the first raise on offer had been taken."""
    opened = theirs >= opens
    code = TIED if mine == theirs else (LOST_OPENED if opened else LOST)
    won = (WON_OPENED if opened else WON) + (mine >> 20)
    return won if mine > theirs else code


@numba.njit(cache=True, nogil=True, inline="always")
def _renamed(one: int, two: int, becomes: np.int64) -> np.int64:
    """Return the number of a pair after renaming its suits."""
    low, high = one & 0xFC | becomes >> 2 * (one & 3) & 3, two & 0xFC | becomes >> 2 * (two & 3) & 3
    return pair_number(low, high)


@numba.njit(cache=True, nogil=True, inline="always")
def _taken(bits: Bits, row: np.int32, pair: np.int64) -> np.int64:
    """Return one more than the place of the raise that a pair takes, or 0."""
    taken = np.int64(0)
    for place in range(len(bits)):
        found = np.int64(bits[place, row, pair >> 6] >> np.uint64(pair & 63) & np.uint64(1))
        taken += found * (place + 1)
    return taken
