"""The best play of Ultimate Texas Hold'em at each step, from the sums over all boards.

A strategy has a raise for each pair before the flop and for each pair and flop. At the river it
raises always, or when the raise is worth more than a fold.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.ultimate.odds.flops import PATTERNS, flops
from tapisvert.games.ultimate.odds.sums import FIXED, PER_ANTE, RIVER, Sums
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.combinatorics import all_sets

STARTS = comb(52, 2)


class Strategy(NamedTuple):
    """The choice at each step: antes to raise, 0 to check. Renaming suits does not change it."""

    before_flop: NDArray[np.int8]  # by pair
    after_flop: NDArray[np.int8]  # by pattern of the flop, and pair
    always_at_river: bool  # False: only where the raise beats the fold

    @property
    def blind(self) -> bool:
        """Tell whether every pair is played alike up to the river."""
        return not self.after_flop.any() and len(set(self.before_flop.tolist())) == 1


class Worths(NamedTuple):
    """Sums over all deals with a pair, by pair: of a check, and of the components of a raise."""

    check: NDArray[np.int64]
    fixed: NDArray[np.int64]
    per_ante: NDArray[np.int64]

    def of_raise(self, times: int) -> NDArray[np.int64]:
        """Return the value of a raise before the flop."""
        return self.fixed + times * self.per_ante


def best_after_flop(sheet: Ultimate, found: Sums) -> tuple[NDArray[np.int8], Sums]:
    """Return the best raise on every flop (0 for a check), and the value of the best choice."""
    best = found[:, :, RIVER].copy()
    chosen = np.zeros(best.shape, dtype=np.int8)
    for times in sheet.play.after_flop:
        value = found[:, :, FIXED] + times * found[:, :, PER_ANTE]
        better = value > best
        chosen[better], best[better] = times, value[better]
    return chosen, best


def before_flop(found: Sums, on_flop: Sums) -> Worths:
    """Sum the value of each pair over every flop; pairs that differ by suits only are equal."""
    known = flops()
    alike: dict[tuple[int, int, bool], NDArray[np.int64]] = {}
    totals = np.zeros((3, STARTS), dtype=np.int64)
    for number, (low, high) in enumerate(all_sets(52, 2).tolist()):
        kind = (low >> 2, high >> 2, low & 3 == high & 3)
        if kind not in alike:
            apart = ~((known.flops == low) | (known.flops == high)).any(axis=1)
            becomes = known.cards[known.renaming[apart]]
            rows, columns = known.pattern[apart], known.pairs[becomes[:, low], becomes[:, high]]
            alike[kind] = np.array(
                (
                    on_flop[rows, columns].sum(),
                    found[rows, columns, FIXED].sum(),
                    found[rows, columns, PER_ANTE].sum(),
                )
            )
        totals[:, number] = alike[kind]
    return Worths(*totals)


def best_before_flop(sheet: Ultimate, worths: Worths) -> NDArray[np.int8]:
    """Return the best raise before the flop by pair, 0 for a check."""
    best, chosen = worths.check.copy(), np.zeros(STARTS, dtype=np.int8)
    for times in sheet.play.before_flop:
        better = worths.of_raise(times) > best
        chosen[better], best[better] = times, worths.of_raise(times)[better]
    return chosen


def best(sheet: Ultimate, found: Sums) -> Strategy:
    """Return the best play."""
    after, on_flop = best_after_flop(sheet, found)
    before = best_before_flop(sheet, before_flop(found, on_flop))
    return Strategy(before, after, always_at_river=False)


def habits(sheet: Ultimate) -> dict[str, Strategy]:
    """Return the simple strategies by name."""
    check = np.zeros(STARTS, dtype=np.int8)
    checks = np.zeros((PATTERNS, STARTS), dtype=np.int8)
    most = check + np.int8(sheet.play.before_flop[-1])
    return {
        "wait-for-the-river": Strategy(check, checks, False),
        "never-fold": Strategy(check, checks, True),
        "always-raise-first": Strategy(most, checks, True),
    }
