"""Taking a picture: a house of its own with a given deck, seeds and clock, and a coach."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page

from browser.tables import serving
from coach.present import Present
from houses import Clock, counting_entropy, make_house
from tapisvert.coach import drill

SIZES = {"fr": (1280, 800), "en": (360, 740)}
Steps = Callable[[Page, str], None]


def take(browser: Browser, folder: Path, language: str, name: str, deck: str, steps: Steps) -> str:
    """Take one picture in a house of its own."""
    width, height = SIZES[language]
    file = f"{name}-{language}.jpg"
    drill.CHANCE = Random(name)  # the same question every time
    with tempfile.TemporaryDirectory() as data:
        entropy = counting_entropy()
        house = make_house(Path(data) / "tapis.db", deck or None, entropy=entropy, clock=Clock())
        with serving(house, Present()) as url:
            context = browser.new_context(
                locale=f"{language}-CA",
                timezone_id="America/Montreal",
                viewport={"width": width, "height": height},
                reduced_motion="reduce",
                has_touch=width < 600,
            )
            page = context.new_page()
            page.clock.set_fixed_time(1_700_000_000)
            page.add_init_script("let n = 0; crypto.getRandomValues = (bytes) => bytes.fill(++n)")
            page.goto(f"{url}/errors")  # brings the fonts: a page uses them only if they are here
            page.evaluate("document.fonts.ready")
            steps(page, url)
            if "dealing" not in name and "reveal" not in name:
                page.wait_for_timeout(350)
            page.screenshot(path=folder / file, type="jpeg", quality=86)
            context.close()
    return file


def gallery(names: list[str]) -> str:
    """Return the page that shows them all."""
    lines = ["# Every page and phase", "", "Written by `make screenshots`.", ""]
    for name in names:
        title = name[3:].replace("-", " ").capitalize()
        lines += [f"## {title}", "", f"![{title}, French, desktop]({name}-fr.jpg)"]
        lines += [f"![{title}, English, phone]({name}-en.jpg)", ""]
    return "\n".join(lines)
