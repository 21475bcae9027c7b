"""docs/clauses.md is what the rules, the scripts and the tests say, and no clause goes untried."""

from __future__ import annotations

import clauses


def test_the_page_is_up_to_date() -> None:
    assert clauses.PAGE.read_text(encoding="utf-8") == clauses.page(), "make clauses"


def test_a_clause_without_a_test_would_be_noticed() -> None:
    assert clauses.cited("test_a_thing", "nothing") == set()
    assert clauses.cited("test_bj_3_and_9_x", "") == {("bj", 3), ("bj", 9)}
