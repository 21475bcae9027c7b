"""The Fortune Bonus: every seven-card hand by the row of the pay table that pays most."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.pai_gow.odds.deck import Deck, Sets
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.parallel import spread
from tapisvert.ranking.fortune import ROWS
from tapisvert.ranking.joker_batch import fortune_rows

NOTHING = "nothing"
_ALL = 1 << len(ROWS)  # combinations of rows a hand can reach


def count_reached(deck: Deck, hands: Sets) -> list[int]:
    """Count the hands by the set of rows they reach: bit n of an index is `ROWS[n]`."""
    parts = spread(lambda first, end: _count(deck, hands, first, end), len(hands.rows))
    counts: list[int] = np.sum(parts, axis=0).tolist()
    return counts


def prove_fortune(sheet: PaiGow, reached: list[int]) -> Figure:
    """Return the figure of the bet; a hand that reaches several rows is paid by the highest."""
    counts = dict.fromkeys((*ROWS, NOTHING), 0)
    for row, count in zip(best_rows(sheet), reached, strict=True):
        counts[row] += count
    outcomes = [Outcome(row, count, net_of(sheet, row)) for row, count in counts.items()]
    return counted("fortune", "none", sum(reached), outcomes)


def best_rows(sheet: PaiGow) -> list[str]:
    """Return the best-paid row of each combination of rows, or none."""
    pays = sheet.fortune.pays
    every = ([row for place, row in enumerate(ROWS) if bits >> place & 1] for bits in range(_ALL))
    return [max(rows, key=lambda row: pays[row], default=NOTHING) for rows in every]


def net_of(sheet: PaiGow, row: str) -> Fraction:
    """Return the net result of a row."""
    return Fraction(-1) if row == NOTHING else sheet.fortune.pays[row]


def _count(deck: Deck, hands: Sets, first: int, end: int) -> NDArray[np.int64]:
    bits = fortune_rows(deck.cards[hands.rows[first:end]])
    # The sums are integers far below 2^53: floats hold them exactly.
    return np.bincount(bits, hands.weights[first:end], minlength=_ALL).astype(np.int64)
