"""A lesson in the browser: by keyboard, to its end, resumed and gone back over; axe on the way."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.asking import LOOK
from browser.conftest import Visiting
from browser.scenes_learning import dealt
from browser.served import Served
from browser.tables import Language, axe, plain
from rounds.house_with_operator import TABLES
from tapisvert.learning.lessons import LessonStep, lesson_of
from tapisvert.words import catalogue
from tiers import long

STUD = "casino-stud"
WAYS = [("fr", 1280, 800), ("en", 360, 740), ("fr", 740, 360), ("en", 1280, 800), ("fr", 360, 740)]


@pytest.fixture
def learning(known_tables: Served, visit: Visiting) -> Any:
    """Open the lesson of a game."""

    def start(game: str, language: Language, width: int, height: int) -> Page:
        made = visit(known_tables.url, language=language, width=width, height=height)
        made.page.goto(f"{known_tables.url}/lesson/{game}")
        return made.page

    return start


def ready(page: Page, step: str, state: str = "asked") -> None:
    page.wait_for_selector(f".lesson[data-step={step}][data-ready={state}]")


def answer(page: Page, step: LessonStep, option: str, *, look: bool = False) -> None:
    """Answer a question by keys alone; with `look`, examine the page before and after."""
    ready(page, step.id)
    if look:
        examine(page)
    if page.locator(".pickable").count():
        for card in option.split():
            page.keyboard.press(str(dealt(step).index(card) + 1))
    places = [each.id for each in step.options]
    buttons = page.locator(".acts .option:not(:disabled)")
    place = 0 if buttons.count() == 1 else places.index(option)
    page.keyboard.press(buttons.nth(place).get_attribute("aria-keyshortcuts") or "")
    ready(page, step.id, "answered")
    if look:
        examine(page)


def examine(page: Page) -> None:
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def walk(page: Page, game: str, looks: range) -> None:
    """Give every right answer by keyboard, and see the end."""
    steps = lesson_of(game).steps
    for number, step in enumerate(steps):
        right = next(option.id for option in step.options if option.right)
        answer(page, step, right, look=number in looks)
        expect(page.locator(".verdict.right")).to_have_count(1)
        page.keyboard.press(" ")
    page.wait_for_selector(".lesson[data-step=end]")
    examine(page)
    count = len(steps)
    assert f"{count}" in plain(page.locator(".end p").first.inner_text())
    expect(page.locator(".end .primary")).to_have_attribute("href", f"/table/{game}")


def test_a_lesson_is_walked_by_keyboard(learning: Any) -> None:
    walk(learning(STUD, "en", 1280, 800), STUD, range(1))


@long
@pytest.mark.parametrize(("language", "width", "height"), WAYS)
@pytest.mark.parametrize("game", TABLES)
def test_every_lesson_is_walked_everywhere(
    learning: Any, game: str, language: Language, width: int, height: int
) -> None:
    walk(learning(game, language, width, height), game, range(0, 20, 4))


def test_a_wrong_answer_is_told_with_its_cost_kept_and_can_be_given_again(learning: Any) -> None:
    page = learning(STUD, "en", 1280, 800)
    first, second = lesson_of(STUD).steps[:2]
    values = {option.id: option.value or 0.0 for option in first.options}
    answer(page, first, "fold")
    words = catalogue("en")
    cost = words.money(round((values["play"] - values["fold"]) * first.unit_cents))
    args = {"option": "Fold", "best": "Play", "cost": cost, "unit": first.unit_cents}
    said = words.write("lesson.wrong", args)
    assert said in plain(page.locator(".verdict").inner_text())
    expect(page.locator("#polite")).to_contain_text(said)
    page.keyboard.press(" ")
    ready(page, second.id)
    page.reload()
    ready(page, second.id)
    page.keyboard.press("ArrowLeft")
    ready(page, first.id, "answered")
    assert said in plain(page.locator(".verdict").inner_text())
    page.locator(".acts .act", has_text=words.write("lesson.retry")).click()
    answer(page, first, "play")
    expect(page.locator(".verdict.right")).to_have_count(1)


def resumed(page: Page, game: str, at: int, given: dict[str, str]) -> None:
    """Open the lesson as a player left it."""
    ready(page, lesson_of(game).steps[0].id)
    kept = json.dumps({"at": at, "given": given})
    page.evaluate("([name, kept]) => localStorage.setItem(name, kept)", [f"lesson-{game}", kept])
    page.reload()


@pytest.mark.parametrize(("wrong", "heading"), [(3, "lesson.end"), (4, "lesson.end-again")])
def test_who_has_a_quarter_wrong_is_invited_to_go_through_it_again(
    learning: Any, wrong: int, heading: str
) -> None:
    page, steps = learning("blackjack", "fr", 360, 740), lesson_of("blackjack").steps
    assert len(steps) == 12
    given = {
        step.id: next(each.id for each in step.options if each.right == (number >= wrong))
        for number, step in enumerate(steps)
    }
    resumed(page, "blackjack", len(steps), given)
    page.wait_for_selector(".lesson[data-step=end]")
    assert plain(page.locator(".end h2").inner_text()) == plain(catalogue("fr").write(heading))
    examine(page)
    page.keyboard.press(" ")
    if heading == "lesson.end":
        page.wait_for_selector(".table[data-ready]")
    else:
        ready(page, steps[0].id)


def test_options_are_named_in_sentences_where_yes_or_no_or_two_hands_would_not(
    learning: Any,
) -> None:
    page, words = learning("blackjack", "en", 1280, 800), catalogue("en")
    at = next(at for at, step in enumerate(lesson_of("blackjack").steps) if step.id == "insurance")
    resumed(page, "blackjack", at, {"insurance": "insure"})
    ready(page, "insurance", "answered")
    said = plain(page.locator(".verdict").inner_text())
    assert "“Take insurance” brings on average" in said
    assert "less than “Decline”" in said
    page.goto(page.url.replace("blackjack", "pai-gow"))
    [step] = [each for each in lesson_of("pai-gow").steps if each.id == "full-house"]
    at = lesson_of("pai-gow").steps.index(step)
    resumed(page, "pai-gow", at, {step.id: "9s 2c"})
    ready(page, step.id, "answered")
    best = words.write("lesson.low", {"hand": "a pair of fives"})
    assert f"less than “{best}”" in plain(page.locator(".verdict").inner_text())


@long
def test_the_lobby_and_the_menu_lead_to_the_lesson(learning: Any) -> None:
    page = learning(STUD, "en", 1280, 800)
    ready(page, lesson_of(STUD).steps[0].id)
    page.locator(".brand").click()
    links = page.locator(".doors a[href^='/lesson/']")
    expect(links).to_have_count(len(TABLES))
    links.first.click()
    page.wait_for_selector(".lesson[data-ready]")
    page.locator(".foot a[href^='/table/']").click()
    page.wait_for_selector(".table[data-ready]")
    page.locator("header nav .ico").last.click()
    page.locator("dialog.menu a[href^='/lesson/']").click()
    page.wait_for_selector(".lesson[data-ready]")
