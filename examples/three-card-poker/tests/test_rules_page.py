"""The page of rules against the script that cites it and the sheet it describes."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tapisvert.engine.sheet_file import keys

from rounds import SHEET
from three_card_poker import GAME

PROJECT = Path(__file__).parents[1]
PAGE = (PROJECT / "docs" / "rules.md").read_text(encoding="utf-8")
CLAUSES = re.findall(r"^\*\*three\.(\d+)\*\*", PAGE, re.MULTILINE)
FIGURES: dict[str, object] = json.loads(json.dumps(dict(keys(SHEET))))


def cited(written: str) -> set[str]:
    """Return the clauses a text cites, in names of tests too."""
    found = set(re.findall(r"\bthree\.(\d+)", written))
    for name in re.findall(r"\bdef test_three((?:_(?:and_)?\d+)+)_", written):
        found |= set(re.findall(r"\d+", name))
    return found


def test_the_clauses_are_numbered_without_a_gap() -> None:
    assert [str(number) for number in range(1, 18)] == CLAUSES


def test_the_script_and_the_tests_cite_every_clause_and_no_other() -> None:
    script = "".join((GAME.folder / name).read_text() for name in ("script.py", "ranking.py"))
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    assert cited(script) == cited(tests) == set(CLAUSES)


def test_the_page_says_under_which_key_each_figure_lives_and_what_it_is() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| (.+) \|$", PAGE, re.MULTILINE)
    told = {key: json.loads(value) for key, value, _ in rows}
    assert len(told) == len(rows)
    assert told == FIGURES


def test_the_pay_tables_of_the_page_are_those_of_the_sheet() -> None:
    for bet in ("ante-bonus", "pair-plus"):
        printed = PAGE.split(f"{bet} pays |")[1].split("\n\n")[0]
        rows = re.findall(r"^\| ([a-z ]+) \| (\d+:\d+) \|$", printed, re.MULTILINE)
        paid = {f"{bet}.pays.{name.replace(' ', '-')}": odds for name, odds in rows}
        assert paid == {key: odds for key, odds in FIGURES.items() if key.startswith(f"{bet}.pays")}


def test_the_odds_a_clause_prints_are_figures_of_the_sheet() -> None:
    clauses = PAGE.split("## Where each figure lives")[0]
    assert set(re.findall(r"\b\d+:\d+\b", clauses)) <= set(map(str, FIGURES.values()))
