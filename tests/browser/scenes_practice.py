"""Scenes of practice and of looking back at one's own rounds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from playwright.sync_api import Page

from browser.asking import until_advised
from browser.pictures import EACH, Here, Scene, Steps
from browser.playing import ONE_ROUND, SESSION, played
from browser.scenes_learning import page_of, with_settings
from browser.scenes_tables import at
from browser.tables import GAMES

ATTEMPTS_MAX = 12  # until an answer is wrong


def _question(page: Page, here: Here, game: str) -> None:
    """Open practice after some rounds."""
    played(page, here, 3)
    page.goto(f"{here.url}/drill/{game}")
    page.wait_for_selector(".drill[data-ready=asked]", timeout=60_000)


def question(game: str) -> Steps:
    return partial(_question, game=game)


def _answers(page: Page) -> Iterator[None]:
    """Answer questions, each by another option."""
    for attempt in range(ATTEMPTS_MAX):
        page.wait_for_selector(".drill[data-ready=asked]", timeout=60_000)
        cards = page.locator(".pickable")
        if cards.count():
            for place in ((0, 3), (5, 6), (1, 2))[attempt % 3]:
                cards.nth(place).click()
        options = page.locator(".acts .option:enabled")
        options.nth(options.count() - 1 if cards.count() else attempt % options.count()).click()
        page.wait_for_selector(".drill[data-ready=answered]")
        yield
        page.locator(".acts .primary").click()


def answered(game: str, *, right: bool) -> Steps:
    """Return the steps to a right or a costly answer."""

    def steps(page: Page, here: Here) -> None:
        _question(page, here, game)
        for _ in _answers(page):
            if page.locator(".felt .message").get_attribute("class") == (
                "message win" if right else "message told"
            ):
                return
        raise AssertionError(game)

    return steps


def _evening(page: Page, here: Here) -> str:
    """Play some rounds with mistakes, as one session; return the round of a folded pair."""
    played(page, here, 2)
    found: str = page.evaluate(ONE_ROUND, ["casino-stud", {"ante": 1000}, ["fold"]])
    page.evaluate(SESSION)
    return found


def _session(page: Page, here: Here, shown: str = "") -> None:
    _evening(page, here)
    page_of("/session", ".session[data-ready]", shown)(page, here)


def _again(page: Page, here: Here, answer: int | None = None) -> None:
    """Ask the question of the folded hand once more."""
    page_of(f"/again/{_evening(page, here)}/0", "[data-ready=asked]")(page, here)
    if answer is not None:
        page.locator(".acts .option").nth(answer).click()
        page.wait_for_selector("[data-ready=answered]")


def _after_fold(page: Page, here: Here) -> None:
    at("casino-stud", "ante bonus", "fold")(page, here)
    page.click("button.check")
    page.wait_for_selector("dialog .review td")


def _graded(page: Page, here: Here) -> None:
    """Fold a hand that should be played, with the coach."""
    at("casino-stud", "ante bonus")(page, here)
    until_advised(page)
    page.locator(".acts .option").nth(1).click()
    page.wait_for_selector("[data-phase=settled][data-ready]")
    page.wait_for_selector(".coach .grade", state="attached")


def _accuracy(page: Page, here: Here) -> None:
    _evening(page, here)
    page_of("/statistics", ".review .costly", ".review .costly")(page, here)


def _each(name: str, steps: Steps, deck: str = "") -> Scene:
    return Scene(name, steps, deck, EACH)


PRACTICE_SCENES = (
    *(_each(f"practice-{game}", question(game)) for game in GAMES),
    *(_each(f"practice-{game}-wrong", answered(game, right=False)) for game in GAMES),
    Scene("practice-right", answered("ultimate", right=True), ""),
)
REVIEW_SCENES = (
    Scene("coach-graded", with_settings('"coach": "always"', _graded), sheets=EACH),
    _each("session", _session),
    _each("session-costliest", partial(_session, shown=".costly")),
    _each("again", _again),
    _each("again-answered", partial(_again, answer=0)),
    Scene("after-a-fold", _after_fold, sheets=EACH),
    _each("statistics-accuracy", _accuracy),
)
