"""Ruin and goal: the law of a purse that stops, round by round.

The purse moves on the lattice of `RoundLaw`, from 0. It stops in ruin below `floor`, and at the
goal from `goal` on. A vector holds the probability of every purse that still plays. One round
spreads it by the outcomes; what falls outside is added to ruin or goal. The error is bounded as in
`bankroll.py`: nothing is subtracted, operations are counted, and cut tails are added up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.lab.bankroll import UNDERFLOW, Chances, RoundLaw, growth
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.refusal import Refused

PURSES_MAX = 10**7  # entries of the vector
WORK_MAX = 10**11  # products: about a minute
EVER_WORK_MAX = 2 * 10**10
ALIVE_MIN = 1e-12  # what may still play when a purse without time is said to have stopped
_CUT = 1e-20  # of each tail and round
_ROUNDS_AT_ONCE = 1024
_TILE = 1024
_FEW = 1e-6  # if fewer play on, the end may be near
_RATE_MIN = 1e-5  # below it, the sum that is compared with 1 is not accurate enough
_RUIN, _RUIN_ROUNDS, _GOAL, _CUT_MASS, _WORK = range(5)


@dataclass(frozen=True, slots=True)
class Bounded:
    """A computed number and a bound on its error."""

    value: float
    error: float


class Purse:
    """The probabilities of a purse after some rounds. `floor` and `goal` are in steps."""

    def __init__(self, one: RoundLaw, floor: int, goal: int | None) -> None:
        self._steps: NDArray[np.int64] = np.array(one.steps, dtype=np.int64)
        self._chances: Chances = np.array([float(each) for each in one.chances])
        self._base = floor + min(0, one.steps[0])  # the purse of entry 0
        self._floor = floor - self._base
        self._goal = -1 if goal is None else goal - self._base
        start = -self._base
        if max(start, self._goal) + one.steps[-1] > PURSES_MAX:
            raise Refused("bankroll/too_large")
        self._now = np.zeros(start + max(1, one.steps[-1]) + 1024)
        self._now[start] = 1.0
        self._low, self._high = start, start
        self._totals = np.zeros(5)
        self._ruined: list[Chances] = []
        self.rounds = 0

    def play(self, rounds: int, work_max: float, tell: Progress = no_progress) -> bool:
        """Play rounds until all have stopped; return False if it would be too much work."""
        end = self.rounds + rounds
        while self.rounds < end and self._low <= self._high:
            if self._too_much(end - self.rounds, work_max):
                return False
            self._make_room()
            spare = np.zeros_like(self._now)
            ruined = np.zeros(min(_ROUNDS_AT_ONCE, end - self.rounds))
            self._now, self._low, self._high, played = _play(
                (self._now, spare),
                (self._low, self._high, self._floor, self._goal, self.rounds),
                ruined,
                self._steps,
                self._chances,
                self._totals,
            )
            self._ruined.append(ruined[:played])
            self.rounds += played
            tell(1 - (end - self.rounds) / rounds)
        return True

    def _too_much(self, rounds: int, work_max: float) -> bool:
        """Whether the work is over the limit, or will clearly be: a tenth of it tells."""
        done = float(self._totals[_WORK])
        ahead = (self._high - self._low + 1.0) * len(self._steps) * rounds
        many = self.playing.value > _FEW
        return done > work_max or (done > work_max / 10 and ahead > 3 * work_max and many)

    def _make_room(self) -> None:
        """Grow the vector while the highest purse has no room for the highest win."""
        needed = self._high + max(1, int(self._steps[-1])) + 1
        if needed > PURSES_MAX:
            raise Refused("bankroll/too_large")
        if needed > len(self._now):
            grown = np.zeros(min(2 * needed, PURSES_MAX))
            grown[: len(self._now)] = self._now
            self._now = grown

    @property
    def ruin(self) -> Bounded:
        """The probability of ruin so far."""
        return self._bounded(float(self._totals[_RUIN]))

    @property
    def goal(self) -> Bounded:
        """The probability that the goal was reached."""
        return self._bounded(float(self._totals[_GOAL]))

    @property
    def playing(self) -> Bounded:
        """The probability that the purse still plays."""
        return self._bounded(float(self._now[self._low : self._high + 1].sum()))

    @property
    def rounds_to_ruin(self) -> Bounded | None:
        """The mean number of rounds to ruin, among the purses ruined so far."""
        ruin, total = self.ruin, float(self._totals[_RUIN_ROUNDS])
        if ruin.value <= 2 * ruin.error:
            return None
        spread = self._relative * total + self.rounds * self._cut_mass + UNDERFLOW
        mean = total / ruin.value
        least = (total - spread) / (ruin.value + ruin.error)
        most = (total + spread) / (ruin.value - ruin.error)
        return Bounded(mean, max(mean - least, most - mean) + mean * growth(8))

    def ruin_by_round(self) -> Chances:
        """Return the probability of ruin within each number of rounds, from 1 on.

        The error of each is at most that of `ruin`.
        """
        return np.cumsum(np.concatenate([np.zeros(0), *self._ruined]))

    @property
    def _relative(self) -> float:
        # Each round: the chance is rounded, multiplied and added; then sums over a round's purses.
        operations = self.rounds * (len(self._steps) + 4) + len(self._now) + 8
        relative = growth(operations)
        return relative / (1 - relative)

    @property
    def _cut_mass(self) -> float:
        return float(self._totals[_CUT_MASS]) * (1 + self._relative)

    def _bounded(self, value: float) -> Bounded:
        return Bounded(value, value * self._relative + self._cut_mass + UNDERFLOW)


@numba.njit(cache=True, nogil=True)
def _spread(
    now: Chances, then: Chances, start: int, steps: NDArray[np.int64], chances: Chances
) -> None:
    """Play one round; `now` begins `start` entries after `then`. Tiles stay in the cache."""
    for begin in range(0, len(then), _TILE):
        end = min(begin + _TILE, len(then))
        then[begin:end] = 0.0
        for each in range(len(steps)):
            move, chance = start + steps[each], chances[each]
            first, last = max(begin, move), min(end, move + len(now))
            if first < last:
                source, target = now[first - move : last - move], then[first:last]
                for place in range(len(target)):
                    target[place] += chance * source[place]


@numba.njit(cache=True, nogil=True)
def _play(
    vectors: tuple[Chances, Chances],
    place: tuple[int, int, int, int, int],
    by_round: Chances,
    steps: NDArray[np.int64],
    chances: Chances,
    totals: Chances,
) -> tuple[Chances, int, int, int]:
    """Play rounds while there is room for the highest win; `by_round` gets the ruin of each."""
    now, spare = vectors
    low, high, floor, goal, before = place
    for played in range(len(by_round)):
        if low > high or high + steps[-1] >= len(now):
            return now, low, high, played
        least, most = min(low, low + steps[0]), max(high, high + steps[-1])
        _spread(now[low : high + 1], spare[least : most + 1], low - least, steps, chances)
        totals[_WORK] += (high - low + 1) * len(steps)
        ruined = 0.0
        while least < floor and least <= most:
            ruined += spare[least]
            least += 1
        by_round[played] = ruined
        totals[_RUIN] += ruined
        totals[_RUIN_ROUNDS] += ruined * (before + played + 1)
        reached = 0.0
        while goal >= 0 and most >= goal and most >= least:
            reached += spare[most]
            most -= 1
        totals[_GOAL] += reached
        cut = 0.0
        while most >= least and cut + spare[most] < _CUT:
            cut += spare[most]
            most -= 1
        totals[_CUT_MASS] += cut
        cut = 0.0
        while most >= least and cut + spare[least] < _CUT:
            cut += spare[least]
            least += 1
        totals[_CUT_MASS] += cut
        now, spare, low, high = spare, now, least, most
    return now, low, high, len(by_round)


def after(
    one: RoundLaw, floor: int, goal: int | None, rounds: int, tell: Progress = no_progress
) -> Purse:
    """Return the purse after this many rounds, from 0."""
    least, most = rounds * one.steps[0], rounds * one.steps[-1]
    if goal is not None and goal > most:
        goal = None  # out of reach
    purse = Purse(one, max(floor, min(least, 0)), goal)  # the floor is never above the start
    if not purse.play(rounds, WORK_MAX, tell):
        raise Refused("bankroll/too_large")
    return purse


def rounds_until(by_round: Chances, chance: float) -> int | None:
    """Return the least number of rounds with at least this probability of ruin, or None.

    >>> rounds_until(np.array([0.0, 0.25, 0.5]), 0.25), rounds_until(np.array([0.5]), 0.75)
    (2, None)
    """
    place = int(np.searchsorted(by_round, chance))
    return place + 1 if place < len(by_round) else None


def ruin_ever(one: RoundLaw, floor: int, goal: int | None) -> Bounded | None:
    """Return the probability of ruin without a limit of time, or None if it is too much work.

    Without a goal, ruin is certain unless the mean is positive: a random walk without upward drift
    comes below every bound. With a positive mean a goal is put so high that ruin after it is rarer
    than ALIVE_MIN.
    """
    if one.steps[0] >= 0:
        return Bounded(0.0, 0.0)
    beyond = 0.0
    if goal is None:
        if one.mean <= 0:
            return Bounded(1.0, 0.0)
        goal, beyond = _safe_goal(one, floor), ALIVE_MIN
    if goal - floor + one.steps[-1] - one.steps[0] > PURSES_MAX:
        return None
    purse = Purse(one, floor, goal)
    while (alive := purse.playing.value) > ALIVE_MIN:
        if not purse.play(_ROUNDS_AT_ONCE, EVER_WORK_MAX):
            return None
    ruin = purse.ruin
    return Bounded(ruin.value, ruin.error + alive * 2 + beyond)


def _safe_goal(one: RoundLaw, floor: int) -> int:
    """Return a purse from which ruin is rarer than ALIVE_MIN, by Lundberg's inequality.

    If the mean of e^(-r result) is at most 1, ruin from h steps above the floor has at most the
    probability e^(-r h).
    """
    rate = 1.0
    while _moment(one, rate) > 1 - 1e-9 * rate:
        rate /= 2
        if rate < _RATE_MIN:
            return PURSES_MAX + floor + 1
    return max(1, floor + int(-np.log(ALIVE_MIN) / rate) + 1)


def _moment(one: RoundLaw, rate: float) -> float:
    pairs = zip(one.steps, one.chances, strict=True)
    return sum(float(chance) * exp(-rate * step) for step, chance in pairs)
