"""Which lines and branches of a game's scripts its golden rounds reach.

Measured in a process of its own, because what a module runs when it is imported counts as well.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Sequence
from inspect import getsourcefile
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from tapisvert.games.game import Game


class Missed(Struct, frozen=True):
    """What was not reached of one module: lines, and jumps from one line to another."""

    missing_lines: list[int]
    missing_branches: list[tuple[int, int]]


class Report(Struct, frozen=True):
    """The part of coverage's report we read."""

    files: dict[str, Missed]


def scripts_of(game: Game) -> list[Path]:
    """Return the files of a game's scripts, and of its own modules that they import.

    The sheet is no script: its checks are tried by tests of the sheet.
    """
    sheets = {getsourcefile(each.sheet_type) for each in game.editions}
    waiting = [Path(str(getsourcefile(each.script))) for each in game.editions]
    found: list[Path] = []
    while waiting:
        path = waiting.pop(0)
        if path not in found and str(path) not in sheets:
            found.append(path)
            waiting += _own_imports(path)
    return sorted(found)


def _own_imports(path: Path) -> list[Path]:
    """Return the modules beside a file that it imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.rpartition(".")[2])
    return [each for each in sorted(path.parent.glob("*.py")) if each.stem in names]


def walked(recordings: Iterable[Path], scripts: Sequence[Path]) -> dict[Path, Missed]:
    """Return what a replay of these recordings leaves unreached of each script."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "walked.json"
        asked = {"recordings": list(map(str, recordings)), "scripts": list(map(str, scripts))}
        ran = subprocess.run(
            [sys.executable, "-m", "tapisvert.testing.measure", out],
            input=msgspec.json.encode(asked),
            stderr=subprocess.PIPE,
            check=False,
        )
        if ran.returncode:
            raise ValueError(f"a golden round fails: {ran.stderr.decode().splitlines()[-1]}")
        report = msgspec.json.decode(out.read_bytes(), type=Report)
    return {Path(name).resolve(): missed for name, missed in report.files.items()}
