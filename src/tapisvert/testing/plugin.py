"""The kit as a pytest plugin: one test for each check of a game.

pytest_plugins = ["tapisvert.testing.plugin"]   # in conftest.py

from tapisvert.testing.plugin import check_game
test_my_game = check_game("my-game", rounds=2_000, project=Path(__file__).parents[1])

"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tapisvert.testing.case import ROUNDS, Case
from tapisvert.testing.kit import CHECKS, case_of, run_check


def check_game(
    game: str,
    *,
    rounds: int = ROUNDS,
    full: bool = False,
    project: Path | None = None,
    checks: Sequence[str] = (),
) -> Callable[[str], None]:
    """Return a test parametrized by check; a check that cannot be run is skipped."""
    cases: list[Case] = []

    @pytest.mark.parametrize("check", checks or list(CHECKS))
    def test(check: str) -> None:
        if not cases:
            cases.append(case_of(game, rounds=rounds, full=full, project=project))
        assert_passes(check, cases[0])

    return test


def assert_passes(check: str, case: Case) -> None:
    """Run a check; fail with its findings, or skip if it cannot be run."""
    result = run_check(check, case)
    if result.not_run:
        pytest.skip(f"NOT RUN: the check {check} of {case.game.id} ({result.not_run})")
    assert not result.findings, "\n".join(result.findings)
