"""Plants mistakes in a game for the duration of a test."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tapisvert.coach import advice
from tapisvert.engine import GameScript
from tapisvert.games.game import Edition, Game
from tapisvert.games.registry import GAMES
from tapisvert.lab import mathematics, proof_store
from tapisvert.odds.mathematics import Mathematics
from tapisvert.odds.parallel import no_progress
from tapisvert.sheets import load
from tapisvert.testing import case as cases
from tapisvert.testing.kit import Result, case_of, run_check
from tapisvert.words import catalogue

STUD = "casino-stud"
ROOT = Path(__file__).parents[2]


class Planter:
    """Changes shipped games, and returns what the kit finds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self._patch, self._tmp = monkeypatch, tmp_path

    def game(self, name: str, **fields: Any) -> Game:
        """Register a game with some fields of its descriptor changed."""
        self._patch.setitem(GAMES, name, replace(GAMES[name], **fields))
        forget()
        return GAMES[name]

    def folder(self, name: str) -> Path:
        """Replace a game's folder by a copy whose files can be changed."""
        copy = self._tmp / "games" / name
        shutil.copytree(GAMES[name].folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
        self.game(name, folder=copy)
        return copy

    def write(self, name: str, file: str, old: str, new: str) -> None:
        """Replace a text in a file of the copied folder."""
        path = self.folder(name) / file
        written = path.read_text(encoding="utf-8")
        assert written.count(old) >= 1, old
        path.write_text(written.replace(old, new, 1), encoding="utf-8")
        forget()

    def script(self, name: str, script: GameScript[Any]) -> None:
        """Replace the script of a game."""
        last = GAMES[name].editions[-1]
        changed = Edition(last.number, script, last.sheet_type)
        self.game(name, editions=(*GAMES[name].editions[:-1], changed))

    def mathematics(self, name: str, **fields: Any) -> Mathematics:
        """Replace parts of a game's mathematics; return the original."""
        own = mathematics.mathematics_of(load(name))
        changed = replace(own, **fields)
        for module in (mathematics, cases, advice):
            self._patch.setattr(module, "mathematics_of", lambda _: changed)
        return own

    def project(self, name: str) -> Path:
        """Copy the project of a game, to change its rules, golden rounds and tests."""
        root = self._tmp / "project"
        (root / "docs" / "rules").mkdir(parents=True)
        shutil.copy(ROOT / "docs" / "rules" / f"{name}.md", root / "docs" / "rules")
        for part in (f"golden/{name}", "golden/sheets", "games"):
            shutil.copytree(ROOT / "tests" / part, root / "tests" / part)
        return root


def forget() -> None:
    """Clear the caches of the games' files."""
    load.cache_clear()
    catalogue.cache_clear()
    proof_store._read_at.cache_clear()


def found(
    name: str, check: str, *, rounds: int = 300, full: bool = False, project: Path | None = None
) -> str:
    """Run a check; return its findings as one text."""
    result: Result = run_check(check, case_of(name, rounds=rounds, full=full, project=project))
    assert not result.not_run, result
    assert all(each.startswith(f"{name}: ") for each in result.findings)
    return "\n".join(result.findings)


@cache
def stud_player(strategy: str) -> Any:
    """Return a cached simulated player of Casino Stud; it is slow to make."""
    own: Mathematics = import_module(GAMES[STUD].odds).MATHEMATICS
    return own.player(load(STUD), strategy, no_progress)
