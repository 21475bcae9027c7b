"""Takes a screenshot in a new house with fixed deck, seeds and clock, and a coach."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from playwright.sync_api import Browser, Page

from browser.served import serving
from coach.present import Present
from houses import PLAYER_WINS, Clock, counting_entropy, make_house
from tapisvert.rounds import PlayerService

MOVING = ("dealing", "reveal")  # taken during the animation
SIZES = {"fr": (1280, 800), "en": (360, 740)}


class Here(NamedTuple):
    """The setting of a screenshot: URL, house and clock."""

    url: str
    house: PlayerService
    clock: Clock


Steps = Callable[[Page, Here], None]


class Scene(NamedTuple):
    """A screenshot: its name, its steps, and the first cards of every deck (shuffled if empty)."""

    name: str
    steps: Steps
    deck: str = PLAYER_WINS


def take(browser: Browser, folder: Path, language: str, scene: Scene) -> str:
    """Take one screenshot in a new house."""
    width, height = SIZES[language]
    file = f"{scene.name}-{language}.jpg"
    with tempfile.TemporaryDirectory() as data:
        clock, path = Clock(), Path(data) / "tapis.db"
        house = make_house(path, scene.deck or None, entropy=counting_entropy(), clock=clock)
        with serving(house, Present(), chance=Random(scene.name)) as url:
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
            page.goto(f"{url}/errors")  # loads the fonts into the cache
            page.evaluate("document.fonts.ready")
            scene.steps(page, Here(url, house, clock))
            if not scene.name.endswith(MOVING):
                page.wait_for_timeout(350)
            page.screenshot(path=folder / file, type="jpeg", quality=86)
            context.close()
    return file


def gallery(chapters: Mapping[str, Sequence[Scene]]) -> str:
    """Return the page that shows all screenshots."""
    lines = ["# Every page and phase", "", "Written by `make screenshots`.", ""]
    for chapter, scenes in chapters.items():
        lines += [f"## {chapter}", ""]
        for scene in scenes:
            title = scene.name.replace("-", " ").capitalize()
            lines += [f"### {title}", "", f"![{title}, French, desktop]({scene.name}-fr.jpg)"]
            lines += [f"![{title}, English, phone]({scene.name}-en.jpg)", ""]
    return "\n".join(lines)
