"""Statistics in the browser: the server's figures as charts and as accessible text."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from browser.asking import LOOK
from browser.conftest import Visiting
from browser.playing import ONE_ROUND, SOME_ROUNDS
from browser.served import Served
from browser.tables import Language, Visit, axe, plain
from rounds.house_with_operator import TABLES
from tapisvert.words import catalogue
from tiers import long

WIDTHS = {"fr": 1280, "en": 360}


@pytest.fixture
def came(known_tables: Served, visit: Visiting) -> Any:
    """Open the statistics in a house with known or random cards."""

    def start(language: Language, *, known: bool) -> Visit:
        if not known:
            known_tables.known = {}
        made = visit(known_tables.url, language=language, width=WIDTHS[language])
        made.let_in()
        return made

    return start


def look(made: Visit) -> Page:
    made.page.goto(f"{made.url}/statistics")
    made.page.wait_for_selector(".statistics")
    return made.page


def text(page: Page, selector: str) -> str:
    return plain(page.locator(selector).inner_text())


def test_the_known_rounds_are_told_to_the_cent(came: Any) -> None:
    made, words = came("fr", known=True), catalogue("fr")
    *first, last = (game for game in TABLES if game != "ultimate")
    for game in (*first, "ultimate", last):
        made.page.evaluate(ONE_ROUND, [game, TABLES[game].stakes, TABLES[game].choices])
    page = look(made)
    figures = text(page, ".statistics > section:first-of-type .figures")
    # Stud: ante, bonus, play; Blackjack: hand, insurance; Pai Gow; Ultimate; High Card Flush.
    staked = 1500 + 2000 + 1000 + 500 + 1000 + 2000 + 4000 + 1000 + 1000
    for cents in (staked, staked + sum(table.net_cents for table in TABLES.values())):
        assert plain(words.money(cents)) in figures
    assert plain(words.write("statistics.biggest")) + " +" + plain(words.money(2500)) in figures
    page.locator("details summary").click()
    rows = page.locator("details tbody tr").all_inner_texts()
    stood = ["+" + words.money(cents) for cents in (1000, 3500, 5500)]
    stood += ["−" + words.money(500), words.money(0)]
    assert [plain(row) for row in rows] == [
        plain(f"{place} {net}") for place, net in enumerate(stood, 1)
    ]
    stud = page.locator(".by-game article", has_text="Casino Stud")
    cells = [plain(cell) for cell in stud.locator("tbody tr").first.locator("td").all_inner_texts()]
    # Ante and play, 30 staked and 60 returned.
    assert cells == ["200,00 %", "97,44 %", plain(words.money(3000)), plain(words.money(6000)), "1"]
    assert page.locator(".best-hands > li").count() == 5
    page.locator(".best-hands a").first.click()
    page.wait_for_selector(".story")


@long
def test_a_net_result_is_drawn_where_it_lies_in_its_band(came: Any) -> None:
    """Ultimate: -60 with a band of 10 x (-0.0218 +- 2 x 4.939): far inside of -99 to +98."""
    made = came("en", known=True)
    table = TABLES["ultimate"]
    made.page.evaluate(ONE_ROUND, ["ultimate", table.stakes, table.choices])
    page = look(made)
    band = page.locator(".band")
    assert band.get_attribute("class") == "band within"
    drawn = page.evaluate(
        "() => ['.mine', '.mean'].map((line) => "
        "Number(document.querySelector(`.band ${line}`).getAttribute('x1')))"
    )
    low, high = -22 - 9878, -22 + 9878
    for at, cents in zip(drawn, (-6000, -22), strict=True):
        assert at == pytest.approx(2 + 396 * (cents - low) / (high - low), abs=0.1)


@long
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_new_guest_is_invited_to_play(came: Any, language: Language) -> None:
    page = look(came(language, known=True))
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    page.locator("main .act.primary").click()
    page.wait_for_selector(".doors")


@long
@pytest.mark.parametrize("language", ["fr", "en"])
def test_it_can_be_read_by_everyone(came: Any, language: Language) -> None:
    made = came(language, known=False)
    made.page.evaluate(SOME_ROUNDS, 3)
    page = look(made)
    page.wait_for_selector(".curve")
    page.locator("details summary").focus()
    page.keyboard.press("Enter")
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    told = page.locator(".curve svg").get_attribute("aria-label") or ""
    assert "15" in told
    assert page.locator("details tbody tr").count() == 15
    assert page.locator("[style]").count() == 0


@long
def test_the_menu_and_the_lobby_lead_there(came: Any) -> None:
    made = came("en", known=True)
    made.page.evaluate(ONE_ROUND, ["casino-stud", {"ante": 1000}, ["fold"]])
    page = made.page
    page.goto(made.url)
    page.locator(".mine a[href='/statistics']").click()
    page.wait_for_selector(".statistics")
    page.locator(".bar nav button").last.click()
    page.locator("dialog a[href='/statistics']").click()
    page.wait_for_selector(".statistics .curve")
    page.locator(".by-game a[href='/drill/casino-stud']").click()
    page.wait_for_selector(".drill[data-ready=asked]")
