"""docs/clauses.md matches the rules, the scripts and the tests, and every clause has a test."""

from __future__ import annotations

from dataclasses import replace

import pytest

import clauses
from tapisvert.games.game import Game
from tapisvert.games.registry import GAMES, SHIPPED


def untried(game: Game) -> list[str]:
    """Return the rows of clauses that no test cites."""
    return [row for row in clauses.rows(game) if row.endswith("|  |")]


def test_the_page_is_up_to_date() -> None:
    assert clauses.PAGE.read_text(encoding="utf-8") == clauses.page(), "make clauses"


@pytest.mark.parametrize("game", SHIPPED)
def test_no_clause_goes_untried(game: str) -> None:
    assert untried(GAMES[game]) == []
    assert list(clauses.rows(replace(GAMES[game], clauses="another"))) == []


def test_a_clause_without_a_test_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clauses, "in_tests", lambda game, folder: {1: ["test_stud_1"]})
    rows = list(clauses.rows(GAMES["casino-stud"]))
    assert untried(GAMES["casino-stud"]) == rows[1:]
