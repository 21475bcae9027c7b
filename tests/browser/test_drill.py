"""Practice in the browser: question, answer and verdict, by pointer and by keyboard, unstaked."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.asking import LOOK
from browser.coaching import READY, SAID, Late
from browser.conftest import Visiting
from browser.playing import ONE_ROUND
from browser.served import Served
from browser.tables import Language, axe, plain
from browser.test_coach import written
from coach.present import Present
from rounds.house_with_operator import TABLES
from tapisvert.coach.advice import advise
from tapisvert.words import catalogue
from tiers import long

WIDTHS = {"fr": 1280, "en": 360}
STUD = {"game": "casino-stud", "player": ["Kh", "Kd", "7c", "4s", "2d"], "house": ["Ac"]}
FOLDED = ["casino-stud", {"ante": 1000}, ["fold"]]


@pytest.fixture
def practising(known_tables: Served, visit: Visiting) -> Any:
    """Open the practice of a game with known decks, after some rounds of the player."""

    def start(
        game: str,
        language: Language = "en",
        played: list[Any] | None = None,
        coach: Present | None = None,
    ) -> Page:
        known_tables.coach = coach or Present()
        made = visit(known_tables.url, language=language, width=WIDTHS[language])
        made.let_in()
        if played:
            made.page.evaluate(ONE_ROUND, played)
        made.page.goto(f"{known_tables.url}/drill/{game}")
        return made.page

    return start


def ready(page: Page, state: str = "asked") -> None:
    page.wait_for_selector(f".drill[data-ready={state}]")


def heard(page: Page, start: str) -> None:
    expect(page.locator("#polite")).to_contain_text(start)


def test_a_wrong_answer_is_told_with_its_cost_and_what_was_best(practising: Any) -> None:
    """Kings should be played; the player folded them at the table, and folds them again."""
    page, worth = practising("casino-stud", played=FOLDED), advise(STUD).options
    ready(page)
    lost = worth["play"] - worth["fold"]
    about = plain(page.locator(".progress").inner_text())
    words = catalogue("en")
    assert lost > 1
    part = words.write("costly.times", {"count": f"{lost:.1f}"})
    assert words.write("drill.because", {"part": part}) in about
    assert written(-lost) in about  # one decision at the table, and that was it
    page.locator(".acts .option").nth(1).click()
    ready(page, "answered")
    said = words.write("drill.wrong", {"option": "Fold", "best": "Play", "part": part})
    assert plain(page.locator(".felt .message").inner_text()) == said
    heard(page, said)
    rows = page.locator(".coach tbody tr")
    assert [plain(row.inner_text()).split()[0] for row in rows.all()] == ["Play", "Fold"]
    assert written(worth["play"]) in plain(rows.nth(0).inner_text())
    assert written(-lost) in plain(rows.nth(1).inner_text())
    assert "chosen" in rows.nth(1).inner_text()
    figures = [plain(each) for each in page.locator(".progress dd").all_inner_texts()]
    assert figures == ["0 / 1", written(-lost), written(-lost)]
    page.locator(".progress a", has_text="See that round").click()
    page.wait_for_selector(".story")


@long
def test_answers_are_kept_in_this_browser_for_each_game(practising: Any) -> None:
    page, worth = practising("casino-stud"), advise(STUD).options
    for answer in (0, 1, 0):
        ready(page)
        page.locator(".acts .option").nth(answer).click()
        ready(page, "answered")
        page.locator(".acts .primary").click()
    ready(page)
    page.reload()
    ready(page)
    lost = worth["play"] - worth["fold"]
    figures = [plain(each) for each in page.locator(".progress dd").all_inner_texts()]
    assert figures == ["2 / 3", written(-lost / 3), "–"]
    points = page.locator(".progress .line polyline").get_attribute("points") or ""
    assert [float(each.split(",")[1]) for each in points.split()] == pytest.approx(
        [0, 100, 100 * 2 / 3], abs=0.01
    )
    page.goto(re.sub("casino-stud", "ultimate", page.url))
    ready(page)
    assert page.locator(".progress .line").count() == 0


@long
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("game", TABLES)
def test_every_game_can_be_practised_by_everyone(
    practising: Any, game: str, language: Language
) -> None:
    page = practising(game, language)
    ready(page)
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    expect(page.locator(".acts .option:focus")).to_have_count(1)
    page.keyboard.press(" ")  # the page itself has put the focus there: Space decides nothing
    page.keyboard.press("1")
    ready(page, "answered")
    expect(page.locator(".acts .primary:focus")).to_have_count(1)
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    page.keyboard.press(" ")
    ready(page)
    page.keyboard.press("2")
    ready(page, "answered")
    assert page.locator("[style]").count() == 0


@long
def test_nothing_is_staked(practising: Any) -> None:
    page = practising("ultimate")
    ready(page)
    page.keyboard.press("1")
    ready(page, "answered")
    asked = "async () => (await fetch('/api/v1/wallet')).json()"
    assert page.evaluate(asked)["balance_cents"] == 100_000
    assert page.evaluate("async () => (await fetch('/api/v1/rounds')).json()") == {
        "rounds": [],
        "next": None,
    }


@long
def test_a_coach_on_his_way_is_waited_for(practising: Any) -> None:
    late = Late()
    page = practising("casino-stud", coach=late)
    expect(page.locator(".drill .message")).to_contain_text(SAID["en"])
    assert axe(page) == []
    late.said = READY
    ready(page)


@long
def test_an_address_without_a_table_says_so(practising: Any) -> None:
    page = practising("roulette")
    page.wait_for_selector("main .message.told")
    assert catalogue("en").write("page.no-table") in page.locator("main").inner_text()


@long
def test_the_coach_leads_there(practising: Any) -> None:
    page = practising("casino-stud")
    page.goto(re.sub("drill", "table", page.url))
    page.wait_for_selector("[data-phase=bet][data-ready]")
    page.locator(".bar nav button").last.click()
    page.locator("dialog .menu button").nth(1).click()
    page.locator("dialog.coach a[href='/drill/casino-stud']").click()
    ready(page)
