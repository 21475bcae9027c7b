"""Screenshot scenes of saved and offline pages, taller than a screen."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from playwright.sync_api import Page

from browser.pictures import Here

PAR_SHEET_HEIGHT, CERTIFICATE_HEIGHT = 2200, 2400


def _taller(page: Page, height: int) -> None:
    assert page.viewport_size is not None
    page.set_viewport_size({"width": page.viewport_size["width"], "height": height})


def par_sheet(page: Page, here: Here) -> None:
    """Show the par sheet of a game."""
    headers = {"Accept-Language": page.evaluate("navigator.language")}
    found = page.request.get(f"{here.url}/par/casino-stud.html", headers=headers)
    _taller(page, PAR_SHEET_HEIGHT)
    page.goto("about:blank")  # a saved page has no house's rules over it
    page.set_content(found.text())


def certificate(page: Page, here: Here) -> None:
    """Play a round with a real shuffle, and open its certificate from disk."""
    _open(page, _given(page, here))


def false_certificate(page: Page, here: Here) -> None:
    """Do the same with a certificate in which a payment was increased."""
    given = _given(page, here)
    _open(page, re.sub(r'"returned_cents":\d+', '"returned_cents":765400', given, count=1))


def _given(page: Page, here: Here) -> str:
    page.goto(f"{here.url}/table/ultimate")
    page.wait_for_selector("[data-phase=bet][data-ready]")
    page.click(".spot.ante")
    page.click(".spot.trips")
    page.click(".acts .primary")
    for option in (0, 0, 0):  # check, check, raise
        page.wait_for_selector("[data-phase=decide][data-ready]")
        page.locator(".acts .option:enabled").nth(option).click()
    page.wait_for_selector("[data-phase=settled][data-ready]")
    page.goto(f"{here.url}/history")
    address = page.locator(".rounds a").first.get_attribute("href") or ""
    language = page.evaluate("document.documentElement.lang")
    query = f"{address.rpartition('/')[2]}/certificate?language={language}"
    return page.request.get(f"{here.url}/rounds/{query}").text()


def _open(page: Page, written: str) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as file:
        file.write(written)
        file.flush()
        _taller(page, CERTIFICATE_HEIGHT)
        page.goto(Path(file.name).as_uri())
        page.wait_for_selector("main[data-verdict]")


def help_page(page: Page, here: Here) -> None:
    """Open the help of a table as a page."""
    page.goto(f"{here.url}/help/ultimate")
    page.wait_for_selector(".notices")


def offline(page: Page, here: Here) -> None:
    """Visit twice, so that the worker is installed, then go offline."""
    for _ in range(2):
        page.goto(f"{here.url}/table/casino-stud")
        page.wait_for_selector("[data-phase=bet][data-ready]")
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector(".offline .menu")
