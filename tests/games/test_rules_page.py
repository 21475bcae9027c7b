"""docs/rules/casino-stud.md against the script that cites it and the sheet it describes."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tapisvert.sheets import keys, load

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/rules/casino-stud.md").read_text(encoding="utf-8")


def test_the_clauses_are_numbered_without_a_gap() -> None:
    numbers = re.findall(r"^\*\*stud\.(\d+)\*\*", PAGE, re.MULTILINE)
    assert numbers == [str(number) for number in range(1, 18)]


def test_the_script_cites_clauses_that_are_there() -> None:
    script = (ROOT / "src/tapisvert/games/casino_stud.py").read_text(encoding="utf-8")
    cited = set(re.findall(r"stud\.(\d+)", script))
    assert cited
    assert cited <= set(re.findall(r"^\*\*stud\.(\d+)\*\*", PAGE, re.MULTILINE))


def test_the_page_says_under_which_key_each_figure_lives_and_what_it_is() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| (.+) \|$", PAGE, re.MULTILINE)
    told = {key: json.loads(value) for key, value, _ in rows}
    assert len(told) == len(rows)
    assert told == json.loads(json.dumps(dict(keys(load("casino-stud")))))


def test_the_pay_tables_of_the_page_are_those_of_the_sheet() -> None:
    figures = dict(keys(load("casino-stud")))
    play, bonus = PAGE.split("play pays |")[1], PAGE.split("bonus pays |")[1]
    for table, bet in ((play, "play"), (bonus, "bonus")):
        rows = re.findall(r"^\| ([a-z ]+) \| (\d+:\d+) \|$", table.split("\n\n")[0], re.MULTILINE)
        paid = {f"{bet}.pays.{name.replace(' ', '-')}": odds for name, odds in rows}
        assert paid == {key: odds for key, odds in figures.items() if key.startswith(f"{bet}.pays")}
