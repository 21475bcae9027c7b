"""What if in the browser: another choice on the same deck, with its result and its value."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from browser.asking import LOOK
from browser.coaching import KINGS
from browser.conftest import Visiting
from browser.playing import ONE_ROUND
from browser.served import Served
from browser.tables import Language, axe, plain
from coach.present import Present
from rounds.house_with_operator import TABLES
from tapisvert.coach.advice import advise
from tapisvert.words import catalogue
from tiers import long

WIDTHS = {"fr": 1280, "en": 360}


@pytest.fixture
def looking_back(known_tables: Served, visit: Visiting) -> Any:
    """Play the known round of a game by HTTP from the page, then open its replay."""

    def start(game: str, language: Language, size: tuple[int, int] | None = None) -> Page:
        known_tables.coach = Present()
        url, (width, height) = known_tables.url, size or (WIDTHS[language], None)
        made = visit(url, language=language, width=width, height=height)
        made.let_in()
        round_id = made.page.evaluate(ONE_ROUND, [game, TABLES[game].stakes, TABLES[game].choices])
        made.page.goto(f"{url}/r/{round_id}")
        made.page.wait_for_selector(".what-if tr.best")
        return made.page

    return start


def cells(page: Page, selector: str) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(
        "(rows) => [...document.querySelectorAll(rows)].map("
        "(row) => [...row.children].map((cell) => cell.innerText.replaceAll('\\n', ' ').trim()))",
        f".what-if {selector} tbody tr",
    )
    return found


def test_luck_and_error_are_told_apart(looking_back: Any) -> None:
    """Kings were played and won. A fold would have lost the ante, on average and here."""
    page, words = looking_back("casino-stud", "fr"), catalogue("fr")
    worth = advise(KINGS).options
    mean = round(1000 * worth["play"])
    row = [plain(cell) for cell in cells(page, ".wide")[0]]
    assert row[1:] == [
        plain(each) for each in ("+" + words.money(mean), "+" + words.money(3000))
    ] + [plain("+" + words.money(3000 - mean)), plain(words.money(0))]
    page.locator(".what-if td .act").click()
    page.wait_for_selector(".what-if .verdict")
    tried = [plain(cell) for cell in cells(page, ".wide")[1]]
    assert tried[1:3] == [plain("−" + words.money(1000))] * 2
    told = plain(page.locator(".what-if .verdict").inner_text())
    less = plain(words.write("what-if.mean-less", {"cents": 1000 + mean}))
    assert told == f"{less} {plain(words.write('what-if.here-less', {'cents': 4000}))}"
    ledger = plain(page.locator(".felt .ledger").inner_text())
    assert plain(words.write("why.folded", {}, "casino-stud")) in ledger.lower()
    page.locator(".what-if > .act").click()  # back
    page.wait_for_selector(".what-if .verdict", state="detached")
    assert plain("+" + words.money(3000)) in plain(page.locator(".what-if").inner_text())


@long
def test_a_branch_is_played_to_its_end_by_its_own_questions(looking_back: Any) -> None:
    """The hand stood on 19. A hit gives 21 with a deuce, or busts; until then it is asked again."""
    page = looking_back("blackjack", "en")
    assert len(cells(page, ".wide")) == 2  # insured, then stood
    page.locator(".what-if .values tr", has_text="Hit").locator(".act").click()
    page.wait_for_selector(".what-if .verdict")
    assert len(cells(page, ".wide")) == 2  # as played, and what if
    assert page.locator(".replay .row .tag").inner_text().upper() == "WHAT IF"


@long
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("game", TABLES)
def test_it_can_be_read_and_used_by_everyone(
    looking_back: Any, game: str, language: Language
) -> None:
    page = looking_back(game, language)
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    first = page.locator(".what-if td .act").first
    first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".what-if > .act")
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []


@long
@pytest.mark.parametrize("size", [(360, 740), (740, 360)])
def test_no_column_is_cut_in_a_small_window(looking_back: Any, size: tuple[int, int]) -> None:
    page = looking_back("casino-stud", "fr", size)
    wide = "all => all.map(one => one.scrollWidth - one.clientWidth)"
    rows = "all => new Set(all.map(one => one.getBoundingClientRect().top)).size"
    assert page.locator(".what-if :is(.wide, .values)").evaluate_all(wide) == [0, 0]
    assert page.locator(".steps button").evaluate_all(rows) == 1
    assert page.locator(".replay > .figures > div").evaluate_all(rows) == 2
    page.locator(".what-if td .act").click()
    page.wait_for_selector(".what-if .verdict")
    assert page.locator(".what-if :is(.wide, .values)").evaluate_all(wide) == [0, 0]
    assert axe(page) == []
