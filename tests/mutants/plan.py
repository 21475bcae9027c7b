"""What a mutant is tried by, and what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from mutants.mutant import Mutant
from mutants.selection import Reach

KILLED, ENDLESS, SURVIVED = "killed", "endless", "survived"
_AT_LEAST_S = 2
_PATIENCE = 5  # times what a test took without a mutant; work, not time: the machine may be busy


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant, and the test that noticed it."""

    kind: str
    by: str = ""

    @property
    def killed(self) -> bool:
        """Tell whether the mutant was noticed: by a test that failed, or one that never ended."""
        return self.kind in (KILLED, ENDLESS)


class Plan:
    """Which tests a mutant is tried by: those that reach its line, for so many seconds in all.

    Tests of the mutant's own room come first. What runs at import is reached by everything; there
    the tests that reach its module come before the rest. The budget can only make the figures
    worse: a mutant that no test of it notices has survived.
    """

    def __init__(self, reach: Reach, budget_s: float) -> None:
        self.reach = reach
        self._budget_s = budget_s
        self._noticed: dict[str, Counter[str]] = {}

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests for a mutant; those that have noticed its like come first."""
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
        """Order tests: the quickest case of every test, then the next case of every test."""
        cases: Counter[str] = Counter()
        turns = {}
        for test in sorted(tests, key=self._by):
            cases[test.partition("[")[0]] += 1
            turns[test] = cases[test.partition("[")[0]]
        return sorted(turns, key=lambda test: (turns[test], *self._by(test)))

    def work_s(self, tests: Iterable[str]) -> float:
        """Return how long tests work without a mutant."""
        return sum(self.reach.seconds[test] for test in tests)

    def patience_s(self, test: str) -> float:
        """Return how long a test may work before its mutant is taken to be endless."""
        return _AT_LEAST_S + _PATIENCE * self.reach.seconds[test]

    def learn(self, mutant: Mutant, outcome: Outcome) -> None:
        """Remember what noticed a mutant."""
        if outcome.kind == KILLED:
            self._noticed.setdefault(_like(mutant), Counter())[outcome.by] += 1

    def _by(self, test: str) -> tuple[float, str]:
        return self.reach.seconds[test], test


def _like(mutant: Mutant) -> str:
    return f"{mutant.path} {mutant.planted_in}"
