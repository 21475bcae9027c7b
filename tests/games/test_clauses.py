"""docs/clauses.md is what the rules, the scripts and the tests say, and no clause goes untried."""

from __future__ import annotations

import clauses


def test_the_page_is_up_to_date() -> None:
    assert clauses.PAGE.read_text(encoding="utf-8") == clauses.page(), "make clauses"


def test_every_clause_has_a_test() -> None:
    tried = clauses.in_tests()
    assert [clause for clause in clauses.clauses() if not tried[clause]] == []


def test_no_script_and_no_test_cites_a_clause_that_is_not_there() -> None:
    there = set(clauses.clauses())
    assert set(clauses.in_scripts()) <= there
    assert set(clauses.in_tests()) <= there


def test_a_clause_without_a_test_would_be_noticed() -> None:
    assert clauses.cited("test_a_thing", "nothing") == set()
    assert clauses.cited("test_bj_3_and_9_x", "") == {("bj", 3), ("bj", 9)}
