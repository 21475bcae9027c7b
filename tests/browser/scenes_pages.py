"""Screenshot scenes of pages, panels and the coach."""

from __future__ import annotations

from playwright.sync_api import Page

from browser import kept_pages
from browser.asking import until_advised
from browser.pictures import TALL, Here, Scene, Steps, desk, phone
from browser.playing import by_game, statistics
from browser.scenes_tables import BLACKJACK, PAI_GOW, at, sit
from browser.tables import open_panel

DECIDE, WON = at("casino-stud", "ante bonus"), at("casino-stud", "ante bonus", "play")


def opened(name: str) -> Steps:
    def steps(page: Page, here: Here) -> None:
        sit(page, here)
        open_panel(page, name)

    return steps


def _lobby(page: Page, here: Here) -> None:
    page.goto(here.url)
    page.wait_for_selector(".door")


def _waiting(page: Page, here: Here) -> None:
    """Leave a round open, after a finished one."""
    WON(page, here)
    page.keyboard.press("r")
    page.wait_for_selector("[data-phase=bet][data-ready]")
    page.click(".acts .primary")
    page.wait_for_selector("[data-phase=decide][data-ready]")
    page.goto(here.url)
    page.wait_for_selector(".rounds")


def _amount(page: Page, here: Here) -> None:
    sit(page, here)
    page.click(".chip.other")
    page.wait_for_selector("dialog.amount")


def _history(page: Page, here: Here) -> None:
    WON(page, here)
    page.goto(f"{here.url}/history")
    page.wait_for_selector(".rounds")


def _replay(page: Page, here: Here) -> None:
    _history(page, here)
    page.locator(".rounds a").first.click()
    page.wait_for_selector(".story")
    for _ in range(7):
        page.keyboard.press("ArrowLeft")


def _what_if(page: Page, here: Here) -> None:
    """Open the what-if of folding a played hand."""
    _history(page, here)
    page.locator(".rounds a").first.click()
    page.wait_for_selector(".what-if tbody tr.best", timeout=60_000)
    page.locator(".what-if td .act").first.click()
    page.wait_for_selector(".what-if .verdict")
    page.locator(".what-if").scroll_into_view_if_needed()


def _fair(page: Page, here: Here) -> None:
    _history(page, here)
    page.locator(".rounds a").nth(1).click()
    page.wait_for_selector(".checks")


def coached(mode: str, steps: Steps) -> Steps:
    def there(page: Page, here: Here) -> None:
        page.add_init_script(f"localStorage.setItem('settings', '{{\"coach\": \"{mode}\"}}')")
        steps(page, here)
        until_advised(page)

    return there


def _hold_back(page: Page, here: Here) -> None:
    """Fold kings, which opens the warning."""
    coached("warn", DECIDE)(page, here)
    page.locator(".acts .option").nth(1).click()
    page.wait_for_selector("dialog.costly")


def _listen(page: Page, here: Here) -> None:
    """Open the coach's values of every set."""
    coached("always", at("pai-gow", "main"))(page, here)
    open_panel(page, "coach")
    page.wait_for_selector("dialog.coach tbody tr")


LOBBY_SCENES = (Scene("lobby", _lobby), Scene("lobby-with-an-open-round", _waiting))
PANEL_SCENES = (
    *(Scene(name, opened(name)) for name in ("menu", "help", "limits")),
    *(Scene(name, opened(name)) for name in ("seeds", "settings", "shortcuts")),
    Scene("amount", _amount),
)
COACH_SCENES = (
    Scene("coach-stud", coached("always", DECIDE)),
    Scene("coach-costly", _hold_back),
    Scene("coach-pai-gow", _listen, PAI_GOW),
    Scene("coach-blackjack", coached("always", at("blackjack", "hand-1")), BLACKJACK),
    Scene("what-if", _what_if),
)
PAGE_SCENES = (
    Scene("history", _history),
    Scene("replay", _replay),
    Scene("fairness", _fair, "", alone=(phone("en"),)),
    Scene("statistics", statistics, ""),
    Scene("statistics-by-game", by_game, ""),
    Scene("help-page", kept_pages.help_page),
    Scene("offline", kept_pages.offline),
    Scene("par-sheet", kept_pages.par_sheet, "", TALL, (desk("fr"), phone("en"))),
    Scene("certificate", kept_pages.certificate, "", TALL, (desk("fr"),)),
    Scene("certificate-false", kept_pages.false_certificate, "", TALL),
)
