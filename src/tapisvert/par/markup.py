"""HTML helpers for par sheets; every text is escaped here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

Row = Sequence[str]
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def raised(power: int) -> str:
    """Return an exponent.

    >>> raised(-12)
    '⁻¹²'
    """
    return str(power).translate(_RAISED)


def tag(name: str, text: str, **attributes: str) -> str:
    """Return an element with escaped text.

    >>> tag("p", "a < b", lang="en")
    '<p lang="en">a &lt; b</p>'
    """
    given = "".join(f' {key.rstrip("_")}="{escape(each)}"' for key, each in attributes.items())
    return f"<{name}{given}>{escape(text)}</{name}>"


def table(caption: str, heads: Row, rows: Iterable[Row], *, kind: str = "") -> str:
    """Return a table; the first cell of each row is its header."""
    top = "".join(tag("th", head, scope="col") if head else "<td></td>" for head in heads)
    body = "".join(
        f"<tr>{tag('th', first, scope='row')}{''.join(tag('td', cell) for cell in rest)}</tr>"
        for first, *rest in rows
    )
    made = (
        f"<table>{tag('caption', caption)}<thead><tr>{top}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )
    return scrolled(kind, caption, made) if kind else made


def scrolled(kind: str, name: str, content: str) -> str:
    """Return a container that scrolls where its content is too wide, by keyboard too."""
    named = f'class="{escape(kind)}" role="group" aria-label="{escape(name)}"'
    return f'<div {named} tabindex="0">{content}</div>'


def section(title: str, *parts: str) -> str:
    """Return a section under its title."""
    return f"<section>{tag('h2', title)}{''.join(parts)}</section>"
