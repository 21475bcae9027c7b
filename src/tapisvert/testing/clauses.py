"""The clauses of a rules page, and their citations in scripts and tests."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tapisvert.games.game import Game
from tapisvert.testing.case import Case
from tapisvert.testing.walk import scripts_of

Places = dict[int, list[str]]


def clauses_of(page: str, prefix: str) -> dict[int, str]:
    """Return the clauses of a rules page, each with its first line.

    >>> clauses_of("**stud.3** The player's five cards come first.", "stud")
    {3: "The player's five cards come first."}
    """
    found = re.findall(rf"^\*\*{re.escape(prefix)}\.(\d+)\*\* (.+)$", page, re.MULTILINE)
    return {int(number): text for number, text in found}


def cited(prefix: str, name: str, source: str) -> set[int]:
    """Return the clauses a test cites, by its name or in its text.

    >>> sorted(cited("stud", "test_stud_8_and_9_below", "# stud.11"))
    [8, 9, 11]
    """
    found = {int(number) for number in re.findall(rf"\b{re.escape(prefix)}\.(\d+)", source)}
    named = re.match(rf"test_{re.escape(prefix)}((?:_(?:and|before)?_?\d+)+)_", name)
    if named:
        found |= {int(number) for number in re.findall(r"\d+", named[1])}
    return found


def in_scripts(game: Game, files: Iterable[Path] | None = None) -> Places:
    """Return the lines of a game's scripts that cite each clause."""
    found: Places = defaultdict(list)
    for path in files if files is not None else scripts_of(game):
        for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for number in cited(game.clauses, "", line):
                found[number].append(f"{path.parent.name}/{path.name}:{at}")
    return found


def in_tests(game: Game, folder: Path) -> Places:
    """Return the tests of a folder that cite each clause."""
    found: Places = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        written = path.read_text(encoding="utf-8")
        lines = written.split("\n")  # once: `ast.get_source_segment` would split it for each test
        for node in ast.parse(written).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                for number in sorted(cited(game.clauses, node.name, source)):
                    found[number].append(node.name)
    return found


def clauses_are_cited(case: Case) -> list[str]:
    """The script and a test cite every clause, and every cited clause exists."""
    project, prefix = case.needs_project(), case.game.clauses
    if not project.rules.is_file():
        return [f"its rules page {project.rules} is missing"]
    there = clauses_of(project.rules.read_text(encoding="utf-8"), prefix)
    if not there:
        return [f"{project.rules} has no line that begins with **{prefix}.1**"]
    scripts, tests = in_scripts(case.game), in_tests(case.game, project.tests)
    found = [f"no script cites clause {prefix}.{n}" for n in there if n not in scripts]
    found += [f"no test cites clause {prefix}.{n}" for n in there if n not in tests]
    for name, places in (("script", scripts), ("test", tests)):
        found += [
            f"a {name} cites {prefix}.{n}, which the rules do not have ({places[n][0]})"
            for n in sorted(places)
            if n not in there
        ]
    return found
