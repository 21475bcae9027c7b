"""The tests for a mutant, and its outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from mutants.mutant import Mutant
from mutants.selection import Reach

KILLED, ENDLESS, SURVIVED = "killed", "endless", "survived"
_AT_LEAST_S = 2
_PATIENCE = 5  # multiple of the test's CPU time without a mutant


@dataclass(frozen=True)
class Outcome:
    """The outcome of a mutant, and the test that killed it."""

    kind: str
    by: str = ""

    @property
    def killed(self) -> bool:
        """Tell whether the mutant was killed: by a failed test, or by one that never ended."""
        return self.kind in (KILLED, ENDLESS)


class Plan:
    """The tests for a mutant: those that reach its line, within a time budget.

    Tests of the mutant's own package come first. Code that runs at import is reached by all tests;
    there the tests that reach its module come first. The budget can only worsen the figures: a
    mutant that no chosen test kills has survived.
    """

    def __init__(self, reach: Reach, budget_s: float) -> None:
        self.reach = reach
        self._budget_s = budget_s
        self._noticed: dict[str, Counter[str]] = {}

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests for a mutant; those that killed similar ones come first."""
        if mutant.planted_in is None:
            near = self.reach.of_module(mutant.path)
            wanted = self._varied(near) + self._varied(self.reach.seconds.keys() - near)
        else:
            wanted = self._varied(self.reach.of_line(mutant.path, mutant.line))
            room = f"tests/{mutant.path.parent.name}/"
            wanted.sort(key=lambda test: not test.startswith(room))
        chosen: list[str] = []
        left_s = self._budget_s
        for test in wanted:
            left_s -= self.reach.seconds[test]
            if left_s < 0 and chosen:
                break
            chosen.append(test)
        noticed = self._noticed.get(_like(mutant), Counter())
        # PostgreSQL last: its work is done elsewhere, and is not counted.
        return sorted(
            chosen, key=lambda test: (-noticed[test], "postgresql" in test, *self._by(test))
        )

    def _varied(self, tests: Iterable[str]) -> list[str]:
        """Order tests: the fastest case of every test, then the next case of every test."""
        cases: Counter[str] = Counter()
        turns = {}
        for test in sorted(tests, key=self._by):
            cases[test.partition("[")[0]] += 1
            turns[test] = cases[test.partition("[")[0]]
        return sorted(turns, key=lambda test: (turns[test], *self._by(test)))

    def work_s(self, tests: Iterable[str]) -> float:
        """Return the CPU time of tests without a mutant."""
        return sum(self.reach.seconds[test] for test in tests)

    def patience_s(self, test: str) -> float:
        """Return the CPU time after which a mutant counts as endless."""
        return _AT_LEAST_S + _PATIENCE * self.reach.seconds[test]

    def learn(self, mutant: Mutant, outcome: Outcome) -> None:
        """Remember the test that killed a mutant."""
        if outcome.kind == KILLED:
            self._noticed.setdefault(_like(mutant), Counter())[outcome.by] += 1

    def _by(self, test: str) -> tuple[float, str]:
        return self.reach.seconds[test], test


def _like(mutant: Mutant) -> str:
    return f"{mutant.path} {mutant.planted_in}"
