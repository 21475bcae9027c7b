"""A minimal JavaScript scanner: separates string literals, templates and code."""

from __future__ import annotations

import re
from typing import NamedTuple

HOLE = "\0"  # marks an expression in a template

_QUOTED = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PATTERN = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_BEFORE_PATTERN = "(,=:[!&|?{};>"


class Text(NamedTuple):
    """A string literal, or a template with holes; `before` is the code before it."""

    before: str
    text: str
    tag: str = ""


def read(source: str) -> tuple[list[Text], str]:
    """Return every text of a module, nested ones included, and its code without texts."""
    found: list[Text] = []
    return found, _code(source, 0, found)[1]


def _code(source: str, start: int, found: list[Text]) -> tuple[int, str]:
    """Scan to the end, or to the brace that closes a hole; return the position and the code."""
    at, kept, depth = start, "", 0
    while at < len(source):
        if comment := _COMMENT.match(source, at):
            at = comment.end()
            continue
        end = at + 1
        if quoted := _QUOTED.match(source, at):
            found.append(Text(kept[-40:], quoted[0][1:-1]))
            end = quoted.end()
        elif source[at] == "/" and (kept.rstrip()[-1:] or ";") in _BEFORE_PATTERN:
            pattern = _PATTERN.match(source, at)
            end = pattern.end() if pattern else end
        elif source[at] == "`":
            end = _template(source, at + 1, kept[-40:], found)
        else:
            depth += {"{": 1, "}": -1}.get(source[at], 0)
            if depth < 0 and start:
                break
        kept, at = kept + source[at:end], end
    return at, kept


def _template(source: str, at: int, before: str, found: list[Text]) -> int:
    text = ""
    while source[at] != "`":
        if source.startswith("${", at):
            at, text = _code(source, at + 2, found)[0] + 1, text + HOLE
        else:
            size = 2 if source[at] == "\\" else 1
            text, at = text + source[at : at + size], at + size
    tag = re.search(r"\b(html|svg)$", before)
    found.append(Text(before, text, tag[1] if tag else ""))
    return at + 1
