"""The pictures of every page and phase, in every size and both languages (`make screenshots`).

    python tests/browser/screenshots.py docs/screenshots [part of a name ...]

Decks, seeds and clocks are fixed, so that a picture changes only with the appearance.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from os import cpu_count
from pathlib import Path

from playwright.sync_api import sync_playwright

from browser.gallery import CHAPTERS, gallery
from browser.pictures import take
from browser.tables import CHROMIUM_ARGS, chromium


def _take_all(folder: Path, names: list[str]) -> None:
    """Take the scenes of these names with one browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_ARGS))
        for scenes in CHAPTERS.values():
            for scene in scenes:
                if scene.name in names:
                    for file in take(browser, folder, scene):
                        print(file, flush=True)
        browser.close()


def main() -> None:
    """Take all pictures, or those whose names contain one of the parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "parts", nargs="*", default=[""], help="parts of names; all pictures if none"
    )
    asked = parser.parse_args()
    scenes = [scene.name for chapter in CHAPTERS.values() for scene in chapter]
    names = [name for name in scenes if any(part in name for part in asked.parts)]
    if not names:
        parser.error(f"no picture has {' or '.join(asked.parts)} in its name")
    asked.folder.mkdir(parents=True, exist_ok=True)
    workers = min(cpu_count() or 1, len(names))
    with ProcessPoolExecutor(workers) as pool:
        shares = [names[at::workers] for at in range(workers)]
        list(pool.map(partial(_take_all, asked.folder), shares))
    (asked.folder / "README.md").write_text(gallery(CHAPTERS), encoding="utf-8")


if __name__ == "__main__":
    main()
