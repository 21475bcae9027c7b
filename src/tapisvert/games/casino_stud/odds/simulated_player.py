"""A simulated player of Casino Stud; it decides by tables of the counted positions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import Card
from tapisvert.games.casino_stud.odds.decision_tables import LOOK, PLAY, Decisions, decisions
from tapisvert.games.casino_stud.sheet import CasinoStud
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
from tapisvert.ranking.standard import CATEGORIES

FOLDED, UNQUALIFIED, TIED, LOST, WON = range(5)  # codes of the main bet; WON plus the category


class SimulatedPlayer:
    """Plays ante and 5+1, one unit each."""

    bets = ("main", "bonus")
    cards = first_cards = 10
    deck = 52

    def __init__(self, sheet: CasinoStud, strategy: str, tell: Progress) -> None:
        self._decisions = decisions(sheet, strategy, tell)
        self._least_to_qualify = sheet.least_to_qualify
        pays = [sheet.ante.pays, *sheet.play.pays.values(), *sheet.bonus.pays.values()]
        self.unit = lcm(*(each.denominator for each in pays))
        times, ante = sheet.play.times_ante, sheet.ante.pays
        staked = 1 + times
        won = [(ante + times * sheet.play.pays[row], staked) for row in CATEGORIES]
        main: list[tuple[Fraction | int, int]]
        main = [(-1, 1), (ante, staked), (0, staked), (-staked, staked), *won]
        bonus = [(sheet.bonus.pays.get(row, -1), 1) for row in CATEGORIES]
        self.ends = ends_of(self.unit, main), ends_of(self.unit, bonus)

    def codes(self, decks: Decks) -> Codes:
        """Play or fold, then compare."""
        found = np.empty((2, len(decks)), dtype=np.uint16)
        tables = hand_tables(5), hand_tables(6), suit_index(5)
        play_rounds(decks, self._decisions, *tables, self._least_to_qualify, found)
        return found

    def play(self, decks: Decks) -> Played:
        """Play one round from each deck."""
        codes = self.codes(decks)
        return played(self.ends, codes, (codes[0] != FOLDED).astype(np.int64)[:, None])

    def said(self, cards: Sequence[Card], line: Sequence[int]) -> tuple[str, ...]:
        """Return the one choice of a round."""
        return ("play",) if line[0] else ("fold",)


@numba.njit(cache=True, nogil=True)
def play_rounds(
    decks: Decks,
    decided: Decisions,
    five: HandTables,
    six: HandTables,
    by: SuitIndex,
    least_to_qualify: int,
    codes: NDArray[np.uint16],
) -> None:
    """Play rounds to their end: the player's five cards, then the house's."""
    # Read once: reference counting of the arrays costs more than the work itself.
    keys, low, high, unsuited, suited = five.keys, five.low, five.high, five.unsuited, five.suited
    by_ranks, by_pattern = decided.by_ranks, decided.by_pattern
    low_6, high_6, unsuited_6, suited_6 = six.low, six.high, six.unsuited, six.suited
    for row in range(len(decks)):
        mine = theirs = NO_CARDS
        for place in range(5):
            mine += keys[decks[row, place]]
            theirs += keys[decks[row, 5 + place]]
        up = decks[row, 5]
        both = mine + keys[up]
        choice = LOOK
        if mine & FLUSH:
            strength = suited[flush_ranks(mine, _held(decks, row, 0, 5, by.bits))]
        else:
            at = place_of(mine, low, high)
            strength, choice = unsuited[at], by_ranks[at]
        if choice == LOOK:
            a, b, c, d = sorted_suits(_held(decks, row, 0, 5, by.bits), by.order)
            renamed = up & 0xFC | renaming(a, b, c, d) >> 2 * (up & 3) & 3
            bits = by_pattern[position(a, b, c, d, by.sizes, by.steps)]
            choice = bits >> np.uint64(renamed) & np.uint64(1)
        if theirs & FLUSH:
            other = suited[flush_ranks(theirs, _held(decks, row, 5, 10, by.bits))]
        else:
            other = unsuited[place_of(theirs, low, high)]
        if both & FLUSH:
            six_strength = suited_6[flush_ranks(both, _held(decks, row, 0, 6, by.bits))]
        else:
            six_strength = unsuited_6[place_of(both, low_6, high_6)]
        code = WON + (strength >> 20) if strength > other else (TIED if strength == other else LOST)
        code = UNQUALIFIED if other < least_to_qualify else code
        codes[0, row] = code if choice == PLAY else FOLDED
        codes[1, row] = six_strength >> 20


@numba.njit(cache=True, nogil=True, inline="always")
def _held(decks: Decks, row: int, begin: int, end: int, bits: NDArray[np.uint64]) -> np.uint64:
    """Return the cards of a hand as sixteen bits for each suit."""
    held = np.uint64(0)
    for place in range(begin, end):
        held |= bits[decks[row, place]]
    return held
