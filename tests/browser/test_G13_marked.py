"""G13: every page that shows money, and the jackpot, is marked as play money."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import Visiting
from browser.served import Served
from browser.tables import GAMES, Language
from browser.turns import first_of
from tapisvert.words import catalogue

pytestmark = pytest.mark.every_way


@pytest.mark.parametrize(("language", "width"), first_of([("fr", 1280), ("en", 360)]))
def test_G13_lobby_and_tables_are_marked_as_play_money(
    house: Served, visit: Visiting, language: Language, width: int
) -> None:
    words = catalogue(language)
    page = visit(house.url, language=language, width=width, height=740).page
    mark = page.locator("header .fun")
    expect(mark).to_have_text(words.write("shell.play-money"))
    expect(page.locator(".foot")).to_contain_text(words.write("lobby.play-money"))
    for game in GAMES:
        page.locator(f".door[href='/table/{game}']").click()
        page.wait_for_selector("main[data-phase=bet][data-ready]")
        expect(mark).to_be_visible()
        meter = page.locator(".meter")
        expect(meter).to_have_count(1 if game == "blackjack" else 0)
        if game == "blackjack":
            expect(meter).to_contain_text(words.write("jackpot.demo", {}, game))
            expect(meter).to_contain_text(words.money(2_000_000))
        page.locator(".brand").click()
        page.wait_for_selector(".door")
