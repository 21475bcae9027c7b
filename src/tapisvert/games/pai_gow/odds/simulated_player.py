"""A simulated player of Fortune Pai Gow Poker: house way, a simple strategy, or best sets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import JOKER, Card, write_hand
from tapisvert.games.pai_gow.odds.decision_tables import (
    HOUSE_WAY,
    JOKER_FROM,
    MARK_BITS,
    Sets,
    sets_by,
)
from tapisvert.games.pai_gow.odds.deck import HAND
from tapisvert.games.pai_gow.odds.fortune import best_rows, net_of
from tapisvert.games.pai_gow.odds.hands import HABITS, eligible_lows
from tapisvert.games.pai_gow.odds.sets import LOW_BITS, LOW_MASK, SETS, Order, lay, mark, order
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.parallel import Progress
from tapisvert.odds.simulation import Codes, Decks, Played, ends_of, played
from tapisvert.odds.suit_index import SuitIndex, position, sorted_suits, suit_index

STRATEGIES = (HOUSE_WAY, "optimal", *HABITS)
LOST, PUSHED, WON = range(3)  # codes of the main bet; those of the bonus are the rows reached
_MARK = (1 << MARK_BITS) - 1


class SimulatedPlayer:
    """Plays the main bet and the Fortune Bonus, one unit each."""

    bets = ("main", "fortune")
    cards = first_cards = 2 * HAND
    deck = len(PaiGow.deck)

    def __init__(self, sheet: PaiGow, strategy: str, tell: Progress) -> None:
        self._house = sets_by(sheet, HOUSE_WAY, tell)
        self._mine = self._house
        if strategy != HOUSE_WAY:
            self._mine = sets_by(sheet, strategy, tell)
        self._eligible = eligible_lows(sheet)
        pays = [sheet.main.pays, *sheet.fortune.pays.values()]
        self.unit = lcm(*(each.denominator for each in pays))
        fortune = [(net_of(sheet, row), 1) for row in best_rows(sheet)]
        main: list[tuple[Fraction | int, int]]
        main = [(-1, 1), (0, 1), (sheet.main.pays, 1)]
        self.ends = ends_of(self.unit, main), ends_of(self.unit, fortune)

    def codes(self, decks: Decks) -> Codes:
        """Set the hands of both sides, then compare; the house wins copies."""
        return self._played(decks)[0]

    def play(self, decks: Decks) -> Played:
        """Play one round from each deck, and find the sets that were made."""
        codes, mine = self._played(decks)
        chosen = np.empty(len(decks), dtype=np.int64)
        player = np.sort(decks[:, :HAND], axis=1)
        _find_sets(player, self._mine[mine] & np.uint32(_MARK), order(), chosen)
        return played(self.ends, codes, chosen[:, None])

    def said(self, cards: Sequence[Card], line: Sequence[int]) -> tuple[str, ...]:
        """Return the low hand of the set, its cards in dealing order."""
        low = list(combinations(sorted(cards[:HAND]), 2))[line[0]]
        return (write_hand(sorted(low, key=cards.index)),)

    def _played(self, decks: Decks) -> tuple[Codes, NDArray[np.int64]]:
        found = np.empty((2, len(decks)), dtype=np.uint16)
        mine, theirs = np.empty((2, len(decks)), dtype=np.int64)
        natural, beside = suit_index(HAND), suit_index(HAND - 1)
        find_hands(decks, natural, beside.steps, mine, theirs)
        compare(self._mine, self._house, mine, theirs, self._eligible, found)
        return found, mine


@numba.njit(cache=True, nogil=True)
def find_hands(
    decks: Decks,
    by: SuitIndex,
    steps_beside: NDArray[np.int64],
    mine: NDArray[np.int64],
    theirs: NDArray[np.int64],
) -> None:
    """Write the positions of both hands of each deck."""
    # Read once: reference counting of the arrays costs more than the work itself.
    bits, order, sizes, steps = by.bits, by.order, by.sizes, by.steps
    for row in range(len(decks)):
        for begin in (0, HAND):
            held, joker = np.uint64(0), False
            for place in range(begin, begin + HAND):
                card = decks[row, place]
                held |= bits[card]
                joker = joker or card == JOKER
            a, b, c, d = sorted_suits(held, order)
            if joker:
                at = JOKER_FROM + position(a, b, c, d, sizes, steps_beside)
            else:
                at = position(a, b, c, d, sizes, steps)
            if begin == 0:
                mine[row] = at
            else:
                theirs[row] = at


@numba.njit(cache=True, nogil=True)
def compare(
    sets: Sets,
    house: Sets,
    mine: NDArray[np.int64],
    theirs: NDArray[np.int64],
    eligible: NDArray[np.bool_],
    codes: NDArray[np.uint16],
) -> None:
    """Compare both hands of each side. A separate loop lets loads from the tables overlap."""
    for row in range(len(mine)):
        one, other = np.int64(sets[mine[row]]), np.int64(house[theirs[row]])
        low, high = other & LOW_MASK, (other & _MARK) >> LOW_BITS
        wins = np.int64(one & LOW_MASK > low) + np.int64((one & _MARK) >> LOW_BITS > high)
        codes[0, row] = wins if eligible[low] else PUSHED
        codes[1, row] = one >> MARK_BITS


@numba.njit(cache=True, nogil=True)
def _find_sets(
    hands: Decks, marks: NDArray[np.uint32], by: Order, chosen: NDArray[np.int64]
) -> None:
    """Find the set of each hand with this mark, in the order of `itertools.combinations`."""
    cards = np.empty(HAND, dtype=np.int64)
    lows, highs = np.empty(SETS, dtype=np.int64), np.empty(SETS, dtype=np.int64)
    for row in range(len(hands)):
        cards[:] = hands[row]
        lay(cards, by, lows, highs)
        for at in range(SETS):
            if mark(highs[at], lows[at]) == marks[row]:
                chosen[row] = at
