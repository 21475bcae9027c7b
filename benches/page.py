"""The chapters of docs/performance.md that bench programs write.

A chapter lies between two comments. Text outside them is written by hand and never changed here.

    <!-- load: written by make bench-load -->
    ...
    <!-- end -->
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

_CHAPTER = re.compile(
    r"^(<!-- (?P<name>[a-z]+): written by [^\n]* -->\n).*?^(<!-- end -->)$",
    re.MULTILINE | re.DOTALL,
)


def names(text: str) -> list[str]:
    """Return the names of the chapters of a page, in their order."""
    return [found["name"] for found in _CHAPTER.finditer(text)]


def require(path: Path, wanted: Iterable[str]) -> None:
    """End the program if the page lacks a chapter, or has it twice; call it before measuring."""
    present = names(path.read_text(encoding="utf-8")) if path.exists() else []
    for name in wanted:
        if present.count(name) != 1:
            raise SystemExit(f"{path} has {present.count(name)} chapters named {name}, not one")


def replaced(text: str, name: str, body: str) -> str:
    """Return the page with the body of one chapter replaced."""

    def chapter(found: re.Match[str]) -> str:
        if found["name"] != name:
            return found[0]
        return f"{found[1]}\n{body.strip()}\n\n{found[3]}"

    if names(text).count(name) != 1:
        raise ValueError(f"the page has no single chapter {name}")
    return _CHAPTER.sub(chapter, text)


def write(path: Path, name: str, table: str) -> None:
    """Replace one chapter of a file by this machine and a table."""
    text = path.read_text(encoding="utf-8")
    path.write_text(replaced(text, name, f"{machine()}\n\n{table}"), encoding="utf-8")


def machine() -> str:
    """Return the sentence that names the machine of a measurement."""
    system = f"{platform.system()} {platform.machine()}"
    return f"Machine: {os.cpu_count()} cores, {system}, Python {platform.python_version()}."


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], rule: str = "---") -> str:
    """Return a table in Markdown."""
    lines = [heads, [rule] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
