"""The seven GLI-19 tests (chapter 3.2.2) on shuffled decks, and the hands they make.

Each function takes decks position by position (see `decks`) and returns a p-value: the probability
of a result at least this extreme under perfect shuffling. The null distributions are exact, or
limits whose mean and covariance are known in closed form (serial correlation alone measures its
covariance on the decks); none is calibrated by simulation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from math import comb, factorial, perm

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from dealing.decks import CARDS, Decks
from tapisvert.ranking import batch

Floats = NDArray[np.float64]

_LAGS = 10
_SLICE = 100_000  # decks worked on at once as floats
_VARIANCE = (CARDS**2 - 1) / 12  # of one card's number
_FIVE_CARD_HANDS = (  # of C(52,5), from high card to straight flush, royal flushes included
    *(1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40),
)


def card_by_position(decks: Decks) -> float:
    """Chi-square of the 52x52 table: how often each card fell in each place.

    Each deck adds a permutation matrix, whose covariance is 1 / (52 - 1) on the 51 * 51 dimensions
    left by fixed row and column sums; hence the 51 / 52 beside the usual sum.
    """
    table = np.array([np.bincount(row, minlength=CARDS) for row in decks])
    expected = decks.shape[1] / CARDS
    statistic = ((table - expected) ** 2).sum() / expected * (CARDS - 1) / CARDS
    return _chi2_sf(statistic, (CARDS - 1) ** 2)


def worst_position(decks: Decks) -> float:
    """The most extreme single position, times 52 (Bonferroni correction).

    A bias in one position only, say the first card dealt, is invisible in the whole table.
    """
    expected = decks.shape[1] / CARDS
    tables = [np.bincount(row, minlength=CARDS) for row in decks]
    worst = max(float(((table - expected) ** 2).sum() / expected) for table in tables)
    return min(1.0, CARDS * _chi2_sf(worst, CARDS - 1))


def overlaps(decks: Decks) -> float:
    """How often each card follows each other one, over all overlapping pairs.

    The cut between bottom and top counts as a 53rd card, so that a deck is a uniform cycle of
    m = 53. A cycle's successor matrix has fixed row and column sums. What is left are symmetric
    matrices, of variance 1 / (m - 1) on m(m - 3) / 2 dimensions, and antisymmetric ones, of
    variance m / ((m - 1)(m - 2)) on (m - 1)(m - 2) / 2: the only pieces that renaming the cards
    does not mix. tests/dealing/test_R5_shuffle.py checks both numbers on every small cycle.
    """
    m, number = CARDS + 1, decks.shape[1]
    follows = np.zeros(m * m)
    cut = np.full(number, CARDS, dtype=np.uint8)
    for first, second in pairwise((cut, *decks, cut)):
        follows += np.bincount(first.astype(np.intp) * m + second, minlength=m * m)
    scores = cycle_scores(follows.reshape(m, m), number)
    return _chi2_sf(float((scores**2).sum()), m * (m - 3) // 2 + (m - 1) * (m - 2) // 2)


def cycle_scores(follows: Floats, decks: int) -> Floats:
    """Return a table of successors as deviations of unit variance, even and odd part."""
    m = len(follows)
    away = (follows - decks / (m - 1) * (1 - np.eye(m))) / np.sqrt(decks)
    even, odd = (away + away.T) / 2, (away - away.T) / 2
    return np.array([even * np.sqrt(m - 1), odd * np.sqrt((m - 1) * (m - 2) / m)])


def coupon_collector(decks: Decks) -> float:
    """How many deals it takes until every card has come first."""
    lengths, seen, start = [], set[int](), 0
    for number, card in enumerate(decks[0].tolist(), start=1):
        seen.add(card)
        if len(seen) == CARDS:
            lengths.append(number - start)
            seen, start = set(), number
    if len(lengths) < 20:
        return 0.0  # some card hardly ever comes first: 10^6 decks make about 4,200 collections
    longest = 2000
    chances = np.zeros(longest + 1)
    state = np.eye(1, CARDS + 1)[0]  # chance of having seen 0, 1, ... 52 different cards
    for length in range(1, longest + 1):
        new = np.arange(CARDS, 0, -1) / CARDS
        moved = state[:-1] * new
        state = state - np.append(moved, 0) + np.insert(moved, 0, 0)
        chances[length] = moved[-1]
    observed = np.bincount(np.minimum(lengths, longest), minlength=longest + 1)
    return _chi2_of(observed, chances)


def runs(decks: Decks) -> float:
    """The number of rising runs in each deck, against the Eulerian numbers."""
    rises = np.zeros(decks.shape[1], dtype=np.uint8)
    for first, second in pairwise(decks):
        rises += second > first
    eulerian = [1]
    for size in range(2, CARDS + 1):
        padded = [0, *eulerian, 0]
        eulerian = [(k + 1) * padded[k + 1] + (size - k) * padded[k] for k in range(size)]
    chances = np.array([number / factorial(CARDS) for number in eulerian])
    return _chi2_of(np.bincount(rises, minlength=CARDS), chances)


def serial_correlation(decks: Decks) -> float:
    """Correlation between cards 1, 2, ... 10 places apart in a deck (Hotelling's T-square)."""
    lags, number = np.arange(1, _LAGS + 1), decks.shape[1]
    total, square = np.zeros(_LAGS), np.zeros((_LAGS, _LAGS))
    for values in _centred(decks):
        # Quarters of integers below 2^24: these sums are exact, floats of 32 bits or not.
        lagged = [np.einsum("ij,ij->j", values[lag:], values[:-lag]) for lag in lags]
        # Two different cards of a deck have covariance -variance / 51.
        away = np.array(lagged, np.float64) + _VARIANCE * (CARDS - lags)[:, None] / (CARDS - 1)
        total += away.sum(axis=1)
        square += away @ away.T
    mean = total / number
    covariance = square / number - np.outer(mean, mean)
    return _chi2_sf(number * mean @ np.linalg.solve(covariance, mean), _LAGS)


def interplay_correlation(decks: Decks) -> float:
    """Correlation of each place of a deck with each place of the next deck dealt."""
    products = np.zeros((CARDS, CARDS))
    for values in _centred(decks, overlap=1):
        products += values[:, :-1] @ values[:, 1:].T
    spread = _VARIANCE * CARDS / (CARDS - 1)  # the 51 equal eigenvalues of a deck's covariance
    statistic = (products**2).sum() / spread**2 / (decks.shape[1] - 1)
    return _chi2_sf(statistic, (CARDS - 1) ** 2)


def duplicates(decks: Decks) -> float:
    """Pairs of deals that begin with the same five cards in the same order."""
    starts = np.zeros(decks.shape[1], dtype=np.int64)
    for row in decks[:5]:
        starts = starts * CARDS + row
    _, times = np.unique(starts, return_counts=True)
    pairs = int((times * (times - 1) // 2).sum())
    expected = comb(decks.shape[1], 2) / perm(CARDS, 5)
    tails = stats.poisson.cdf(pairs, expected), stats.poisson.sf(pairs - 1, expected)
    return min(1.0, 2 * float(min(tails)))


def hand_categories(decks: Decks) -> float:
    """What the first five cards make, against the closed forms."""
    category = batch.strengths(np.ascontiguousarray(decks[:5].T)) >> 20
    observed = np.bincount(np.minimum(category, 8), minlength=9)
    return _chi2_of(observed, np.array(_FIVE_CARD_HANDS) / comb(CARDS, 5))


BATTERY: Mapping[str, Callable[[Decks], float]] = {
    "card by position": card_by_position,
    "worst position": worst_position,
    "overlaps": overlaps,
    "coupon collector": coupon_collector,
    "runs": runs,
    "serial correlation": serial_correlation,
    "interplay correlation": interplay_correlation,
    "duplicates": duplicates,
    "hand categories": hand_categories,
}


def p_values(decks: Decks) -> dict[str, float]:
    """Run the whole battery."""
    return {name: test(decks) for name, test in BATTERY.items()}


def holm(found: Mapping[str, float], alpha: float) -> list[str]:
    """Return the tests rejected at a collective alpha, by Holm's step-down rule.

    >>> holm({"a": 0.004, "b": 0.006, "c": 0.2}, 0.01)   # 0.006 > 0.01 / 2
    []
    >>> holm({"a": 0.002, "b": 0.004, "c": 0.2}, 0.01)
    ['a', 'b']
    """
    rejected: list[str] = []
    for name, p_value in sorted(found.items(), key=lambda item: item[1]):
        if p_value > alpha / (len(found) - len(rejected)):
            break
        rejected.append(name)
    return rejected


def _centred(decks: Decks, overlap: int = 0) -> Iterator[NDArray[np.float32]]:
    """Yield the decks as numbers around zero, some at a time."""
    middle = np.float32((CARDS - 1) / 2)
    for start in range(0, decks.shape[1] - overlap, _SLICE):
        yield decks[:, start : start + _SLICE + overlap].astype(np.float32) - middle


def _chi2_of(observed: NDArray[np.intp], chances: Floats) -> float:
    """Chi-square of counts against chances, neighbouring cells joined up to ten expected."""
    expected = chances * observed.sum()
    seen, awaited = [0.0], [0.0]
    for count, mean in zip(observed, expected, strict=True):
        if awaited[-1] >= 10:
            seen.append(0.0)
            awaited.append(0.0)
        seen[-1] += count
        awaited[-1] += mean
    if awaited[-1] < 10:  # the last cell is too small to stand alone
        seen[-2:], awaited[-2:] = [sum(seen[-2:])], [sum(awaited[-2:])]
    gaps = (np.array(seen) - awaited) ** 2 / awaited
    return _chi2_sf(gaps.sum(), len(seen) - 1)


def _chi2_sf(statistic: float, freedom: int) -> float:
    return float(stats.chi2.sf(statistic, freedom))
