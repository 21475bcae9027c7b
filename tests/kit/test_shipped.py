"""The five shipped games pass all checks of the kit."""

from __future__ import annotations

from functools import cache

import pytest

from tapisvert.games.registry import SHIPPED
from tapisvert.testing.case import Case
from tapisvert.testing.kit import CHECKS, case_of
from tapisvert.testing.plugin import assert_passes
from tiers import long

FEW, MANY = 120, 1_000
NOT_HERE = ("every-value", "layout-fits")  # below, and in tests/browser
MUCH = ("strategies", "settlement")  # they make simulated players, which count every hand first


def checks() -> list[object]:
    """Return each game with each check: few rounds in the first tier, many in the second."""
    cases: list[object] = []
    for game in SHIPPED:
        for check in CHECKS:
            if check not in NOT_HERE:
                name = f"{game}-{check}"
                if check not in MUCH:
                    cases.append(pytest.param(game, check, FEW, id=name))
                cases.append(pytest.param(game, check, MANY, id=f"{name}-more", marks=long))
    return cases


@cache
def examined(game: str, rounds: int, full: bool = False) -> Case:
    return case_of(game, rounds=rounds, full=full)


@pytest.mark.parametrize(("game", "check", "rounds"), checks())
def test_a_shipped_game_passes(game: str, check: str, rounds: int) -> None:
    assert_passes(check, examined(game, rounds))


@pytest.mark.parametrize("game", ["ultimate", pytest.param("blackjack", marks=long)])
def test_every_first_position_of_a_shipped_game_comes_to_its_proof(game: str) -> None:
    """Casino Stud, High Card Flush and Pai Gow take hours: `make sums`."""
    assert_passes("every-value", examined(game, FEW, full=True))
