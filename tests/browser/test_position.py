"""The page of positions in the browser: shared addresses, cards laid by pointer and by keyboard."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.addresses import expect_address
from browser.asking import LOOK
from browser.coaching import KINGS, LAID
from browser.conftest import Visiting
from browser.playing import ONE_ROUND
from browser.served import Served
from browser.tables import Language, axe, plain
from browser.test_coach import written
from coach.present import Present
from tapisvert.coach.advice import advise
from tapisvert.learning.lessons import lesson_of
from tapisvert.words import catalogue
from tiers import long

SHARED = LAID | {"casino-stud": f"{LAID['casino-stud']}&rules=flush-6"}
STUD = {"game": "casino-stud", "player": ["As", "Kd", "Qh", "5c", "3d"], "house": ["Ac"]}


@pytest.fixture
def opened(known_tables: Served, visit: Visiting) -> Any:
    """Open an address of a position as somebody who was never here."""

    def start(path: str, language: Language = "en", width: int = 1280) -> Page:
        known_tables.coach = Present()
        made = visit(f"{known_tables.url}/position/{path}", language=language, width=width)
        made.may_fail("player=AsAs", "NaN")  # the browser reports a refused position
        made.page.wait_for_selector("main.position")
        return made.page

    return start


def valued(page: Page) -> None:
    page.wait_for_selector(".worth[data-valued]")


def test_a_shared_position_is_valued_without_a_player_and_goes_on_by_keyboard(opened: Any) -> None:
    page = opened(f"casino-stud?{LAID['casino-stud']}")
    valued(page)
    worth = advise(STUD).options
    rows = [plain(each) for each in page.locator(".worth tbody tr").all_inner_texts()]
    assert [row.split()[0] for row in rows] == ["Play", "Fold"]
    assert written(worth["play"]) in rows[0]
    assert page.context.cookies() == []  # no guest was made for a reader
    page.keyboard.press("Backspace")  # nothing was laid here yet
    page.keyboard.press("x")
    expect(page.locator("main.position")).to_have_attribute("data-ready", "open")
    for key in "khkd7c4s2dac":
        page.keyboard.press(key)
    valued(page)
    expect_address(page, "/position/casino-stud?player=KhKd7c4s2d&house=Ac")
    assert written(advise(KINGS).options["play"]) in plain(page.locator(".worth").inner_text())
    page.keyboard.press("Backspace")
    expect_address(page, "?player=KhKd7c4s2d")


PAIRS = ("Kh", "Kd", "7c", "6s", "2d", "6h", "3c")
TYPED: list[tuple[Language, str, str, str]] = [
    ("fr", "casino-stud", "rkdpvt10c0p", "player=KdQsJcThTs"),  # T is the suit, 10 and 0 the rank
    ("fr", "pai-gow", "kpqcjkjo", "player=KsQhJdJk"),
    ("en", "casino-stud", "khqdtc10sjs", "player=KhQdTcTsJs"),
    ("en", "pai-gow", "jkjdJo", "player=JkJd"),  # the joker's other keys take it back
]


@pytest.mark.parametrize(("language", "game", "keys", "board"), TYPED)
def test_cards_are_typed_by_the_keys_of_the_language(
    opened: Any, language: Language, game: str, keys: str, board: str
) -> None:
    page = opened(game, language)
    for key in keys.removesuffix("Jo"):
        page.keyboard.press(key)
    expect_address(page, f"?{board}")
    if keys.endswith("Jo"):
        page.keyboard.press("j")
        page.keyboard.press("o")
        expect_address(page, "?player=Jd")


@pytest.mark.parametrize(("language", "rank", "suit"), [("fr", "R", "H"), ("en", "K", "P")])
def test_a_key_that_makes_no_card_is_told(
    opened: Any, language: Language, rank: str, suit: str
) -> None:
    page, words = opened("casino-stud", language), catalogue(language)
    keys = words.write("position.suit-keys")
    suits = ", ".join(f"{key} {suit}" for key, suit in zip(keys, "♠♥♦♣", strict=True))
    expect(page.locator(".typing")).to_be_visible()
    assert page.locator(".typing kbd").all_inner_texts() == list(keys)
    said = page.locator("output.begun")
    page.keyboard.press(suit)
    expect(said).to_have_text(words.write("position.no-rank", {"key": suit, "suits": suits}))
    page.keyboard.press(rank)
    page.keyboard.press(suit)
    expect(said).to_contain_text(words.write("position.no-suit", {"key": suit, "suits": suits}))
    page.keyboard.press(keys[1])  # the rank still waits
    expect(said).to_be_empty()
    expect_address(page, "?player=Kh")


@long
def test_sets_that_differ_by_suits_alone_are_one_row(opened: Any) -> None:
    page = opened(f"pai-gow?player={''.join(PAIRS)}", "fr")
    valued(page)
    worth = advise({"game": "pai-gow", "player": list(PAIRS)}).options
    ranks = {("".join(card[0] for card in id.split()), round(of, 9)) for id, of in worth.items()}
    expect(page.locator(".worth tbody tr")).to_have_count(len(ranks))
    counts = [
        int(each[1:])
        for each in page.locator(".worth tbody em").all_inner_texts()
        if each.startswith("×")
    ]
    assert sum(counts) - len(counts) == len(worth) - len(ranks) > 0


@long
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("game", SHARED)
def test_every_game_is_readable_and_reachable(
    opened: Any, game: str, language: Language, width: int
) -> None:
    page = opened(f"{game}?{SHARED[game]}", language, width)
    valued(page)
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    assert page.locator("[style]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == width


@long
def test_a_hand_is_laid_by_clicks_and_taken_back(opened: Any) -> None:
    page = opened("blackjack", width=360)
    for card in ("8s", "8d", "9d"):
        page.locator(f".deck [data-card='{card}']").click()
    valued(page)
    expect_address(page, "?hand=8s8d&up=9d")
    expect(page.locator(".then small").first).to_be_visible()
    page.locator(".flag input").uncheck()
    valued(page)
    expect_address(page, "?hand=8s8d&up=9d&can_split=no")
    expect(page.locator(".worth tbody")).not_to_contain_text("Split")
    page.locator(".deck [data-card='2c']").click()  # a card is drawn
    expect_address(page, "?hand=8s8d2c&up=9d")
    page.locator("[data-field=hand] .card").nth(2).click()
    expect_address(page, "?hand=8s8d&up=9d")
    page.locator("[data-field=seen] .pick").click()
    page.locator(".deck [data-card='Kc']").click()
    valued(page)
    expect_address(page, "?hand=8s8d&up=9d&seen=Kc")
    page.locator(".tools button").nth(1).click()
    expect_address(page, "/position/blackjack")


@long
def test_arrows_walk_the_deck(opened: Any) -> None:
    page = opened("ultimate")
    page.locator(".deck .card").first.focus()
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator(".deck .card:focus")).to_have_attribute("data-card", "Kh")
    page.keyboard.press("Enter")
    expect(page.locator("[data-field=player] .card")).to_have_count(1)


@long
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_bad_address_says_so_and_begins_with_an_empty_board(
    opened: Any, language: Language
) -> None:
    page = opened("casino-stud?player=AsAs&house=Ac", language)
    words = catalogue(language)
    said = words.write("error.position/twice", {"card": "As"})
    expect(page.locator("[role=alert].bad")).to_contain_text(said)
    expect(page.locator(".place .card")).to_have_count(0)
    assert axe(page) == []
    page.locator(".deck .card").first.click()
    expect(page.locator("[role=alert].bad")).to_have_count(0)


@long
def test_rules_are_chosen_and_kept_in_the_address(opened: Any) -> None:
    page = opened(f"casino-stud?{SHARED['casino-stud']}")
    valued(page)
    expect(page.locator("select")).to_have_value("flush-6")
    page.locator("select").select_option("own")
    page.locator("textarea").fill("play.pays.flush = 7:1")
    page.locator(".by button").click()
    valued(page)
    expect_address(page, "&house=Ac&set=play.pays.flush=7:1")
    page.reload()
    valued(page)
    expect(page.locator("textarea")).to_have_value("play.pays.flush = 7:1")
    page.locator("textarea").fill("play.pays.flush = NaN")
    page.locator(".by button").click()
    expect(page.locator("[role=alert].bad")).to_contain_text("play.pays.flush")


@long
def test_the_lobby_the_table_help_and_the_end_of_a_lesson_lead_there(
    known_tables: Served, visit: Visiting
) -> None:
    known_tables.coach = Present()
    page = visit(known_tables.url, language="en").page
    study = "a[href='/position/casino-stud']"
    steps = len(lesson_of("casino-stud").steps)
    done = ["lesson-casino-stud", json.dumps({"at": steps, "given": {}})]

    def follow(within: str) -> None:
        page.locator(f"{within} {study}").click()
        expect(page.locator("main.position")).to_have_attribute("data-ready", "open")

    follow(".doors")
    page.goto(f"{known_tables.url}/table/casino-stud")
    page.wait_for_selector(".table[data-ready]")
    page.locator("header nav .ico").last.click()
    follow("dialog.menu")
    page.goto(f"{known_tables.url}/help/casino-stud")
    follow("main.help")
    page.evaluate("(done) => localStorage.setItem(...done)", done)
    page.goto(f"{known_tables.url}/lesson/casino-stud")
    follow(".lesson .end")


@long
def test_a_question_of_a_replay_opens_as_a_position(known_tables: Served, visit: Visiting) -> None:
    known_tables.coach = Present()
    made = visit(known_tables.url, language="en")
    made.let_in()
    page = made.page
    page.evaluate(ONE_ROUND, ["casino-stud", {"ante": 1000}, ["fold"]])
    page.goto(f"{known_tables.url}/history")
    page.locator("a[href^='/r/']").first.click()
    page.locator(".what-if a.act").click()
    valued(page)
    expect(page).to_have_url(re.compile(r"/position/casino-stud\?player=\w{10}&house=\w\w$"))
    page.locator(".place .card").first.click()  # the way back stays when the board changes
    page.locator("main a[href^='/r/']").click()
    page.wait_for_selector(".story")
