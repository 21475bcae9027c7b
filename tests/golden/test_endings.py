"""Every pay row, and every ending in the rules, has a recording."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from golden.golden import Golden
from golden.recordings import ENDINGS, of_today, shown
from tapisvert.engine import events as ev
from tapisvert.engine.sheet_file import keys
from tapisvert.games.registry import SHIPPED
from tapisvert.sheets import load

RULES = Path(__file__).parents[2] / "docs" / "rules"
TABLES = ("pays", "shares", "prizes_cents")

# Clauses no single ending shows: the deck, the stakes, the deal, ranks, a round broken off.
NOT_AN_ENDING = {
    "pai-gow": {"pai.1", "pai.2", "pai.3", "pai.12"},
    "casino-stud": {"stud.1", "stud.2", "stud.3", "stud.4", "stud.8", "stud.17"},
    "high-card-flush": {"flush.1", "flush.2", "flush.4", "flush.15"},
    "blackjack": {"bj.1", "bj.3", "bj.4", "bj.15"},
    "ultimate": {"uth.1", "uth.2", "uth.3", "uth.8", "uth.14"},
}
# The rows the rules print, counted by hand.
ROWS = {"pai-gow": 11, "casino-stud": 17, "high-card-flush": 9, "blackjack": 7, "ultimate": 13}

every_game = pytest.mark.parametrize("game", SHIPPED)


def paid_rows(golden: Golden) -> set[tuple[str, str]]:
    return {
        (event.bet, event.row)
        for step in golden.steps
        for event in step.events
        if isinstance(event, ev.Settled) and event.outcome == "won" and event.row
    }


def wanted_rows(game: str) -> set[tuple[str, str]]:
    """Return every row of every pay table, with its bet."""
    paths = [key.split(".") for key, _ in keys(load(game))]
    return {(path[0], path[2]) for path in paths if len(path) == 3 and path[1] in TABLES}


@every_game
def test_every_row_of_every_pay_table_has_a_recording(game: str) -> None:
    assert len(wanted_rows(game)) == ROWS[game]
    paid = set().union(*map(paid_rows, of_today(game).values()))
    assert wanted_rows(game) - paid == set(), f"no recording in tests/golden/{game} shows these"


@every_game
def test_every_ending_of_the_rules_has_a_recording(game: str) -> None:
    missing = [ending for ending, names in shown(game).items() if not names]
    assert missing == [], f"no recording in tests/golden/{game} shows these"


@every_game
def test_every_clause_has_its_endings(game: str) -> None:
    page = (RULES / f"{game}.md").read_text(encoding="utf-8")
    clauses = set(re.findall(r"^\*\*(\w+\.\d+)\*\*", page, re.MULTILINE))
    cited = set(re.findall(r"\b[a-z]+\.\d+\b", " ".join(ENDINGS[game])))
    assert cited == clauses - NOT_AN_ENDING[game]


@every_game
def test_every_rule_of_the_house_way_has_its_endings(game: str) -> None:
    page = (RULES / f"{game}.md").read_text(encoding="utf-8")
    rules = set(re.findall(r"^(\d+)\. ", page, re.MULTILINE))
    assert set(re.findall(r"\bhouse way (\d+)", " ".join(ENDINGS[game]))) == rules


# The tests themselves are tested ------------------------------------------------------------------


@every_game
def test_an_ending_is_told_from_the_others(game: str) -> None:
    every = set(of_today(game))
    assert [ending for ending, names in shown(game).items() if names == every] == []


@every_game
def test_a_missing_recording_of_a_row_is_noticed(game: str) -> None:
    goldens = of_today(game).values()
    for row in wanted_rows(game):
        left = [golden for golden in goldens if row not in paid_rows(golden)]
        assert len(left) < len(goldens)
        assert row in wanted_rows(game) - set().union(*map(paid_rows, left))
