"""My casino's rules in the browser: variants and own figures, named at the table and in history."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.asking import LOOK
from browser.conftest import Visiting
from browser.playing import ONE_ROUND
from browser.served import Served
from browser.tables import Language, axe, plain
from browser.turns import first_of
from rounds.house_with_operator import TABLES
from tapisvert.sheets import load
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
        ("void_after_s = 60", words.write("rules.own-stays", {"keys": "void_after_s"})),
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
    ante, flush = page.locator(".own tbody th").all_inner_texts()
    assert (ante, flush) == ("Départ · gain", "Jouer · couleur")
    assert box.input_value().splitlines() == ["ante.pays = 2:1", "play.pays.flush = 6:1"]


# A figure of each game that may be changed: the line of its sheet, another line, and the change.
CHANGED = {
    "casino-stud": ('flush = "5:1"', "flush = '6:1'  # as at home", "play.pays.flush = 6:1"),
    "high-card-flush": ('flush-6 = "75:1"', 'flush-6 = "70:1"', "flush.pays.flush-6 = 70:1"),
    "pai-gow": ('five-aces = "400:1"', "five-aces = 500:1", "fortune.pays.five-aces = 500:1"),
    "blackjack": (
        "hits_soft_17 = true", "hits_soft_17 = false", "house.hits_soft_17 = false"
    ),
    "ultimate": ("before_flop = [3, 4]", "before_flop = [3]", "play.before_flop = [3]"),
}  # fmt: skip


@pytest.mark.parametrize("game", first_of(CHANGED, "casino-stud"))
def test_a_whole_sheet_is_pasted_and_what_differs_is_played(opened: Any, game: str) -> None:
    """The sheet is the house's own file, with its comments and tables, and one other figure."""
    page, words = opened(game, "en"), catalogue("en")
    path = Path("src/tapisvert/games", game.replace("-", "_"), "sheet.toml")
    sheet = path.read_text(encoding="utf-8")
    was, now, change = CHANGED[game]
    assert was in sheet
    own = sheet.replace(was, now, 1)
    spots = [f"spots.{spot}.min_cents" for spot in load(game).spots]
    limits = {"keys": ", ".join(spots)}
    box, take, why = page.locator("textarea"), page.locator(".own button"), "#rules-why"
    for typed, said in (
        (f"{own}\n[spots.ante", words.write("rules.own-line", {"number": own.count("\n") + 2})),
        (own.replace(f'"{game}"', '"bridge"'), words.write("rules.own-game")),
        (
            own.replace("min_cents = 100\n", "min_cents = 50\n"),
            words.write("rules.own-stays", limits),
        ),
    ):
        box.fill(typed)
        take.click()
        expect(page.locator(why)).to_contain_text(said)
    box.fill(own)
    take.click()
    at_table(page)
    page.goto(page.url.replace("/table/", "/rules/"))
    page.wait_for_selector(".own table")
    assert box.input_value() == change


@long
@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_page_says_which_figures_take_too_long_to_count(
    opened: Any, language: Language
) -> None:
    words = catalogue(language)
    said = words.write("rules.own-slow", {"tables": "[house], [house_way], [main]"})
    page = opened("pai-gow", language)
    expect(page.locator(".own")).to_contain_text(plain(said))
    returns = page.locator(".choices dt").all_inner_texts()
    assert len(set(returns)) == len(returns) == 3  # main is proved by two strategies: both named
    page.locator("details summary").click()
    expect(page.locator(".own pre")).to_contain_text("fortune.pays.flush = 4:1")
    expect(page.locator(".own pre")).not_to_contain_text("house_way")
    page.locator("textarea").fill("[main]\npays = 2:1")
    page.locator(".own button").click()
    expect(page.locator("#rules-why")).to_contain_text("main.pays")
    page.goto(page.url.replace("pai-gow", "casino-stud"))
    page.wait_for_selector(".choices")
    expect(page.locator(".own")).not_to_contain_text("[house")


@long
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("game", TABLES)
def test_the_page_of_every_game_is_clean(opened: Any, game: str, language: Language) -> None:
    page = opened(game, language)
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    assert page.locator("[style]").count() == 0
