"""Bankrolls against simulated paths."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from lab.test_bankroll import one_round
from tapisvert.lab.bankroll import RoundLaw, law
from tapisvert.lab.ruin import after
from tiers import few_or_many, long


class Paths:
    """Purses of many simulated players who stop at ruin or at the goal."""

    def __init__(self, one: RoundLaw, rounds: int, paths: int) -> None:
        reach = (rounds * float(one.variance)) ** 0.5 * one.unit
        self.floor, self.goal = -round(0.6 * reach), round(0.5 * reach)
        self.rounds = rounds
        self.purses = np.zeros(paths, dtype=np.int64)
        self.playing = np.ones(paths, dtype=bool)

    def play(self, steps: NDArray[np.int64]) -> None:
        self.purses[self.playing] += steps[self.playing]
        self.playing &= (self.purses >= self.floor) & (self.purses < self.goal)


@pytest.mark.parametrize("paths", few_or_many(20_000, 1_000_000))
@pytest.mark.parametrize(
    "game",
    [
        *("casino-stud", "high-card-flush"),
        *(pytest.param(game, marks=long) for game in ("ultimate", "blackjack")),
    ],
)
def test_simulated_paths_agree_within_four_standard_errors(game: str, paths: int) -> None:
    """After 10, 120 and 500 rounds of one run. The steps are drawn from the same law of a round."""
    one, draws = one_round(game), np.random.default_rng(7)
    until = np.cumsum([float(each) for each in one.chances])
    asked = {rounds: Paths(one, rounds, paths) for rounds in (10, 120, 500)}
    results = np.zeros(paths, dtype=np.int64)
    for number in range(1, max(asked) + 1):
        places = np.searchsorted(until[:-1], draws.random(paths), side="right")
        steps = np.array(one.steps)[places]
        results += steps
        for each in asked.values():
            if number <= each.rounds:
                each.play(steps)
        if number in asked:
            agree(one, asked[number], results)


def agree(one: RoundLaw, seen: Paths, results: NDArray[np.int64]) -> None:
    """Compare ruin, goal and three results of the law with the simulated ones."""
    found = after(one, seen.floor, seen.goal, seen.rounds)
    whole = law(one, seen.rounds)
    pairs = [
        (found.ruin.value, (seen.purses < seen.floor).mean()),
        (found.goal.value, (seen.purses >= seen.goal).mean()),
        *((whole.at_most(q), (results <= q).mean()) for q in whole.quantiles([0.1, 0.5, 0.9])),
    ]
    for true, mean in pairs:
        assert 0.02 < true < 0.98
        assert abs(true - float(mean)) < 4 * (true * (1 - true) / len(results)) ** 0.5
