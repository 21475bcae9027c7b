"""The little HTML a par sheet is made of; every text is escaped here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

Row = Sequence[str]


def tag(name: str, text: str, **attributes: str) -> str:
    """Return an element with a text in it.

    >>> tag("p", "a < b", lang="en")
    '<p lang="en">a &lt; b</p>'
    """
    given = "".join(f' {key.rstrip("_")}="{escape(each)}"' for key, each in attributes.items())
    return f"<{name}{given}>{escape(text)}</{name}>"


def table(caption: str, heads: Row, rows: Iterable[Row], *, kind: str = "") -> str:
    """Return a table; the first cell of a row is its head, the others are figures."""
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
    """Return what may be wider than a small screen: it is scrolled there, with the keyboard too."""
    named = f'class="{escape(kind)}" role="group" aria-label="{escape(name)}"'
    return f'<div {named} tabindex="0">{content}</div>'


def section(title: str, *parts: str) -> str:
    """Return a section under its title."""
    return f"<section>{tag('h2', title)}{''.join(parts)}</section>"
