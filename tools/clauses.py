"""Write docs/clauses.md: each clause of the rules, where its script heeds it, which tests try it.

    python tools/clauses.py

An auditor walks it with the rule sheet in hand. A test cites a clause in its name
(`test_stud_8_and_9_...`) or in its text (`stud.8`).
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

from tapisvert.games.registry import GAMES, SHIPPED

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "clauses.md"
RULES = {game.clauses: game.id for game in (GAMES[name] for name in SHIPPED)}
_NAMES = "|".join(RULES)
_CITED = re.compile(rf"\b({_NAMES})\.(\d+)")
_IN_NAME = re.compile(rf"^test_({_NAMES})((?:_(?:and|before)?_?\d+)+)_")

Places = dict[tuple[str, int], list[str]]


def clauses() -> dict[tuple[str, int], str]:
    """Return every clause of the rules pages with how it begins."""
    found = {}
    for short, game in RULES.items():
        page = (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
        for number, text in re.findall(rf"^\*\*{short}\.(\d+)\*\* (.+)$", page, re.MULTILINE):
            found[short, int(number)] = text
    return found


def in_scripts() -> Places:
    """Return the lines of the scripts that cite each clause."""
    found: Places = defaultdict(list)
    games = ROOT / "src" / "tapisvert" / "games"
    for path in sorted((*games.glob("*/script*.py"), *games.glob("*/house_way.py"))):
        for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for short, number in _CITED.findall(line):
                found[short, int(number)].append(f"{path.parent.name}/{path.name}:{at}")
    return found


def in_tests() -> Places:
    """Return the tests that cite each clause, by name or by text."""
    found: Places = defaultdict(list)
    for path in sorted((ROOT / "tests" / "games").glob("test_*.py")):
        written = path.read_text(encoding="utf-8")
        for node in ast.parse(written).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                source = ast.get_source_segment(written, node) or ""
                for clause in sorted(cited(node.name, source)):
                    found[clause].append(node.name)
    return found


def cited(name: str, source: str) -> set[tuple[str, int]]:
    """Return the clauses a test cites.

    >>> sorted(cited("test_stud_8_and_9_below", "# bj.3"))
    [('bj', 3), ('stud', 8), ('stud', 9)]
    """
    found = {(short, int(number)) for short, number in _CITED.findall(source)}
    named = _IN_NAME.match(name)
    if named:
        found |= {(named[1], int(number)) for number in re.findall(r"\d+", named[2])}
    return found


def page() -> str:
    """Return the whole page."""
    scripts, tests = in_scripts(), in_tests()
    lines = [
        "# Every clause: where it is heeded, which tests try it",
        "",
        "Written by `make clauses`; a test says when it is out of date, or a clause has no test.",
    ]
    last = ""
    for (short, number), text in clauses().items():
        if short != last:
            game = RULES[short]
            lines += [
                "",
                f"## [{game}](rules/{game}.md)",
                "",
                "| clause | script | tests |",
                "|---|---|---|",
            ]
            last = short
        beginning = text if len(text) <= 60 else f"{text[:60].rsplit(' ', 1)[0]} ..."
        where = ", ".join(f"`{place}`" for place in scripts[short, number]) or "the table itself"
        tried = ", ".join(f"`{name}`" for name in tests[short, number])
        lines.append(f"| **{short}.{number}** {beginning.replace('|', ' ')} | {where} | {tried} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
