"""Screenshot scenes for learning: lessons, cards, positions, practice, looking back."""

from __future__ import annotations

from playwright.sync_api import Page

from browser.pictures import Here, Scene, Steps
from browser.playing import drilled
from browser.scenes_tables import at

POSITION = "/position/ultimate?player=KhQs&board=Qd8c3h"


def page_of(path: str, ready: str, press: str = "") -> Steps:
    """Return the steps to a page, and to what a press on it shows."""

    def steps(page: Page, here: Here) -> None:
        page.goto(f"{here.url}{path}")
        page.wait_for_selector(ready, timeout=60_000)
        if press:
            page.locator(press).first.click()
            page.wait_for_timeout(600)

    return steps


def with_settings(settings: str, steps: Steps) -> Steps:
    """Return steps in a browser with these settings."""

    def there(page: Page, here: Here) -> None:
        page.add_init_script(f"localStorage.setItem('settings', '{{{settings}}}')")
        steps(page, here)

    return there


def _lit(page: Page, here: Here) -> None:
    """Wait for the rule of the card that applies."""
    at("casino-stud", "ante bonus")(page, here)
    page.wait_for_selector(".rule-card li.now", timeout=60_000, state="attached")


def _session(page: Page, here: Here) -> None:
    """Fold kings, and look back at it."""
    at("casino-stud", "ante", "fold")(page, here)
    page.locator(".bar nav button").last.click()
    page.click("dialog .menu a[href='/session']")
    page.wait_for_selector("main.page h3", timeout=60_000)


LEARNING_SCENES = (
    Scene("lesson", page_of("/lesson/blackjack", ".lesson .acts"), ""),
    Scene("lesson-answered", page_of("/lesson/casino-stud", ".lesson", ".lesson .acts .act"), ""),
    Scene("strategy-card", page_of("/card/casino-stud", ".rule-card"), ""),
    Scene("strategy-card-chart", page_of("/card/ultimate", ".rule-card"), ""),
    Scene("strategy-card-lit", with_settings('"card": "on", "coach": "always"', _lit)),
    Scene("position", page_of(POSITION, "[data-valued]"), ""),
    Scene("drill-pai-gow", drilled("pai-gow"), ""),
    Scene("session", _session),
    Scene("own-rules", page_of("/rules/ultimate", ".choices"), ""),
    Scene(
        "light-theme",
        with_settings('"comforts": "on", "theme": "light"', at("blackjack", "hand-1")),
        "8s 8h 6d 5c Ah 9c  3s Td 2h 9d Kc 7d",
    ),
)
