"""Every page beside the tables: axe and nothing cut, in both themes and in every window.

The dark theme at a desk and on an upright phone is tested with each page; here are the light theme
there, and both themes on a tablet and on a phone on its side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from browser.asking import LOOK, TWO_FRAMES
from browser.coaching import LAID
from browser.conftest import Visiting
from browser.playing import fold_kings
from browser.served import Served
from browser.tables import Language, axe
from browser.turns import first_of
from coach.present import Present
from tiers import long

DESK, PHONE, TABLET, LANDSCAPE = (1280, 800), (360, 740), (820, 1180), (844, 390)
WINDOWS = {"light": (DESK, PHONE, TABLET, LANDSCAPE), "dark": (TABLET, LANDSCAPE)}
# Pages of a game, and pages of a player: their paths, and what is there once they are complete.
OF_A_GAME = {
    "lesson": ("/lesson/{game}", ".lesson[data-ready=asked]"),
    "position": ("/position/{game}?{laid}", ".worth[data-valued]"),
    "card": ("/card/{game}", ".rule-card li"),
    "drill": ("/drill/{game}", ".drill[data-ready=asked]"),
    "rules": ("/rules/{game}", ".choices"),
    "par": ("/par/{game}", "main table"),
    "strategy": ("/strategy/{game}", "main table, main svg"),
}
OF_A_PLAYER = {
    "session": ("/session", ".session[data-ready]"),
    "again": ("/again/{round}/0", ".again[data-ready], .acts .option"),
    "statistics": ("/statistics", ".curve"),
    "history": ("/history", "tbody tr"),
    "certificate": ("/certificate/{round}", "main"),
}
LOOKS = """(theme) => {
  localStorage.setItem('settings', JSON.stringify({ theme, comforts: 'on', sound: 'off' }));
  document.cookie = `tapis_theme=${theme}; path=/`;
}"""
WIDE = "document.scrollingElement.scrollWidth - innerWidth"


@pytest.fixture
def guest(known_tables: Served, visit: Visiting) -> Callable[..., tuple[Page, str]]:
    """Return a page of a guest with a theme; he has folded a pair of kings."""

    def start(language: Language, theme: str) -> tuple[Page, str]:
        known_tables.coach = Present()
        known_tables.chance.seed(1)
        made = visit(known_tables.url, language=language)
        folded = fold_kings(made)
        made.page.evaluate(LOOKS, theme)
        return made.page, folded

    return start


def faults(page: Page, url: str, paths: Mapping[str, tuple[str, str]], **at: str) -> list[str]:
    """Look at each page in the windows of its theme; return what is wrong, with its place."""
    found = []
    theme = at["theme"]
    for name, (path, complete) in paths.items():
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"{url}{path.format(**at)}")
        page.wait_for_selector(complete)
        for width, height in WINDOWS[theme]:
            page.set_viewport_size({"width": width, "height": height})
            seen = axe(page)
            if page.locator("#app").count():  # a document has its own probes: test_par.py
                seen += page.evaluate(LOOK, False)
            if page.evaluate(WIDE) > 0:
                seen.append("wider than the window")
            found += [f"{name} {theme} {width}x{height}: {fault}" for fault in seen]
    return found


@pytest.mark.parametrize("theme", WINDOWS)
@pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(*case, marks=long)
        for case in ((game, language) for game in LAID for language in ("fr", "en"))
    ],
)
def test_the_pages_of_every_game_fit_in_both_themes(
    guest: Any, known_tables: Served, game: str, language: Language, theme: str
) -> None:
    page, folded = guest(language, theme)
    at = {"game": game, "laid": LAID[game], "round": folded, "theme": theme}
    assert faults(page, known_tables.url, OF_A_GAME, **at) == []


@pytest.mark.parametrize(
    ("theme", "language"),
    first_of(
        [(theme, language) for theme in WINDOWS for language in ("fr", "en")], ("light", "fr")
    ),
)
def test_the_pages_of_a_player_fit_in_both_themes(
    guest: Any, known_tables: Served, language: Language, theme: str
) -> None:
    page, folded = guest(language, theme)
    assert faults(page, known_tables.url, OF_A_PLAYER, round=folded, theme=theme) == []


def test_the_history_is_never_seen_without_its_style(guest: Any, known_tables: Served) -> None:
    page, _ = guest("en", "dark")
    held: list[Route] = []
    page.route("**/css/history.css", lambda route: held.append(route))
    with page.expect_response("**/api/v1/rounds?*"):
        page.goto(f"{known_tables.url}/history", wait_until="commit")
    page.evaluate(TWO_FRAMES)
    assert page.get_attribute("main", "aria-busy") == "true"
    held[0].continue_()
    expect(page.locator("tbody tr")).to_be_visible()
