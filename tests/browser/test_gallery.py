"""The page of all pictures: every scene has words, every file is there and shown."""

from __future__ import annotations

from pathlib import Path

from browser.gallery import CHAPTERS, captions, gallery

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
SCENES = [scene for chapter in CHAPTERS.values() for scene in chapter]


def test_every_scene_has_a_title_and_a_sentence() -> None:
    names = [scene.name for scene in SCENES]
    assert sorted(set(names)) == sorted(names)
    assert sorted(captions()) == sorted(names)
    short = [name for name, told in captions().items() if not told.partition(": ")[2].endswith(".")]
    assert short == []


def test_the_page_shows_every_file_of_the_folder() -> None:
    taken = {file for scene in SCENES for file in (*scene.files(), *scene.files_alone())}
    assert {file.name for file in FOLDER.glob("*.jpg")} == taken
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == gallery(CHAPTERS)
