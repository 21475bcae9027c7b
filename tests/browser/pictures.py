"""Takes the pictures of a scene in new houses with fixed deck, seeds and clock, and a coach.

A scene is shown on sheets. A sheet is one file with the scene in several looks side by side.
"""

from __future__ import annotations

import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

from playwright.sync_api import Browser, Page

from browser.served import serving
from browser.tables import Language
from coach.present import Present
from houses import PLAYER_WINS, Clock, counting_entropy, make_house
from tapisvert.rounds import PlayerService

MOVING = ("dealing", "reveal")  # taken during the animation
QUALITY, SCALE = 64, 0.7  # of a sheet; its pictures are reduced


class Here(NamedTuple):
    """The setting of a picture: URL, house and clock."""

    url: str
    house: PlayerService
    clock: Clock


class Look(NamedTuple):
    """A language and a window."""

    language: Language
    width: int
    height: int
    touch: bool = True


def desk(language: Language) -> Look:
    return Look(language, 1280, 800, touch=False)


def tablet(language: Language) -> Look:
    return Look(language, 820, 1180)


def phone(language: Language) -> Look:
    return Look(language, 360, 740)


def landscape(language: Language) -> Look:
    return Look(language, 844, 390)


def page_of_paper(language: Language) -> Look:
    return Look(language, 794, 1123, touch=False)  # A4 at 96 pixels an inch


Sheet = tuple[tuple[Look, ...], ...]  # columns of looks
Sheets = Mapping[str, Sheet]  # by the last part of the file's name
# Every size once, and both languages.
BOTH: Sheets = {"": ((desk("fr"), landscape("fr")), (tablet("en"),), (phone("en"),))}
# Every size in every language.
EACH: Sheets = {
    "-fr": ((desk("fr"), landscape("fr")), (tablet("fr"),), (phone("fr"),)),
    "-en": ((desk("en"), landscape("en")), (tablet("en"),), (phone("en"),)),
}
TALL: Sheets = {"": ((desk("fr"),), (phone("en"),))}  # the steps make the window taller
PRINTED: Sheets = {"": ((page_of_paper("fr"),), (page_of_paper("en"),))}

Steps = Callable[[Page, Here], None]


class Scene(NamedTuple):
    """What is shown: its name, its steps, and the first cards of every deck (shuffled if empty).

    The pictures of `alone` are also files of their own, at full size: other pages show them.
    """

    name: str
    steps: Steps
    deck: str = PLAYER_WINS
    sheets: Sheets = BOTH
    alone: tuple[Look, ...] = ()

    def files(self) -> list[str]:
        """Return the names of the sheets."""
        return [f"{self.name}{end}.jpg" for end in self.sheets]

    def files_alone(self) -> list[str]:
        return [self.file_alone(look) for look in self.alone]

    def file_alone(self, look: Look) -> str:
        return f"{self.name}-alone-{look.language}.jpg"


def take(browser: Browser, folder: Path, scene: Scene) -> Iterator[str]:
    """Take the sheets of a scene; yield the names of the files."""
    for file, sheet in zip(scene.files(), scene.sheets.values(), strict=True):
        columns = [[_taken(browser, folder, scene, look) for look in column] for column in sheet]
        _compose(browser, folder / file, columns)
        yield file


def _taken(browser: Browser, folder: Path, scene: Scene, look: Look) -> bytes:
    """Take one picture in a new house."""
    with tempfile.TemporaryDirectory() as data:
        clock, path = Clock(), Path(data) / "tapis.db"
        house = make_house(path, scene.deck or None, entropy=counting_entropy(), clock=clock)
        with serving(house, Present(), chance=Random(scene.name)) as url:
            context = browser.new_context(
                locale=f"{look.language}-CA",
                timezone_id="America/Montreal",
                viewport={"width": look.width, "height": look.height},
                reduced_motion="reduce",
                has_touch=look.touch,
                is_mobile=look.touch,
            )
            page = context.new_page()
            page.clock.set_fixed_time(1_700_000_000)
            page.add_init_script("let n = 0; crypto.getRandomValues = (bytes) => bytes.fill(++n)")
            page.goto(f"{url}/errors")  # loads the fonts into the cache
            page.evaluate("document.fonts.ready")
            scene.steps(page, Here(url, house, clock))
            if not scene.name.endswith(MOVING):
                page.wait_for_timeout(350)
            found = page.screenshot()
            if look in scene.alone:
                page.screenshot(path=folder / scene.file_alone(look), type="jpeg", quality=80)
            context.close()
    return found


STYLE = """body { margin: 0; background: #d8d8d4 }
main { display: inline-flex; gap: 16px; padding: 16px; align-items: flex-start }
section { display: grid; gap: 16px; justify-items: start } img { display: block }"""


def _compose(browser: Browser, file: Path, columns: list[list[bytes]]) -> None:
    """Write pictures side by side into one file."""
    context = browser.new_context(
        viewport={"width": 3200, "height": 600}, device_scale_factor=SCALE
    )
    page = context.new_page()
    shown = "</section><section>".join(
        "".join(f'<img src="data:image/png;base64,{b64encode(png).decode()}">' for png in column)
        for column in columns
    )
    page.set_content(f"<style>{STYLE}</style><main><section>{shown}</section></main>")
    page.evaluate("Promise.all([...document.images].map((image) => image.decode()))")
    page.locator("main").screenshot(path=file, type="jpeg", quality=QUALITY)
    context.close()
