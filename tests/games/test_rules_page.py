"""The pages of docs/rules against the scripts that cite them and the sheets they describe."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import keys, load_file
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.games.registry import GAMES
from tapisvert.games.ultimate.sheet import Ultimate

ROOT = Path(__file__).parents[2]


class Page(NamedTuple):
    """A page of rules: its clause prefix, the number of clauses, and its sheet."""

    clause: str
    clauses: int
    kind: type[Sheet]

    @property
    def text(self) -> str:
        return (ROOT / f"docs/rules/{self.kind.game_id}.md").read_text(encoding="utf-8")

    @property
    def numbers(self) -> list[str]:
        """The numbers of its clauses, in the order they stand."""
        return re.findall(rf"^\*\*{self.clause}\.(\d+)\*\*", self.text, re.MULTILINE)

    @property
    def figures(self) -> dict[str, object]:
        """The shipped figures by their keys."""
        file = GAMES[self.kind.game_id].folder / "sheet.toml"
        found: dict[str, object] = json.loads(json.dumps(dict(keys(load_file(file, self.kind)))))
        return found


PAGES = {
    page.kind.game_id: page
    for page in (
        Page("stud", 17, CasinoStud),
        Page("flush", 15, HighCardFlush),
        Page("uth", 14, Ultimate),
        Page("pai", 12, PaiGow),
        Page("bj", 15, Blackjack),
    )
}
each_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


@each_page
def test_the_clauses_are_numbered_without_a_gap(page: Page) -> None:
    assert page.numbers == [str(number) for number in range(1, page.clauses + 1)]


@each_page
def test_the_script_cites_clauses_that_are_there(page: Page) -> None:
    module = page.kind.game_id.replace("-", "_")
    script = (ROOT / f"src/tapisvert/games/{module}/script.py").read_text(encoding="utf-8")
    cited = set(re.findall(rf"\b{page.clause}\.(\d+)", script))
    assert cited
    assert cited <= set(page.numbers)


@each_page
def test_the_page_says_under_which_key_each_figure_lives_and_what_it_is(page: Page) -> None:
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| (.+) \|$", page.text, re.MULTILINE)
    told = {key: json.loads(value) for key, value, _ in rows}
    assert len(told) == len(rows)
    assert told == page.figures
    for _, _, where in rows:
        assert set(re.findall(rf"{page.clause}\.(\d+)", where)) <= set(page.numbers)


def test_the_pay_tables_of_the_stud_page_are_those_of_the_sheet() -> None:
    page = PAGES["casino-stud"]
    play, bonus = page.text.split("play pays |")[1], page.text.split("bonus pays |")[1]
    for table, bet in ((play, "play"), (bonus, "bonus")):
        rows = re.findall(r"^\| ([a-z ]+) \| (\d+:\d+) \|$", table.split("\n\n")[0], re.MULTILINE)
        paid = {f"{bet}.pays.{name.replace(' ', '-')}": odds for name, odds in rows}
        stated = {key: odds for key, odds in page.figures.items() if key.startswith(f"{bet}.pays")}
        assert paid == stated


@each_page
def test_the_odds_a_clause_prints_are_figures_of_the_sheet(page: Page) -> None:
    clauses = page.text.split("## Where each figure lives")[0]
    figures = {odds for odds in page.figures.values() if isinstance(odds, str)}
    assert set(re.findall(r"\b\d+:\d+\b", clauses)) <= figures
