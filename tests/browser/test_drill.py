"""Practice in the browser: question, answer and verdict, by pointer and by keyboard, unstaked."""

from __future__ import annotations

import re
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser.asking import LOOK
from browser.coaching import KINGS, READY, SAID, Late
from browser.conftest import Visiting
from browser.playing import ONE_ROUND
from browser.served import Served
from browser.tables import Language, axe, open_panel, plain
from browser.test_coach import written
from coach.present import Present
from houses import Indifferent
from rounds.house_with_operator import TABLES
from tapisvert.coach.advice import advise
from tapisvert.web.advice import Coach
from tapisvert.words import catalogue
from tiers import long

WIDTHS = {"fr": 1280, "en": 360}
FOLDED = ["casino-stud", {"ante": 1000}, ["fold"]]


@pytest.fixture
def practising(known_tables: Served, visit: Visiting) -> Any:
    """Open the practice of a game with known decks, after some rounds of the player."""

    def start(
        game: str,
        language: Language = "en",
        played: list[Any] | None = None,
        coach: Coach | None = None,
        shuffled: bool = False,
    ) -> Page:
        if shuffled:  # so that every theme is found
            chance = Random(1)
            known_tables.known = {}
            known_tables.shuffle = lambda seed, deal, cards: chance.sample(cards, len(cards))
        known_tables.coach = coach or Present()
        known_tables.chance.seed(1)
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
    page, worth = practising("casino-stud", played=FOLDED), advise(KINGS).options
    ready(page)
    lost = worth["play"] - worth["fold"]
    words = catalogue("en")
    assert lost > 1
    part = words.write("costly.times", {"count": f"{lost:.1f}"})
    because = words.write("drill.because", {"part": part})
    assert because in plain(page.locator(".felt .message").inner_text())
    assert written(-lost) in plain(page.locator(".progress").inner_text())  # at the table
    page.locator(".acts .option").nth(1).click()
    ready(page, "answered")
    said = words.write("drill.wrong", {"option": "Fold", "best": "Play", "part": part})
    assert plain(page.locator(".felt .message p").inner_text()) == said
    heard(page, said)
    rows = page.locator(".coach tbody tr")
    assert [plain(row.inner_text()).split()[0] for row in rows.all()] == ["Play", "Fold"]
    assert written(worth["play"]) in plain(rows.nth(0).inner_text())
    assert written(-lost) in plain(rows.nth(1).inner_text())
    assert "chosen" in rows.nth(1).inner_text()
    figures = [plain(each) for each in page.locator(".progress dd").all_inner_texts()]
    assert figures == ["1", "0", "0", written(-lost)]
    page.locator(".answers a", has_text="See that round").click()
    page.wait_for_selector(".story")


def test_only_a_close_decision_is_called_so_and_only_after_the_answer(practising: Any) -> None:
    page, close = practising("casino-stud", shuffled=True), catalogue("en").write("drill.close")
    called = set()
    for _ in range(6):
        ready(page)
        assert close not in plain(page.locator(".felt .message").inner_text())
        with page.expect_response("**/practice/casino-stud/answers") as answered:
            page.locator(".acts .option").nth(0).click()
        ready(page, "answered")
        best, next_best = sorted(answered.value.json()["advice"]["options"].values())[::-1]
        said = close in plain(page.locator(".felt .message").inner_text())
        assert said == (best - next_best < 0.05)
        called.add(said)
        page.keyboard.press(" ")
    assert called == {False, True}


def test_the_position_of_an_answer_opens_on_the_page_of_positions(practising: Any) -> None:
    page, words = practising("casino-stud"), catalogue("en")
    ready(page)
    page.locator(".acts .option").nth(1).click()
    ready(page, "answered")
    values = [plain(each) for each in page.locator(".coach td b").all_inner_texts()]
    cards = page.locator(".zone.player .card").count()
    page.locator(".answers a", has_text=words.write("what-if.position")).click()
    page.wait_for_selector(".position .values")
    page.wait_for_url("**/position/casino-stud?*")
    assert [plain(each) for each in page.locator(".values td b").all_inner_texts()] == values
    assert len(parse_qs(urlsplit(page.url).query)["player"][0]) == 2 * cards == 10


def test_pai_gow_is_practised_by_cards(practising: Any) -> None:
    page = practising("pai-gow", coach=Indifferent(), shuffled=True)
    ready(page)
    assert page.locator(".pickable").count() == 7
    assert page.locator(".acts .option").count() == 2  # no button for each of the 21 sets
    assert axe(page) == []
    expect(page.locator(".pickable[aria-pressed=true]")).to_have_count(0)  # nothing is suggested
    page.locator(".pickable").first.click()
    confirm = page.locator(".acts .option").nth(1)
    expect(confirm).to_be_disabled()  # one card is no low hand
    page.keyboard.press("h")
    expect(page.locator(".pickable[aria-pressed=true]")).to_have_count(2)
    confirm.click()
    ready(page, "answered")
    assert page.locator(".pickable").count() == 0
    assert axe(page) == []


@long
def test_blackjack_is_practised_by_the_keys_of_the_table(practising: Any) -> None:
    page = practising("blackjack", coach=Indifferent(), shuffled=True)
    ready(page)
    page.locator(".theme", has_text="Hard hands").click()
    for key in ("s", "h"):
        expect(page.locator(".row .about")).to_have_text("Hard hands")
        ready(page)
        page.keyboard.press(key)
        ready(page, "answered")
        page.keyboard.press(" ")
    ready(page)
    page.keyboard.press("f")
    heard(page, "Hand 1")


@long
def test_answers_are_kept_on_the_server_for_each_game(practising: Any) -> None:
    page, words = practising("casino-stud"), catalogue("en")
    for answer in (0, 1, 0):
        ready(page)
        page.locator(".acts .option").nth(answer).click()
        ready(page, "answered")
        page.locator(".acts .primary").click()
    ready(page)
    page.evaluate("localStorage.clear()")
    page.reload()
    ready(page)
    about = plain(page.locator(".themes").inner_text())
    assert "2 of 3 right" in about
    page.goto(re.sub("casino-stud", "ultimate", page.url))
    ready(page)
    assert words.write("drill.theme-new") in plain(page.locator(".themes").inner_text())


@long
def test_one_theme_is_practised_if_the_player_chooses_it(practising: Any) -> None:
    page = practising("ultimate", coach=Indifferent(), shuffled=True)
    ready(page)
    page.locator(".theme", has_text="At the river").click()
    expect(page.locator(".row .about")).to_have_text("At the river")
    ready(page)
    expect(page.locator(".felt .board .card")).to_have_count(5)


@long
def test_the_lobby_and_the_menu_lead_there(practising: Any) -> None:
    page = practising("casino-stud")
    page.goto(re.sub("drill.*", "", page.url))
    page.locator(".ways a[href='/drill/blackjack']").click()
    ready(page)
    open_panel(page, "menu")
    expect(page.locator("dialog a[href='/drill/blackjack']")).to_be_visible()


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
    ready(page)
    if game == "pai-gow":
        page.locator(".acts .option:enabled").first.click()  # takes two cards
    page.locator(".acts .option:enabled").last.click()
    ready(page, "answered")
    expect(page.locator(".acts .primary:focus")).to_have_count(1)
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    page.keyboard.press(" ")
    ready(page)
    assert page.locator("[style]").count() == 0


@long
def test_nothing_is_staked(practising: Any) -> None:
    page = practising("ultimate")
    ready(page)
    page.locator(".acts .option:enabled").first.click()
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
    open_panel(page, "coach")
    page.locator("dialog.coach a[href='/drill/casino-stud']").click()
    ready(page)
