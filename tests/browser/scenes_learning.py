"""Scenes of lessons, positions, strategy cards, own rules and documents opened in the page."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from playwright.sync_api import Page

from browser.pictures import EACH, PRINTED, Here, Scene, Steps, phone
from browser.playing import ONE_ROUND, played
from browser.scenes_tables import at, sit
from tapisvert.engine.events import Dealt
from tapisvert.learning.lessons import LessonStep, lesson_of

FULL, WIDE_PX = "ante bonus", 1100  # from here on the card lies beside the table
POSITIONS = {
    "pai-gow": "player=9s8s7s6s5sAhJk",
    "casino-stud": "player=AsKdQh5c3d&house=Ac",
    "high-card-flush": "player=AsKs5s4d3d2c9h",
    "blackjack": "hand=8s8d&up=9d",
    "ultimate": "player=KhQs&board=Qd8c3h",
}


def page_of(path: str, ready: str, shown: str = "") -> Steps:
    """Return the steps to a page, and to a part of it."""

    def steps(page: Page, here: Here) -> None:
        page.goto(f"{here.url}{path}")
        page.wait_for_selector(ready, timeout=60_000)
        if shown:
            page.locator(shown).first.evaluate("(part) => part.scrollIntoView({block: 'center'})")

    return steps


def with_settings(settings: str, steps: Steps) -> Steps:
    """Return steps in a browser with these settings."""

    def there(page: Page, here: Here) -> None:
        page.add_init_script(f"localStorage.setItem('settings', '{{{settings}}}')")
        steps(page, here)

    return there


# Lessons -----------------------------------------------------------------------------------------


def dealt(step: LessonStep) -> Sequence[str | None]:
    """Return the cards of the player in a step of a lesson, as they lie."""
    return next(
        event.cards for event in step.events if isinstance(event, Dealt) and event.zone == "player"
    )


def _answer(page: Page, step: LessonStep, option: str) -> None:
    """Answer a question of a lesson by its cards or its button."""
    page.wait_for_selector(f".lesson[data-step={step.id}][data-ready=asked]")
    cards = page.locator(".pickable")
    if cards.count():
        for card in option.split():
            cards.nth(dealt(step).index(card)).click()
        page.locator(".acts .option:not(:disabled)").first.click()
    else:
        places = [each.id for each in step.options]
        page.locator(".acts .option:not(:disabled)").nth(places.index(option)).click()
    page.wait_for_selector(f".lesson[data-step={step.id}][data-ready=answered]")


def lesson(game: str, place: int = 0, *, right: bool | None = None) -> Steps:
    """Return the steps to a question of a lesson, and to a right or a wrong answer."""

    def steps(page: Page, here: Here) -> None:
        step = lesson_of(game).steps[place]
        _resume(page, game, place, {})
        page.goto(f"{here.url}/lesson/{game}")
        page.wait_for_selector(f".lesson[data-step={step.id}]")
        if right is not None:
            _answer(page, step, next(each.id for each in step.options if each.right is right))

    return steps


def _resume(page: Page, game: str, place: int, given: dict[str, str]) -> None:
    """Let the browser remember the place in a lesson and the answers before it."""
    kept = json.dumps({"at": place, "given": given})
    page.add_init_script(f"localStorage.setItem('lesson-{game}', '{kept}')")


def _lesson_ended(page: Page, here: Here) -> None:
    """End a lesson with one wrong answer."""
    game, steps = "high-card-flush", lesson_of("high-card-flush").steps
    given = {
        step.id: next(each.id for each in step.options if each.right is (step.id != "two-cards"))
        for step in steps
    }
    _resume(page, game, len(steps), given)
    page.goto(f"{here.url}/lesson/{game}")
    page.wait_for_selector(".lesson[data-step=end]")


# Positions ---------------------------------------------------------------------------------------


def position(game: str, rules: str = "") -> Steps:
    return page_of(f"/position/{game}?{POSITIONS[game]}{rules}", ".worth[data-valued]")


def _picture(page: Page, here: Here) -> None:
    """Open the picture of a position as a file of its own."""
    path = f"{here.url}/position/ultimate/picture.svg?{POSITIONS['ultimate']}"
    page.goto(path)
    size = re.search(r'width="(\d+)" height="(\d+)"', page.content())
    assert size is not None
    page.set_viewport_size({"width": int(size[1]), "height": int(size[2])})


# Strategy cards ----------------------------------------------------------------------------------


def card(game: str, *, chart: bool = False) -> Steps:
    """Return the steps to the page of a strategy card, and to its chart."""

    def steps(page: Page, here: Here) -> None:
        page.goto(f"{here.url}/card/{game}")
        page.wait_for_selector(".rule-card li")
        if chart:
            page.locator(".lengths input[value=chart]").check(force=True)
            page.wait_for_selector(".chart td")

    return steps


def lit(game: str, stakes: str, rule: str) -> Steps:
    """Return the steps to the rule that applies, lit up beside the table or in a panel over it."""

    def steps(page: Page, here: Here) -> None:
        at(game, stakes)(page, here)
        beside = page.evaluate("innerWidth") >= WIDE_PX
        if not beside:
            page.keyboard.press("v")
        page.wait_for_selector(f"{'.side' if beside else 'dialog'} {rule}", timeout=60_000)

    return steps


def _printed(page: Page, here: Here) -> None:
    card("casino-stud")(page, here)
    page.emulate_media(media="print")


# Own rules ---------------------------------------------------------------------------------------


def _take_variant(page: Page, here: Here) -> None:
    """Take the second set of rules of a table."""
    page_of("/rules/ultimate", ".choices")(page, here)
    page.locator(".choices button").first.click()
    page.wait_for_url("**/table/ultimate")
    page.wait_for_selector("[data-phase=bet][data-ready]")


def _table_by_own_rules(page: Page, here: Here) -> None:
    _take_variant(page, here)
    at("ultimate", "ante trips", "check")(page, here)


def _lobby_by_own_rules(page: Page, here: Here) -> None:
    _take_variant(page, here)
    page_of("/", ".door .badge", ".door .badge")(page, here)


def _own_figures(page: Page, here: Here) -> None:
    """Play by figures that were typed, and open the page of rules again."""
    page_of("/rules/casino-stud", ".choices")(page, here)
    page.locator("textarea").fill("play.pays.flush = 6:1\nante.pays = 2:1")
    page.locator(".own button").click()
    page.wait_for_url("**/table/casino-stud")
    page_of("/rules/casino-stud", ".own table", ".own table")(page, here)


# Documents ---------------------------------------------------------------------------------------


def _history_filtered(page: Page, here: Here) -> None:
    played(page, here, 3)
    page_of("/history?game=blackjack&from=2023-11-01", ".rounds tbody tr")(page, here)


def _certificate(page: Page, here: Here) -> None:
    """Open the certificate of a round in the page."""
    sit(page, here)
    found = page.evaluate(ONE_ROUND, ["casino-stud", {"ante": 1000, "bonus": 500}, ["play"]])
    page_of(f"/certificate/{found}", "main[data-verdict]")(page, here)


def _each(name: str, steps: Steps, deck: str = "") -> Scene:
    return Scene(name, steps, deck, EACH)


LESSON_SCENES = (
    _each("lesson-blackjack", lesson("blackjack")),
    Scene("lesson-ultimate", lesson("ultimate", 2), ""),
    _each("lesson-pai-gow", lesson("pai-gow")),
    _each("lesson-pai-gow-wrong", lesson("pai-gow", right=False)),
    Scene("lesson-wrong", lesson("casino-stud", right=False), "", EACH, (phone("en"),)),
    Scene("lesson-right", lesson("casino-stud", 10, right=True), ""),
    Scene("lesson-what-a-bet-pays", lesson("casino-stud", 5, right=False), ""),
    _each("lesson-end", _lesson_ended),
)
POSITION_SCENES = (
    *(_each(f"position-{game}", position(game)) for game in POSITIONS if game != "ultimate"),
    Scene("position-ultimate", position("ultimate"), "", EACH, (phone("en"),)),
    Scene("position-by-own-rules", position("casino-stud", "&set=play.pays.flush=7:1"), ""),
    Scene("position-picture", _picture, "", PRINTED),
)
CARD_SCENES = (
    _each("strategy-card", card("casino-stud")),
    _each("strategy-card-chart", card("ultimate", chart=True)),
    Scene("strategy-card-chart-blackjack", card("blackjack", chart=True), ""),
    Scene(
        "strategy-card-lit",
        with_settings(
            '"card": "on", "coach": "always"', lit("casino-stud", FULL, ".rule-card li.now")
        ),
        sheets=EACH,
    ),
    Scene(
        "strategy-card-chart-lit",
        with_settings(
            '"card": "on", "card-blackjack": "chart"', lit("blackjack", "hand-1", ".chart td.now")
        ),
        "8s 8h  Td 9c",
        EACH,
    ),
    Scene("strategy-card-printed", _printed, "", PRINTED),
)
RULES_SCENES = (
    _each("own-rules", page_of("/rules/ultimate", ".choices")),
    _each("own-rules-figures", _own_figures),
    _each("own-rules-table", _table_by_own_rules),
    Scene("own-rules-lobby", _lobby_by_own_rules, ""),
)
DOCUMENT_SCENES = (
    _each("history-filtered", _history_filtered),
    _each("par-sheet-opened", page_of("/par/ultimate", ".way")),
    _each("strategy-opened", page_of("/strategy/blackjack", ".way")),
    _each("certificate-opened", _certificate),
)
