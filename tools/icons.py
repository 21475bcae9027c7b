"""Renders the icons of the installed app from the SVG icon, in Chromium (`make icons`).

The maskable icon fills its square; its sign stays inside the circle a system may cut out.
"""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import sync_playwright

from browser.tables import CHROMIUM_ARGS, chromium

STATIC = Path(__file__).parents[1] / "src" / "tapisvert" / "web" / "static"
ICONS = {
    "icon-192.png": (192, False),
    "icon-512.png": (512, False),
    "icon-maskable.png": (512, True),
}


def drawing(source: str, *, maskable: bool) -> str:
    """Return the SVG unchanged; or, if maskable, smaller on a full square."""
    if not maskable:
        return source
    square = re.sub(r' rx="\d+"', "", source)
    return re.sub(
        r"(<path.*?/>)", r'<g transform="translate(5.600 5.600) scale(.65)">\1</g>', square
    )


def main() -> None:
    """Render all icons."""
    source = (STATIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_ARGS))
        for name, (size, maskable) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            svg = drawing(source, maskable=maskable).replace(
                "<svg", "<svg style='display:block'", 1
            )
            page.set_content(f"<body style='margin:0'>{svg}")
            page.screenshot(path=STATIC / name, omit_background=True)
            print(name, (STATIC / name).stat().st_size)
        browser.close()


if __name__ == "__main__":
    main()
