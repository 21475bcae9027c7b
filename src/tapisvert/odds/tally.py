"""The tally of simulated rounds: integers that add up to the same total however rounds are cut.

A tally counts how the rounds of each bet ended, and describes the path of its results: runs and
drawdown. Two tallies of consecutive rounds make the tally of all of them. This operation is
associative, so that blocks may be played anywhere and in any order, and are added in theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from math import sqrt
from typing import NamedTuple

import numba
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Codes = NDArray[np.uint16]  # how each round of a bet ended


class Path(Struct, frozen=True):
    """The results of a bet in order. Amounts are in parts of a unit.

    A run is a sequence of won (or lost) rounds. A push neither ends nor extends it. The lengths
    `first` and `last` are negative for lost rounds.
    """

    net: int = 0
    high: int = 0  # the highest and lowest sum on the way, the start included
    low: int = 0
    drawdown: int = 0  # the largest fall from a high
    first: int = 0
    last: int = 0
    won: int = 0  # the longest runs
    lost: int = 0

    def then(self, other: Path) -> Path:
        """Return the path of these rounds followed by others."""
        joined = self.last + other.first if self.last * other.first > 0 else 0
        return Path(
            net=self.net + other.net,
            high=max(self.high, self.net + other.high),
            low=min(self.low, self.net + other.low),
            drawdown=max(self.drawdown, other.drawdown, self.high - self.net - other.low),
            first=self.first if self._ends_first(other.first) else self.first + other.first,
            last=other.last if other._ends_first(self.last) else other.last + self.last,
            won=max(self.won, other.won, joined),
            lost=max(self.lost, other.lost, -joined),
        )

    def _ends_first(self, beside: int) -> bool:
        """Tell whether a neighbouring run cannot extend through all of these rounds."""
        return (self.won > 0 and (self.lost > 0 or beside < 0)) or (self.lost > 0 and beside > 0)


class BetTally(Struct, frozen=True):
    """The rounds of one bet."""

    bet: str
    ends: tuple[tuple[int, int, int], ...]  # net, staked, rounds; in this order
    path: Path


class Tally(Struct, frozen=True):
    """The rounds from `first` on; amounts are in parts of a first stake."""

    unit: int
    first: int
    rounds: int
    bets: tuple[BetTally, ...]

    def __add__(self, other: Tally) -> Tally:
        """Return the tally of these rounds and the rounds that follow them."""
        if other.first != self.first + self.rounds or other.unit != self.unit:
            raise ValueError("only tallies of consecutive rounds of one player add up")
        return Tally(
            self.unit,
            self.first,
            self.rounds + other.rounds,
            tuple(_added(*both) for both in zip(self.bets, other.bets, strict=True)),
        )


class Summary(NamedTuple):
    """The summary of a bet: means per first stake, and the standard error of the net result."""

    bet: str
    rounds: int
    edge: float
    error: float
    staked: float
    returned: float
    nets: dict[float, int]  # the number of rounds with each net result
    longest_won: int  # the most rounds won in a row; pushes left out
    longest_lost: int
    drawdown: float  # the largest fall of the summed results from a high


def total(tallies: Iterable[Tally]) -> Tally:
    """Add up tallies of consecutive rounds."""
    return reduce(Tally.__add__, tallies)


def tally_of(unit: int, first: int, bets: Iterable[tuple[str, Codes, NDArray[np.int64]]]) -> Tally:
    """Tally rounds: each bet with the code of every round, and a row (net, staked) for each code.

    >>> ends = np.array([[-1, 1], [0, 1], [2, 1]])
    >>> tally = tally_of(1, 0, [("main", np.array([2, 0, 1, 0, 2], dtype=np.uint16), ends)])
    >>> tally.bets[0].ends
    ((-1, 1, 2), (0, 1, 1), (2, 1, 2))
    >>> tally.bets[0].path
    Path(net=2, high=2, low=0, drawdown=2, first=1, last=1, won=1, lost=2)
    """
    found, rounds = [], 0
    for bet, codes, ends in bets:
        counts, path = np.zeros(len(ends), dtype=np.int64), np.zeros(8, dtype=np.int64)
        _walk(codes, np.ascontiguousarray(ends[:, 0]), counts, path)
        rounds = len(codes)
        rows = ((*ends[code].tolist(), int(counts[code])) for code in np.flatnonzero(counts))
        found.append(BetTally(bet, _joined(rows), Path(*path.tolist())))
    return Tally(unit, first, rounds, tuple(found))


def summaries(tally: Tally) -> list[Summary]:
    """Summarise each bet of a tally."""
    return [_summary(each, tally.unit, tally.rounds) for each in tally.bets]


@numba.njit(cache=True, nogil=True)
def _walk(
    codes: Codes, nets: NDArray[np.int64], counts: NDArray[np.int64], path: NDArray[np.int64]
) -> None:
    """Count the codes, and write the fields of `Path`."""
    net = high = low = drawdown = won = lost = most_won = most_lost = 0
    for code in codes:
        counts[code] += 1
        gain = nets[code]
        net += gain
        high, low = max(high, net), min(low, net)
        drawdown = max(drawdown, high - net)
        # Without branches: nothing predicts whether a round is won.
        won = (won + (gain > 0)) * (gain >= 0)
        lost = (lost + (gain < 0)) * (gain <= 0)
        most_won, most_lost = max(most_won, won), max(most_lost, lost)
    first = 0
    for code in codes:
        if nets[code] * first < 0:
            break
        first += np.sign(nets[code])
    path[:4] = net, high, low, drawdown
    path[4:] = first, won - lost, most_won, most_lost


def _joined(rows: Iterable[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    found: dict[tuple[int, int], int] = {}
    for net, staked, rounds in rows:
        found[net, staked] = found.get((net, staked), 0) + rounds
    return tuple((*end, found[end]) for end in sorted(found))


def _added(one: BetTally, other: BetTally) -> BetTally:
    return BetTally(one.bet, _joined((*one.ends, *other.ends)), one.path.then(other.path))


def _summary(each: BetTally, unit: int, rounds: int) -> Summary:
    nets: dict[int, int] = {}
    for net, _, count in each.ends:
        nets[net] = nets.get(net, 0) + count
    squares = sum(net**2 * count for net, count in nets.items())
    staked = sum(staked * count for _, staked, count in each.ends)
    edge, put = each.path.net / unit / rounds, staked / unit / rounds
    # In whole numbers up to the root: the difference of two large floats would lose digits.
    variance = (squares * rounds - each.path.net**2) / (unit * rounds) ** 2
    return Summary(
        each.bet,
        rounds,
        edge,
        sqrt(variance / rounds),
        put,
        1 + edge / put,
        {net / unit: count for net, count in sorted(nets.items())},
        each.path.won,
        each.path.lost,
        each.path.drawdown / unit,
    )
