"""Pictures of every page and phase, French on a desk and English on a phone (`make screenshots`).

    python tests/browser/screenshots.py docs/screenshots [part of a name]

Decks, seeds and clocks are fixed, so that a picture changes only with the appearance.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from browser.pictures import SIZES, Scene, gallery, take
from browser.scenes_learning import LEARNING_SCENES
from browser.scenes_pages import COACH_SCENES, LOBBY_SCENES, PAGE_SCENES, PANEL_SCENES
from browser.scenes_states import POT_SCENES, STATE_SCENES
from browser.scenes_tables import (
    BLACKJACK_SCENES,
    FLUSH_SCENES,
    PAI_GOW_SCENES,
    STUD_SCENES,
    ULTIMATE_SCENES,
)
from browser.tables import CHROMIUM_ARGS, chromium

CHAPTERS: dict[str, tuple[Scene, ...]] = {
    "Lobby": LOBBY_SCENES,
    "Fortune Pai Gow Poker": PAI_GOW_SCENES,
    "Casino Stud": STUD_SCENES,
    "High Card Flush": FLUSH_SCENES,
    "Blackjack Royal Poker": BLACKJACK_SCENES,
    "Ultimate Texas Hold'em": ULTIMATE_SCENES,
    "The jackpot": POT_SCENES,
    "The coach": COACH_SCENES,
    "Learning": LEARNING_SCENES,
    "What can happen": STATE_SCENES,
    "Panels": PANEL_SCENES,
    "Pages": PAGE_SCENES,
}


def main(folder: Path, only: str = "") -> None:
    """Take all pictures, or those whose name contains `only`."""
    folder.mkdir(parents=True, exist_ok=True)
    scenes = [scene for chapter in CHAPTERS.values() for scene in chapter if only in scene.name]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_ARGS))
        for scene in scenes:
            for language in SIZES:
                print(take(browser, folder, language, scene), flush=True)
        browser.close()
    (folder / "README.md").write_text(gallery(CHAPTERS), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
