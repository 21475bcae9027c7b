"""Coverage of a game's scripts by its golden rounds, lines and branches.

Measured in a separate process, because lines executed on import count too.
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

from tapisvert.decoding import read_json
from tapisvert.games.game import Game


class Missed(Struct, frozen=True):
    """Lines and branches of one module that were not reached."""

    missing_lines: list[int]
    missing_branches: list[tuple[int, int]]


class Report(Struct, frozen=True):
    """The fields of coverage's JSON report in use here."""

    files: dict[str, Missed]


def scripts_of(game: Game) -> list[Path]:
    """Return the files of a game's scripts, and of the game's modules they import.

    The sheet is not included: other tests cover its validation.
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
    """Return the modules in the same folder that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.rpartition(".")[2])
    return [each for each in sorted(path.parent.glob("*.py")) if each.stem in names]


def walked(recordings: Iterable[Path], scripts: Sequence[Path]) -> dict[Path, Missed]:
    """Return the missed lines and branches of each script in a replay of these recordings."""
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
        report = read_json(out.read_bytes(), Report)
    return {Path(name).resolve(): missed for name, missed in report.files.items()}
