"""The page that shows all pictures: chapters of scenes, each with a title and what is seen.

The words are in captions.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from browser.pictures import Scene
from browser.scenes_comforts import COMFORT_SCENES, LIGHT_SCENES
from browser.scenes_learning import (
    CARD_SCENES,
    DOCUMENT_SCENES,
    LESSON_SCENES,
    POSITION_SCENES,
    RULES_SCENES,
)
from browser.scenes_pages import COACH_SCENES, LOBBY_SCENES, PAGE_SCENES, PANEL_SCENES
from browser.scenes_practice import PRACTICE_SCENES, REVIEW_SCENES
from browser.scenes_states import POT_SCENES, STATE_SCENES
from browser.scenes_tables import (
    BLACKJACK_SCENES,
    FLUSH_SCENES,
    PAI_GOW_SCENES,
    STUD_SCENES,
    ULTIMATE_SCENES,
)

CHAPTERS: dict[str, tuple[Scene, ...]] = {
    "Lobby": LOBBY_SCENES,
    "Lessons": LESSON_SCENES,
    "Positions": POSITION_SCENES,
    "Strategy cards": CARD_SCENES,
    "Practice": PRACTICE_SCENES,
    "The coach": COACH_SCENES,
    "Looking back": REVIEW_SCENES,
    "My casino's rules": RULES_SCENES,
    "Comforts": COMFORT_SCENES,
    "Light theme": LIGHT_SCENES,
    "Fortune Pai Gow Poker": PAI_GOW_SCENES,
    "Casino Stud": STUD_SCENES,
    "High Card Flush": FLUSH_SCENES,
    "Blackjack Royal Poker": BLACKJACK_SCENES,
    "Ultimate Texas Hold'em": ULTIMATE_SCENES,
    "The jackpot": POT_SCENES,
    "What can happen": STATE_SCENES,
    "Panels": PANEL_SCENES,
    "Pages": PAGE_SCENES,
    "Documents": DOCUMENT_SCENES,
}
CAPTIONS = Path(__file__).with_name("captions.toml")
HEAD = """# Pictures of every page

The pages of Tapis Vert in French and English, in four windows: a desk (1280 x 800), a tablet
(820 x 1180), a phone (360 x 740) and a phone on its side (844 x 390). A file shows the windows
side by side, reduced. Where one file is for both languages, the desk and the phone on its side
are in French, the tablet and the upright phone in English. Deck, seeds and clock are fixed.

`make screenshots` takes the pictures again. [Mended tables](mended/README.md) shows some tables
before and after.
"""


@cache
def captions() -> dict[str, str]:
    """Return a title and what is seen, by scene: `Title: what is seen`."""
    return tomllib.loads(CAPTIONS.read_text(encoding="utf-8"))


def gallery(chapters: Mapping[str, Sequence[Scene]]) -> str:
    """Return the page that shows all pictures."""
    lines = [HEAD]
    lines += [f"- [{name}](#{_anchor(name)})" for name in chapters]
    for name, scenes in chapters.items():
        lines += ["", f"## {name}"]
        for scene in scenes:
            title, _, seen = captions()[scene.name].partition(": ")
            lines += ["", f"### {title}", "", seen[:1].upper() + seen[1:], ""]
            lines += [f"![{title}{_language(file)}]({file})" for file in scene.files()]
    return "\n".join([*lines, ""])


def _anchor(name: str) -> str:
    """Return the anchor of a heading, as GitHub writes it."""
    return "".join(c for c in name.lower().replace(" ", "-") if c.isalnum() or c == "-")


def _language(file: str) -> str:
    """Return the language of a sheet that is in one language."""
    return {"-fr.jpg": ", in French", "-en.jpg": ", in English"}.get(file[-7:], "")
