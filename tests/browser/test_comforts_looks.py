"""Looks of the table: light theme, large cards, buttons at the left, vibration.

Each is chosen in the settings, applies at once and stays; a player who chooses none fetches none.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from browser.conftest import Sit
from browser.seats import ROUNDS, Seat
from browser.tables import GAMES, Language, axe, choose_setting
from browser.test_comforts import favourites, keep
from browser.test_sizes import SOME, decisions_where_deals_lay, look
from browser.turns import first_of
from tiers import long

pytestmark = long  # the first tier plays with the usual looks, and test_comforts.py

STUD = "casino-stud"
GROUND = "getComputedStyle(document.querySelector('.rail')).backgroundColor"
CARD = "document.querySelector('.zone.player .card').getBoundingClientRect().width"
LEFT = "document.querySelector('.acts .primary').getBoundingClientRect().left"


def looking(seat: Seat, looks: Mapping[str, str]) -> None:
    keep(seat.page, settings={"comforts": "on", "sound": "off", **looks})
    for name, sheet in {"theme": "light", "cards": "large-cards", "hand": "left-hand"}.items():
        if name in looks:
            link = f"link[href$='/{sheet}.css']"
            loaded = "(link) => Boolean(document.querySelector(link)?.sheet)"
            seat.page.wait_for_function(loaded, arg=link)


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
        choose_setting(page, name, value)
        page.wait_for_function(f"(before) => {measure} !== before", arg=before)
        after = page.evaluate(measure)
        page.reload()
        seat.wait("settled")
        page.wait_for_function(f"(after) => {measure} === after", arg=after)
        usual = {"theme": "dark", "cards": "normal", "hand": "right"}[name]
        choose_setting(page, name, usual)
        page.wait_for_function(f"(before) => {measure} === before", arg=before)


def test_the_automatic_theme_follows_the_device(sit: Sit) -> None:
    seat = sit(ROUNDS[STUD].deck, STUD)
    seat.page.emulate_media(color_scheme="light")
    dark = seat.page.evaluate(GROUND)
    choose_setting(seat.page, "theme", "auto")
    seat.page.wait_for_function(f"(dark) => {GROUND} !== dark", arg=dark)
    seat.page.emulate_media(color_scheme="dark")
    seat.page.wait_for_function(f"(dark) => {GROUND} === dark", arg=dark)


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
        look(seat, state, SOME, found)
    assert not found, "\n".join(f"{fault} [{'; '.join(at)}]" for fault, at in found.items())


@pytest.mark.parametrize("hand", ["right", "left"])
@pytest.mark.parametrize("game", first_of(GAMES, STUD))
def test_no_decision_lies_where_a_button_that_deals_lay(sit: Sit, game: str, hand: str) -> None:
    seat = sit(ROUNDS[game].deck, game)
    looking(seat, {"hand": hand} if hand == "left" else {})
    assert decisions_where_deals_lay(seat, ":is(.primary, .again)") == []


def test_vibration_is_off_until_it_is_chosen(sit: Sit) -> None:
    seat = sit(ROUNDS[STUD].deck, STUD)
    page = seat.page
    page.evaluate("() => { navigator.vibrate = (pulse) => (window.felt ??= []).push(pulse); }")
    seat.bet(ROUNDS[STUD].stakes)
    seat.deal()
    assert page.evaluate("window.felt") is None
    choose_setting(page, "vibration", "on")
    seat.take("play", "settled")
    page.wait_for_function("() => Boolean(window.felt?.length)")  # it is won
    seat.press(".acts .again")
    seat.wait("decide")
    page.wait_for_function("() => window.felt.length > 1")
