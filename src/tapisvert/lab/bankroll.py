"""The law of the result after many rounds, from the outcomes of one.

A round's net results are whole multiples of a step, a fraction of the first stake. The law of n
rounds is the n-fold convolution of the law of one. It is computed in doubles, with a proved bound:

- Every entry is a sum of products of numbers that are not negative, so nothing cancels. An entry
  that took m rounded operations is off by at most the factor (1 + u)^m with u = 2^-53, whatever the
  order of the sums. `operations` counts m for the worst entry.
- Tails are cut, and the cut mass is added up. It can be missing anywhere.
- A product below the least normal double loses at most 2^-1074, which `UNDERFLOW` covers.

Knows no game. Imports NumPy: never imported by a server.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.refusal import Refused, invariant

Chances = NDArray[np.float64]

ROUNDS_MAX = 10**6
LATTICE_MAX = 2 * 10**5  # entries of a law; squaring one takes the square of it
CUT = 1e-15  # mass that may be cut from the final law at each step, both tails together
UNDERFLOW = 1e-290  # more than 10^30 lost products of 2^-1074
_U = 2.0**-53
_BLOCK = 4096


@dataclass(frozen=True, slots=True)
class RoundLaw:
    """The law of one round: results in steps of 1/`unit` of the first stake, in rising order."""

    unit: int
    steps: tuple[int, ...]
    chances: tuple[Fraction, ...]

    @property
    def mean(self) -> Fraction:
        """The mean result, in first stakes."""
        return self._sum(1) / self.unit

    @property
    def variance(self) -> Fraction:
        """The variance of the result, in squares of the first stake."""
        return self._sum(2) / self.unit**2 - self.mean**2

    def _sum(self, power: int) -> Fraction:
        pairs = zip(self.steps, self.chances, strict=True)
        return sum((chance * step**power for step, chance in pairs), Fraction(0))


def round_law(outcomes: Iterable[tuple[Fraction, Fraction]]) -> RoundLaw:
    """Return the law of one round from net results and their probabilities.

    >>> half = Fraction(1, 2)
    >>> round_law([(Fraction(3, 2), half), (Fraction(-1), half)])
    RoundLaw(unit=2, steps=(-2, 3), chances=(Fraction(1, 2), Fraction(1, 2)))
    """
    found: dict[Fraction, Fraction] = {}
    for net, chance in outcomes:
        if chance:
            found[net] = found.get(net, Fraction(0)) + chance
    invariant(sum(found.values()) == 1, "the probabilities of the outcomes add up to 1")
    unit = lcm(*(net.denominator for net in found))
    steps = {int(net * unit): chance for net, chance in sorted(found.items())}
    if max(steps) - min(steps) >= LATTICE_MAX:
        raise Refused("bankroll/too_large")
    return RoundLaw(unit, tuple(steps), tuple(steps.values()))


@dataclass(frozen=True, slots=True)
class Law:
    """The law of the result of many rounds. Entry i is the chance of `first` + i steps."""

    first: int
    chances: Chances
    operations: int  # rounded operations behind an entry, at most
    cut: float  # mass cut off, as computed

    @property
    def error(self) -> float:
        """Bound the error of the probability of any set of results."""
        relative = growth(self.operations + len(self.chances))  # and the sum over the set
        return relative + self.cut * (1 + relative) + UNDERFLOW

    def at_most(self, step: int) -> float:
        """Return the probability of a result of at most this many steps."""
        return float(self.chances[: max(0, step - self.first + 1)].sum())

    def quantiles(self, shares: Sequence[float]) -> list[int]:
        """Return, for each share, the least result that is not exceeded with that probability."""
        places = np.searchsorted(np.cumsum(self.chances), np.array(shares))
        return [self.first + min(int(place), len(self.chances) - 1) for place in places]


def growth(operations: int) -> float:
    """Bound the relative error of this many rounded operations: m u / (1 - m u).

    >>> growth(2**20) < 1.2e-10
    True
    """
    return operations * _U / (1 - operations * _U)


def law(one: RoundLaw, rounds: int, tell: Progress = no_progress) -> Law:
    """Return the law of the result of this many rounds: square and multiply."""
    found = Law(0, np.ones(1), 0, 0.0)
    done = 0
    for bit in f"{rounds:b}":
        if done:
            found = _trimmed(_squared(found), 2 * done / rounds)
        done *= 2
        if bit == "1":
            done += 1
            found = _trimmed(_multiplied(found, one), done / rounds)
        tell((done / rounds) ** 1.5)
    return found


def _squared(half: Law) -> Law:
    """Convolve a law with itself."""
    terms = int(np.count_nonzero(half.chances))
    return Law(
        2 * half.first,
        _square(half.chances),
        2 * half.operations + terms,  # a product and a sum for each term, but the first sum
        2 * half.cut * (1 + growth(half.operations)),
    )


def _square(chances: Chances) -> Chances:
    """Convolve a vector with itself, in blocks that fit the cache. Doubling rounds nothing."""
    blocks = [chances[begin : begin + _BLOCK] for begin in range(0, len(chances), _BLOCK)]
    found = np.zeros(2 * len(chances) - 1)
    for place, block in enumerate(blocks):
        for other in range(place, len(blocks)):
            part = np.convolve(block, blocks[other])
            begin = (place + other) * _BLOCK
            found[begin : begin + len(part)] += part if place == other else 2 * part
    return found


def _multiplied(before: Law, one: RoundLaw) -> Law:
    """Convolve a law with the law of one round."""
    least, size = one.steps[0], len(before.chances)
    chances = np.zeros(size + one.steps[-1] - least)
    for step, chance in zip(one.steps, one.chances, strict=True):
        chances[step - least : step - least + size] += float(chance) * before.chances
    operations = before.operations + len(one.steps) + 1  # the chance itself is rounded
    return Law(before.first + least, chances, operations, before.cut)


def _trimmed(found: Law, share: float) -> Law:
    """Cut both tails, less the fewer rounds are done: a later square doubles what is missing."""
    cut = CUT * share / 2
    below = int(np.searchsorted(np.cumsum(found.chances), cut))
    above = int(np.searchsorted(np.cumsum(found.chances[::-1]), cut))
    kept = found.chances[below : len(found.chances) - above]
    if len(kept) > LATTICE_MAX:
        raise Refused("bankroll/too_large")
    gone = float(found.chances[:below].sum() + found.chances[len(found.chances) - above :].sum())
    missing = found.cut + gone * (1 + growth(found.operations + len(found.chances)))
    return Law(found.first + below, kept, found.operations, missing)
