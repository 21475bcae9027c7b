"""My casino's rules in the browser: variants and own figures, named at the table and in history."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.asking import LOOK
from browser.conftest import Visiting
from browser.playing import ONE_ROUND
from browser.served import Served
from browser.tables import Language, axe, plain
from rounds.house_with_operator import TABLES
from tapisvert.words import catalogue
from tiers import long

WIDTHS = {"fr": 1280, "en": 360}


@pytest.fixture
def opened(known_tables: Served, visit: Visiting) -> Any:
    """Open the page of the rules of a game."""

    def start(game: str, language: Language) -> Page:
        made = visit(known_tables.url, language=language, width=WIDTHS[language])
        made.let_in()
        made.may_fail("/rules")  # the browser reports a refused choice
        made.page.goto(f"{known_tables.url}/rules/{game}")
        made.page.wait_for_selector(".choices")
        return made.page

    return start


def at_table(page: Page) -> None:
    page.wait_for_url("**/table/*")
    page.wait_for_selector("[data-phase][data-ready]")


def test_a_variant_is_chosen_marked_and_left_again(opened: Any) -> None:
    page, words = opened("casino-stud", "en"), catalogue("en")
    assert page.locator(".choices > li").count() == 2
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    page.locator(".choices button").click()
    at_table(page)
    name = words.write("variant.flush-6", game="casino-stud")
    tag = words.write("shell.rules", {"name": name})
    expect(page.locator(".facts .tag")).to_have_text(tag)
    table = TABLES["casino-stud"]
    page.evaluate(ONE_ROUND, ["casino-stud", table.stakes, table.choices])
    page.goto(page.url.replace("/table/casino-stud", "/history"))
    expect(page.locator("tbody tr").first).to_contain_text(name)
    page.goto(page.url.replace("/history", "/rules/casino-stud"))
    page.locator(".choices button").click()
    at_table(page)
    expect(page.locator(".facts .tag")).to_have_count(0)


@long
def test_own_figures_are_refused_with_a_reason_or_played(opened: Any) -> None:
    page, words = opened("casino-stud", "fr"), catalogue("fr")
    box, take = page.locator("textarea"), page.locator(".own button")
    expect(take).to_be_disabled()
    for typed, said in (
        ("deux mots", words.write("rules.own-line", {"number": 1})),
        ("void_after_s = 60", words.write("error.rules/of_the_house", {"key": "void_after_s"})),
        ("play.pays.flush = 6/1", "play.pays.flush"),
    ):
        box.fill(typed)
        take.click()
        expect(page.locator("#rules-why")).to_contain_text(plain(said))
    box.fill("play.pays.flush = 6:1\nante.pays = 2:1")
    take.click()
    at_table(page)
    expect(page.locator(".facts .tag")).to_have_text(
        words.write("shell.rules", {"name": words.write("shell.own-rules")})
    )
    page.goto(page.url.replace("/table/", "/rules/"))
    page.wait_for_selector(".own table")
    assert axe(page) == []
    assert page.locator(".own tbody tr").count() == 2
    assert box.input_value().splitlines() == ["ante.pays = 2:1", "play.pays.flush = 6:1"]


@long
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("game", TABLES)
def test_the_page_of_every_game_is_clean(opened: Any, game: str, language: Language) -> None:
    page = opened(game, language)
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    assert page.locator("[style]").count() == 0
