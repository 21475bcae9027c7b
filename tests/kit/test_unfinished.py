"""An unfinished game: the kit and the tools accept it and report what is missing."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

import proofs
from kit.planting import STUD, forget
from tapisvert.cli.app import app
from tapisvert.games import registry
from tapisvert.games.game import Game
from tapisvert.games.registry import GAMES, GROUP, admit
from tapisvert.lab import proof_store
from tapisvert.odds.figures import Outcome, counted
from tapisvert.refusal import Refused
from tapisvert.testing.case import project_of
from tapisvert.testing.kit import CHECKS, case_of, run_check

LACKING = ("proofs.json", "layout.js", "rankings.js", "settle.js", "chart.json")


@pytest.fixture
def unfinished(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Game]:
    """Casino Stud as a game of another package, with only its rules, figures and words."""
    folder = tmp_path / "package" / "src" / "stud"
    shutil.copytree(GAMES[STUD].folder, folder, ignore=shutil.ignore_patterns(*LACKING))
    game, installed = replace(GAMES[STUD], folder=folder), dict(GAMES)
    module = ModuleType("a_plugin")
    module.__dict__["GAME"] = game
    monkeypatch.setitem(sys.modules, "a_plugin", module)
    point = EntryPoint(STUD, "a_plugin:GAME", GROUP)
    found, refused = registry.find([point])
    assert found == {}
    monkeypatch.setattr(registry, "REFUSED", refused)
    monkeypatch.setattr(registry, "entry_points", lambda **_: [point])
    del GAMES[STUD]
    forget()
    yield game
    GAMES.clear()  # the same object, in its order
    GAMES.update(installed)
    forget()


def test_a_house_leaves_it_out_and_the_kit_takes_it(unfinished: Game) -> None:
    with pytest.raises(Refused, match="game/incomplete"):
        registry.known(STUD)
    assert case_of(STUD).game is admit(STUD) is unfinished


def test_everything_it_lacks_is_named_at_once(unfinished: Game) -> None:
    ran = CliRunner().invoke(app, ["check-game", STUD, "--rounds", "50", "--check", "files"])
    lines = {f"WRONG    files: {STUD}: {name} is missing" for name in LACKING}
    assert (ran.exit_code, set(ran.output.splitlines())) == (1, lines)


@pytest.mark.usefixtures("unfinished")
def test_every_check_says_what_it_finds_or_why_it_was_not_run() -> None:
    case = case_of(STUD, rounds=20)
    much = ("strategies", "settlement", "positions", "values")  # its mathematics is whole
    results = {name: run_check(name, case) for name in CHECKS if name not in much}
    assert not [each for each in results.values() if "the check fails" in each.line]
    assert results["rounds"].line == "ok       rounds"
    assert "a server leaves the game out: " in results["layout-fits"].not_run
    for name, file in (("certificate", "settle"), ("layout", "layout"), ("rankings", "rankings")):
        assert f"{file}.js is missing" in results[name].line


def test_its_proofs_can_be_written(unfinished: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def prove(_: Any) -> Any:
        return [
            counted(bet, "none", 1, [Outcome("won", 1, Fraction(1))]) for bet in GAMES[STUD].bets
        ]

    monkeypatch.setattr(proofs, "prove", prove)
    monkeypatch.setattr(proofs, "strategy", lambda _: {"best": "play"})
    assert proofs.main([STUD]) == 0
    kept = proof_store.find(case_of(STUD).sheet)
    assert [each.bet for each in kept] == list(unfinished.bets)
    assert (unfinished.folder / "chart.json").is_file()


def test_an_id_that_nobody_has_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Refused, match="request/unknown_game"):
        case_of("nope")
    with pytest.raises(SystemExit):
        proofs.main(["nope"])
    assert "nope" in capsys.readouterr().err


def test_a_sheet_that_does_not_load_is_told_once(unfinished: Game) -> None:
    path = unfinished.folder / "sheet.toml"
    path.write_text(path.read_text("utf-8").replace('flush = "5:1"', 'flush = "five"'), "utf-8")
    case = case_of(STUD, rounds=20)
    told = {name: run_check(name, case) for name in ("files", "sheet", "descriptor", "rounds")}
    assert [name for name, each in told.items() if each.findings] == ["files", "sheet"]
    assert told["rounds"].not_run == "its sheet does not load"


def test_the_project_around_a_package_is_found(unfinished: Game) -> None:
    root = unfinished.folder.parents[1]
    assert project_of(unfinished, None) is None
    (root / "docs").mkdir()
    (root / "docs" / "rules.md").write_text("**stud.1** A clause.\n")
    assert project_of(unfinished, None) is None
    (root / "pyproject.toml").touch()
    found = project_of(unfinished, None)
    assert found is not None
    assert found == project_of(unfinished, root)
    assert (found.rules, found.tests) == (root / "docs" / "rules.md", root / "tests")
