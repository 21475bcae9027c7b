"""Par sheets: all proved figures of a game, on one self-contained page."""

from __future__ import annotations

import re
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import pytest
from litestar.testing import TestClient

from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import SHIPPED
from tapisvert.lab import proof_store
from tapisvert.par.figures import nets
from tapisvert.par.page import MEASURES, kept_par_sheet
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES

VOID = {"meta", "line", "rect"}


class Reader(HTMLParser):
    """HTML parser that checks that elements are closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.heads: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not {"src", "href", "onclick"} & {name for name, _ in attrs}  # no requests
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text.append(data)
            if self.open[-1] == "h2":
                self.heads.append(data)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_a_par_sheet_stands_alone_and_has_every_figure(game: str, language: str) -> None:
    sheet = load(game)
    page = Reader(kept_par_sheet(sheet, language))
    assert page.open == []
    assert len(page.heads) >= 6
    text = " ".join(page.text)
    for proof in proof_store.find(sheet):
        assert proof.edge in text
        assert proof.key[:16] in text
    assert f"tapis prove {game} --json" in text
    assert re.search(r"\{[a-z.-]+\}", text) is None  # no place is left open


@pytest.mark.parametrize("game", SHIPPED)
def test_the_distribution_shows_every_deal_and_sums_to_the_edge(game: str) -> None:
    for proof in proof_store.find(load(game)):
        if proof.strategy in MEASURES and proof.outcomes:
            found = nets(proof)
            deals = sum(found.values())
            assert deals == sum(outcome.deals for outcome in proof.outcomes)
            assert sum(net * count for net, count in found.items()) / deals == Fraction(proof.edge)


def test_the_server_gives_it_in_the_readers_language(client: TestClient[Any]) -> None:
    for language, word in (("fr", "fiche mathématique"), ("en", "par sheet")):
        got = client.get("/par/casino-stud.html", headers={"Accept-Language": language})
        assert got.status_code == 200
        assert word in got.text
        saved = f'attachment; filename="casino-stud-par-{language}.html"'
        assert got.headers["content-disposition"] == saved


@pytest.mark.parametrize(
    ("language", "odds"), [("fr", "8\u00a0000\u00a0:\u00a01"), ("en", "8,000:1")]
)
def test_the_thousands_of_its_odds_stand_apart(language: str, odds: str) -> None:
    assert odds in kept_par_sheet(load("pai-gow"), language)


def test_figures_that_were_not_proved_are_not_shown() -> None:
    changed = with_changes(
        load("casino-stud"), {"play.pays.flush": "7:1", "bonus.pays.flush": "16:1"}
    )
    with pytest.raises(Refused, match="par/not_proved"):
        kept_par_sheet(changed, "en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_hands_are_called_what_they_are_called_at_the_table(game: str, language: str) -> None:
    text = " ".join(Reader(kept_par_sheet(load(game), language)).text)
    assert re.search(r"\b(high-card(?!-flush)|two-pair|hard-\d|soft-\d|pair-\w)\b", text) is None
    if game == "casino-stud":
        first, last = (
            ("A-R-D-V-2", "A-D-V-10-9") if language == "fr" else ("A-K-Q-J-2", "A-Q-J-10-9")
        )
        assert f"{first} " in text
        assert f"{last} " in text


def test_the_rows_of_blackjack_are_in_the_order_of_their_totals() -> None:
    page = kept_par_sheet(load("blackjack"), "en")
    rows = re.findall(r'<th scope="row">((?:hard|soft) \d+|a pair of \w+)</th>', page)
    assert rows[:15] == [f"hard {total}" for total in range(5, 20)]
    assert rows[15:23] == [f"soft {total}" for total in range(13, 21)]
    assert rows[23:25] == ["a pair of aces", "a pair of twos"]
