"""Writes the pictures of a par sheet in docs/pictures: `make par-pictures`.

The workbook is printed by LibreOffice and drawn by pdftoppm; the bankroll chapter of the page is
taken by Chromium. All three must be installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from openpyxl import load_workbook
from playwright.sync_api import sync_playwright

import tapisvert
from browser.tables import CHROMIUM_ARGS, CHROMIUM_NAMES
from tapisvert.words import LANGUAGES, catalogue

GAME = "casino-stud"
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
DPI = 130
# What is cut from the printed page of a worksheet: left, top, width, height.
CUTS = {"main": (50, 72, 1410, 740), "skill": (50, 72, 1410, 370), "bankroll": (50, 72, 1410, 550)}
WIDTH = 1000


def print_workbook(proof: tapisvert.Proof, language: str, folder: Path) -> None:
    """Print the workbook and cut a picture out of three of its pages, one page a worksheet."""
    book = folder / f"{GAME}.xlsx"
    book.write_bytes(proof.workbook(language))
    names = load_workbook(book).sheetnames
    asked = {"main": "main optimal", "skill": "skill and caps", "bankroll": "bankroll optimal"}
    convert = ("soffice", "--headless", "--convert-to", "pdf", "--outdir", str(folder), str(book))
    subprocess.run(convert, check=True, stdout=subprocess.DEVNULL)
    for name, worksheet in asked.items():
        number = str(names.index(worksheet) + 1)
        left, top, width, height = map(str, CUTS[name])
        target = PICTURES / f"workbook-{name}-{language}"
        cut = ("-x", left, "-y", top, "-W", width, "-H", height)
        pages = ("-r", str(DPI), "-f", number, "-l", number, "-singlefile", "-png")
        subprocess.run(
            ["pdftoppm", *pages, *cut, str(book.with_suffix(".pdf")), str(target)], check=True
        )


def take_chapter(proof: tapisvert.Proof, language: str, folder: Path, chromium: str) -> None:
    """Take a picture of the bankroll chapter of the page."""
    title = catalogue(language).write("par.bankroll")
    page = proof.page(language)
    (chapter,) = re.findall(rf"<section><h2>{re.escape(title)}</h2>.*?</section>", page)
    top, _, _ = page.partition("<main>")
    alone = folder / f"{language}.html"
    alone.write_text(f"{top}<main>{chapter}</main></body></html>", encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_ARGS))
        shown = browser.new_page(viewport={"width": WIDTH, "height": 600})
        shown.goto(alone.as_uri())
        shown.screenshot(path=PICTURES / f"par-bankroll-{language}.png", full_page=True)
        browser.close()


def main() -> int:
    """Write the pictures in every language."""
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if not (chromium and shutil.which("soffice") and shutil.which("pdftoppm")):
        print("LibreOffice (soffice), pdftoppm and Chromium are needed.", file=sys.stderr)
        return 1
    proof = tapisvert.prove(GAME)
    for language in LANGUAGES:
        with TemporaryDirectory() as folder:
            print_workbook(proof, language, Path(folder))
            take_chapter(proof, language, Path(folder), chromium)
    return 0


if __name__ == "__main__":
    sys.exit(main())
