"""Par sheets in a browser: on a phone, on paper, with the keyboard, and with axe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.tables import axe
from browser.turns import first_of
from tapisvert.games.registry import SHIPPED
from tapisvert.par.page import kept_par_sheet
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py

PAPER = 718  # A4 at 96 pixels an inch, without a centimetre on each side
# Elements that are wider than the page and cannot be scrolled.
WIDER = """() => [...document.querySelectorAll('main *')].filter((el) =>
  !el.closest('[role=group] *') && el.getBoundingClientRect().right > innerWidth + 1)
  .map((el) => el.outerHTML.slice(0, 80))"""
SCROLLED = "[...document.querySelectorAll('[role=group]')]"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open an offline page: a par sheet sends no request."""
    context = browser.new_context(offline=True)
    yield context.new_page()
    context.close()


def opened(page: Page, folder: Path, game: str, language: str, width: int) -> None:
    """Open the par sheet of a game from the disk."""
    file = folder / f"{game}.html"
    file.write_text(kept_par_sheet(load(game), language), encoding="utf-8")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(file.as_uri())


@pytest.mark.parametrize("game", first_of(SHIPPED, "casino-stud"))
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_a_desk_and_a_phone_and_axe_is_silent(
    page: Page, tmp_path: Path, game: str, language: str
) -> None:
    for width in (1280, 360):
        opened(page, tmp_path, game, language, width)
        assert axe(page) == []
        assert page.evaluate(WIDER) == []
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_on_paper_nothing_is_cut(page: Page, tmp_path: Path, game: str, language: str) -> None:
    opened(page, tmp_path, game, language, PAPER)
    page.emulate_media(media="print")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PAPER
    assert page.evaluate(f"{SCROLLED}.filter((el) => el.scrollWidth > el.clientWidth).length") == 0
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_what_is_wider_than_a_phone_is_scrolled_with_the_keyboard(
    page: Page, tmp_path: Path
) -> None:
    opened(page, tmp_path, "ultimate", "en", 360)
    groups = page.locator("[role=group]").count()
    wide = page.evaluate(f"{SCROLLED}.filter((el) => el.scrollWidth > el.clientWidth).length")
    assert groups >= wide > 0
    scrolled = 0
    for _ in range(groups):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.getAttribute('role')") == "group"
        page.keyboard.press("ArrowRight")
        more = "document.activeElement.scrollWidth > document.activeElement.clientWidth"
        if page.evaluate(more):
            expect(page.locator(":focus")).not_to_have_js_property("scrollLeft", 0)
            scrolled += 1
    assert scrolled == wide
