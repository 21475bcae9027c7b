"""Scenes of the comforts: favourite bets, chips, looks of the table, sorted cards."""

from __future__ import annotations

from playwright.sync_api import Page

from browser.pictures import EACH, Here, Scene, Steps, phone
from browser.scenes_learning import card, lesson, page_of, position, with_settings
from browser.scenes_practice import REVIEW_SCENES, answered
from browser.scenes_tables import BLACKJACK, at, sit
from browser.tables import open_panel
from houses import PLAYER_WINS

SEVEN = "9h Jk Qs 2c Kd Qd 8c  As 9c 9d 6h 5s 3d 3c"
KEPT = '{"casino-stud": [{"ante": 1000, "bonus": 500}, {"ante": 2500}, {"ante": 500}]}'


def _favourites(page: Page, here: Here) -> None:
    page.add_init_script(f"localStorage.setItem('favourites', '{KEPT}')")
    sit(page, here)
    page.locator(".favourites .favourite").first.click()


def _chips(page: Page, here: Here) -> None:
    """Open the panel of chips and favourite bets."""
    _favourites(page, here)
    open_panel(page, "chips")


def _undo(page: Page, here: Here) -> None:
    """Take a chip back."""
    sit(page, here)
    for _ in range(3):
        page.click(".spot.ante")
    page.keyboard.press("z")


def _sorted(page: Page, here: Here) -> None:
    """Sort the seven cards of Pai Gow by suit: dealt, by rank, by suit."""
    at("pai-gow", "main fortune")(page, here)
    for _ in range(2):
        page.locator(".acts .sort").click()


def _looking(name: str, steps: Steps, deck: str = "", **looks: str) -> Scene:
    """Return a scene with looks, by setting."""
    settings = ", ".join(f'"{key}": "{value}"' for key, value in looks.items())
    return Scene(name, with_settings(f'"comforts": "on", {settings}', steps), deck, EACH)


def _light(name: str, steps: Steps, deck: str = "") -> Scene:
    return _looking(f"light-{name}", steps, deck, theme="light")


_SESSION = next(scene for scene in REVIEW_SCENES if scene.name == "session-costliest")

COMFORT_SCENES = (
    Scene("favourites", with_settings('"comforts": "on"', _favourites), sheets=EACH),
    Scene("chips-and-favourites", with_settings('"comforts": "on"', _chips), sheets=EACH),
    Scene("undo", _undo),
    Scene("pai-gow-sorted-by-suit", _sorted, SEVEN, EACH),
    _looking("large-cards", at("blackjack", "hand-1 hand-2"), BLACKJACK, cards="large"),
    _looking("left-hand", at("casino-stud", "ante bonus"), PLAYER_WINS, hand="left"),
)
LIGHT_SCENES = (
    _light("lobby", page_of("/", ".door")),
    _light("table", at("blackjack", "hand-1"), BLACKJACK)._replace(alone=(phone("en"),)),
    _light("lesson", lesson("casino-stud", right=False)),
    _light("position", position("ultimate")),
    _light("strategy-card", card("ultimate", chart=True)),
    _light("practice", answered("casino-stud", right=False)),
    _light("session", _SESSION.steps),
)
