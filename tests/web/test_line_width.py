"""Lines of style sheets and scripts are no wider than lines of Python."""

from __future__ import annotations

import re
from pathlib import Path

import tapisvert

SOURCE = Path(tapisvert.__file__).parent
WIDTH_MAX = 100


def too_wide(source: str) -> list[int]:
    """Return the numbers of the lines that are too long."""
    return [n for n, line in enumerate(source.splitlines(), 1) if len(line) > WIDTH_MAX]


def styles_and_scripts() -> dict[str, str]:
    """Return every style sheet and script of the project, those in the verifier included."""
    ours = [
        path
        for path in SOURCE.rglob("*")
        if path.suffix in (".css", ".js") and "vendor" not in path.parts
    ]
    found = {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in ours}
    page = (SOURCE / "web/static/verifier.html").read_text("utf-8")
    for tag in ("style", "script"):
        [found[f"verifier.html, {tag}"]] = re.findall(
            rf"<{tag}[^>]*>(.*?)</{tag}>", page, re.DOTALL
        )
    return found


def test_no_line_of_a_style_or_a_script_is_wider_than_a_line_of_python() -> None:
    sources = styles_and_scripts()
    wanted = {"web/static/app.css", "games/pai_gow/settle.js", "web/certificate/page.js"}
    assert wanted < set(sources)
    assert {name: lines for name, source in sources.items() if (lines := too_wide(source))} == {}
    assert too_wide(f"a\n{'b' * 101}\n{'é' * 100}\n") == [2]
