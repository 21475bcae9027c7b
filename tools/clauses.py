"""Writes docs/clauses.md: each clause of the rules, with the lines and tests that cite it.

    python tools/clauses.py

An auditor reads it beside the rules. `tapisvert.testing.clauses` defines a citation.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tapisvert.games.game import Game
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.testing.clauses import clauses_of, in_scripts, in_tests

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "clauses.md"


def rows(game: Game) -> Iterator[str]:
    """Yield a row of the table for each clause of a game."""
    written = (ROOT / "docs" / "rules" / f"{game.id}.md").read_text(encoding="utf-8")
    scripts, tests = in_scripts(game), in_tests(game, ROOT / "tests" / "games")
    for number, text in clauses_of(written, game.clauses).items():
        beginning = text if len(text) <= 60 else f"{text[:60].rsplit(' ', 1)[0]} ..."
        where = ", ".join(f"`{place}`" for place in scripts.get(number, ())) or "the table itself"
        tried = ", ".join(f"`{name}`" for name in tests.get(number, ()))
        clause = f"**{game.clauses}.{number}** {beginning.replace('|', ' ')}"
        yield f"| {clause} | {where} | {tried} |"


def page() -> str:
    """Return the whole page."""
    lines = [
        "# Every clause: where it is heeded, which tests try it",
        "",
        "Written by `make clauses`; a test says when it is out of date, or a clause has no test.",
    ]
    for name in SHIPPED:
        lines += ["", f"## [{name}](rules/{name}.md)", ""]
        lines += ["| clause | script | tests |", "|---|---|---|", *rows(GAMES[name])]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
