"""A simulated player of High Card Flush; it decides by tables of the counted positions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import Card
from tapisvert.games.high_card_flush.odds.decision_tables import LOOK, Decisions, decisions
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.parallel import Progress
from tapisvert.odds.simulation import Codes, Decks, Played, ends_of, played
from tapisvert.odds.suit_index import SuitIndex, position, sorted_suits, suit_index

HAND = 7
UNQUALIFIED, BEATEN, TIED, BETTER = range(1, 5)  # codes of a raise by one; 0 is a fold
_ENDS = 4  # codes for each further ante


class SimulatedPlayer:
    """Plays ante, Flush Rush and Super Flush Rush, one unit each."""

    bets = ("main", "flush", "straight-flush")
    cards = first_cards = 2 * HAND
    deck = 52

    def __init__(self, sheet: HighCardFlush, strategy: str, tell: Progress) -> None:
        self._decisions = decisions(sheet, strategy, tell)
        sides = {"flush": sheet.flush.pays, "straight-flush": sheet.straight_flush.pays}
        ante, price = sheet.ante.pays, sheet.raises.pays
        pays = [ante, price, *(each for side in sides.values() for each in side.values())]
        self.unit = lcm(*(each.denominator for each in pays))
        main: list[tuple[Fraction | int, int]] = [(-1, 1)]
        for times in range(1, 1 + max(sheet.raises.most_times.values())):
            nets = ante, ante + times * price, 0, -1 - times
            main += [(net, 1 + times) for net in nets]
        rows = {
            bet: [(side.get(f"{bet}-{n}", -1), 1) for n in range(HAND + 1)]
            for bet, side in sides.items()
        }
        self.ends = tuple(ends_of(self.unit, each) for each in (main, *rows.values()))

    def codes(self, decks: Decks) -> Codes:
        """Raise or fold, then compare."""
        found = np.empty((3, len(decks)), dtype=np.uint16)
        play_rounds(decks, self._decisions, suit_index(HAND), found)
        return found

    def play(self, decks: Decks) -> Played:
        """Play one round from each deck."""
        codes = self.codes(decks)
        times = (codes[0].astype(np.int64) + _ENDS - 1) // _ENDS
        return played(self.ends, codes, times[:, None])

    def said(self, cards: Sequence[Card], line: Sequence[int]) -> tuple[str, ...]:
        """Return the one choice of a round."""
        return (f"raise-{line[0]}",) if line[0] else ("fold",)


@numba.njit(cache=True, nogil=True)
def play_rounds(decks: Decks, decided: Decisions, by: SuitIndex, codes: NDArray[np.uint16]) -> None:
    """Play rounds to their end: the player's seven cards, then the house's."""
    # Read once: reference counting of the arrays costs more than the work itself.
    bits, order, sizes, steps = by.bits, by.order, by.sizes, by.steps
    by_flush, by_pattern, runs = decided.by_flush, decided.by_pattern, decided.runs
    least_to_qualify = decided.least_to_qualify[0]
    for row in range(len(decks)):
        held = other = np.uint64(0)
        for place in range(HAND):
            held |= bits[decks[row, place]]
            other |= bits[decks[row, HAND + place]]
        mine, run = np.int64(0), np.int64(0)
        theirs = np.int64(0)
        for shift in (0, 16, 32, 48):
            ranks = np.int64(held >> np.uint64(shift) & np.uint64(0x1FFF))
            mine = max(mine, np.int64(order[ranks]))
            run = max(run, np.int64(runs[ranks]))
            ranks = np.int64(other >> np.uint64(shift) & np.uint64(0x1FFF))
            theirs = max(theirs, np.int64(order[ranks]))
        times = np.int64(by_flush[mine])
        if times == LOOK:
            a, b, c, d = sorted_suits(held, order)
            times = np.int64(by_pattern[position(a, b, c, d, sizes, steps)])
        code = BEATEN if mine > theirs else (TIED if mine == theirs else BETTER)
        code = UNQUALIFIED if theirs < least_to_qualify else code
        codes[0, row] = _ENDS * (times - 1) + code if times else 0
        codes[1, row] = sizes[mine]
        codes[2, row] = run
