"""The tests for a mutant, and its outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from mutants.mutant import Mutant
from mutants.selection import Reach

KILLED, ENDLESS, SURVIVED = "killed", "endless", "survived"
_AT_LEAST_S = 2
_FILES_A_SECOND = 4  # test files imported for a mutant at import, by its budget
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

    Quick tests come first. Code that runs at import is reached by all tests; there the tests that
    reach its module come first. The budget can only worsen the figures: a mutant that no chosen
    test kills has survived.
    """

    def __init__(self, reach: Reach, budget_s: float) -> None:
        self.reach = reach
        self._budget_s = budget_s
        self._noticed: dict[str, Counter[str]] = {}

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests for a mutant; those that killed similar ones come first."""
        if mutant.planted_in is None:
            near = self.reach.of_module(mutant.path)
            wanted = self._varied(near, mutant)
            wanted += self._varied(self.reach.seconds.keys() - near, mutant)
            wanted = _of_few_files(wanted, int(_FILES_A_SECOND * self._budget_s))
        else:
            wanted = self._varied(self.reach.of_line(mutant.path, mutant.line), mutant)
        chosen: list[str] = []
        left_s = self._budget_s
        for test in wanted:
            if left_s >= self.reach.seconds[test] or not chosen:
                left_s -= self.reach.seconds[test]
                chosen.append(test)
        noticed = self._noticed.get(_like(mutant), Counter())
        chosen = [test for test in noticed if test in wanted and test not in chosen] + chosen
        turns = {test: turn for turn, test in enumerate(wanted)}
        # PostgreSQL last: its work is done elsewhere, and is not counted.
        return sorted(chosen, key=lambda test: (-noticed[test], "postgresql" in test, turns[test]))

    def _varied(self, tests: Iterable[str], mutant: Mutant) -> list[str]:
        """Order tests by time; the second case of a test counts twice, the third three times, and
        a test in a file with the name of the module a tenth.
        """
        cases: Counter[str] = Counter()
        turns = {}
        for test in sorted(tests, key=self._by):
            cases[test.partition("[")[0]] += 1
            turns[test] = cases[test.partition("[")[0]]

        def weight(test: str) -> float:
            its_own = f"{mutant.path.stem}.py" in test
            return turns[test] * self.reach.seconds[test] / (10 if its_own else 1)

        return sorted(turns, key=lambda test: (weight(test), test))

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


def _of_few_files(tests: list[str], most: int) -> list[str]:
    """Return the tests of the first files that occur: each is imported again for a mutant."""
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))[:most]
    return [test for test in tests if test.partition("::")[0] in files]


def _like(mutant: Mutant) -> str:
    return f"{mutant.path} {mutant.planted_in}"
