"""docs/clauses.md matches the rules, the scripts and the tests.

The kit (tests/kit) checks that every clause has a test.
"""

from __future__ import annotations

from dataclasses import replace

import clauses
from tapisvert.games.registry import GAMES


def test_the_page_is_up_to_date() -> None:
    assert clauses.PAGE.read_text(encoding="utf-8") == clauses.page(), "make clauses"


def test_a_game_has_rows_for_the_clauses_of_its_own_prefix_only() -> None:
    assert list(clauses.rows(replace(GAMES["casino-stud"], clauses="another"))) == []
