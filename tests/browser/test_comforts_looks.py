"""Looks of the table: light theme, large cards, buttons at the left, vibration.

Each is chosen in the settings, applies at once and stays; a player who chooses none fetches none.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from playwright.sync_api import Page

from browser.conftest import Sit
from browser.seats import ROUNDS, Seat
from browser.sizing import ACTS, IN_VIEW
from browser.tables import GAMES, Language, axe
from browser.test_comforts import favourites, keep
from browser.test_sizes import PLACES, SOME, resize, roomy
from browser.turns import first_of
from tiers import long

pytestmark = long  # the first tier plays with the usual looks, and test_comforts.py

STUD = "casino-stud"
GROUND = "getComputedStyle(document.querySelector('.rail')).backgroundColor"
CARD = "document.querySelector('.zone.player .card').getBoundingClientRect().width"
LEFT = "document.querySelector('.acts .primary').getBoundingClientRect().left"


def until(page: Page, script: str, arg: object = None) -> None:
    """Wait until a script is true; `wait_for_function` needs `eval`, which the page forbids."""
    for _ in range(1_500):
        if page.evaluate(script, arg):
            return
        page.wait_for_timeout(20)
    raise AssertionError(script)


def looking(seat: Seat, looks: Mapping[str, str]) -> None:
    keep(seat.page, settings={"comforts": "on", "sound": "off", **looks})
    for name, sheet in {"theme": "light", "cards": "large-cards", "hand": "left-hand"}.items():
        if name in looks:
            link = f"link[href$='/{sheet}.css']"
            until(seat.page, "(link) => Boolean(document.querySelector(link)?.sheet)", link)


def choose(page: Page, name: str, value: str) -> None:
    """Choose a setting in its panel."""
    page.click("header nav .ico >> nth=-1")
    page.click("ul.menu [data-panel=settings] button")
    page.locator(f"[name={name}][value={value}]").check()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_a_player_who_chooses_nothing_fetches_nothing(sit: Sit) -> None:
    seat = sit(ROUNDS[STUD].deck, STUD)
    asked: list[str] = []
    seat.page.on("request", lambda request: asked.append(request.url))
    seat.page.reload()
    seat.wait("bet")
    rare = (
        *("comforts", "favourites", "light", "large-cards", "left-hand", "panels"),
        *("lesson", "position", "drill", "practice", "rules", "rule-card", "session", "again"),
    )
    assert [url for url in asked if any(part in url for part in rare)] == []


def test_looks_apply_at_once_and_stay(sit: Sit) -> None:
    seat = sit(ROUNDS[STUD].deck, STUD)
    page = seat.page
    seat.bet(ROUNDS[STUD].stakes)
    seat.deal()
    seat.take("play", "settled")
    for name, value, measure in (
        ("theme", "light", GROUND),
        ("cards", "large", CARD),
        ("hand", "left", LEFT),
    ):
        before = page.evaluate(measure)
        choose(page, name, value)
        until(page, f"(before) => {measure} !== before", before)
        after = page.evaluate(measure)
        page.reload()
        seat.wait("settled")
        until(page, f"(after) => {measure} === after", after)
        usual = {"theme": "dark", "cards": "normal", "hand": "right"}[name]
        choose(page, name, usual)
        until(page, f"(before) => {measure} === before", before)


def test_the_automatic_theme_follows_the_device(sit: Sit) -> None:
    seat = sit(ROUNDS[STUD].deck, STUD)
    seat.page.emulate_media(color_scheme="light")
    dark = seat.page.evaluate(GROUND)
    choose(seat.page, "theme", "auto")
    until(seat.page, f"(dark) => {GROUND} !== dark", dark)
    seat.page.emulate_media(color_scheme="dark")
    until(seat.page, f"(dark) => {GROUND} === dark", dark)


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("game", first_of(GAMES, STUD))
def test_every_phase_of_the_light_theme_passes_axe(
    sit: Sit, game: str, language: Language, width: int
) -> None:
    played = ROUNDS[game]
    seat = sit(played.deck, game, language, width)
    looking(seat, {"theme": "light"})
    favourites_of = [played.laid, {spot: 2 * cents for spot, cents in played.laid.items()}]
    keep(seat.page, favourites={game: favourites_of})
    found = axe(seat.page)
    for state in seat.play(played):
        found += [f"{state}: {fault}" for fault in axe(seat.page)]
    for name in ("help", "limits", "seeds", "settings", "shortcuts", "chips"):
        seat.press("header nav .ico >> nth=-1")
        seat.press(f"ul.menu button >> text={seat.say(f'panel.{name}')}")
        seat.page.wait_for_selector(f"dialog.{name}[open]")
        found += [f"{name}: {fault}" for fault in axe(seat.page)]
        seat.page.keyboard.press("Escape")
        seat.page.wait_for_selector("dialog", state="detached")
    assert found == []


@pytest.mark.parametrize("looks", [{"cards": "large"}, {"hand": "left"}], ids=["large", "left"])
@pytest.mark.parametrize("game", first_of(GAMES, "pai-gow"))
def test_cards_question_and_buttons_stay_in_view_with_these_looks(
    sit: Sit, game: str, looks: Mapping[str, str]
) -> None:
    seat = sit(ROUNDS[game].deck, game)
    looking(seat, looks)
    laid = ROUNDS[game].laid
    favourites_of = [{spot: times * cents for spot, cents in laid.items()} for times in (1, 2, 3)]
    favourites(seat, *favourites_of)
    found: dict[str, list[str]] = {}
    for state in seat.play(ROUNDS[game]):
        for size in SOME:
            resize(seat.page, size)
            for fault in seat.page.evaluate(IN_VIEW, not roomy(*size)):
                found.setdefault(fault, []).append(f"{state} {size[0]}x{size[1]}")
        resize(seat.page, (1280, 800))
    assert not found, "\n".join(f"{fault} [{'; '.join(at)}]" for fault, at in found.items())


@pytest.mark.parametrize("hand", ["right", "left"])
@pytest.mark.parametrize("game", first_of(GAMES, STUD))
def test_no_decision_lies_where_a_button_that_deals_lay(sit: Sit, game: str, hand: str) -> None:
    seat = sit(ROUNDS[game].deck, game)
    looking(seat, {"hand": hand} if hand == "left" else {})
    deals: dict[tuple[int, int], list[list[float]]] = {size: [] for size in PLACES}
    decisions: dict[tuple[int, int], list[list[float]]] = {size: [] for size in PLACES}
    for state in seat.play(ROUNDS[game]):
        deciding = state.startswith("decide")
        for size in PLACES:
            resize(seat.page, size)
            kind = ".option" if deciding else ":is(.primary, .again)"
            (decisions if deciding else deals)[size] += seat.page.evaluate(ACTS, kind)
        resize(seat.page, (1280, 800))
    both = [
        (size, one, other)
        for size in PLACES
        for one in decisions[size]
        for other in deals[size]
        if max(one[0], other[0]) < min(one[2], other[2])
        and max(one[1], other[1]) < min(one[3], other[3])
    ]
    assert both == []


def test_vibration_is_off_until_it_is_chosen(sit: Sit) -> None:
    seat = sit(ROUNDS[STUD].deck, STUD)
    page = seat.page
    page.evaluate("() => { navigator.vibrate = (pulse) => (window.felt ??= []).push(pulse); }")
    seat.bet(ROUNDS[STUD].stakes)
    seat.deal()
    assert page.evaluate("window.felt") is None
    choose(page, "vibration", "on")
    seat.take("play", "settled")
    until(page, "() => Boolean(window.felt?.length)")  # it is won
    seat.press(".acts .again")
    seat.wait("decide")
    until(page, "() => window.felt.length > 1")
