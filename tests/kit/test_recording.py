"""A package lists its golden rounds; the kit records them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kit.planting import STUD, Planter, found
from tapisvert.engine import Option, Script, Table
from tapisvert.testing.recording import events_of, round_of, write_rounds

CARDS = "As Kd Qh 5c 3d Ac 4s 7d 9h Tc"
STAKES = {"ante": 1000}
ROUNDS = {
    "fold": round_of(STUD, CARDS, STAKES, ["fold"]),
    "play": round_of(STUD, CARDS, STAKES, ["play"], {"ante.pays": "2:1"}),
}


def project(folder: Path) -> Path:
    """Make a project with these rounds; return the folder of its golden rounds."""
    (folder / "docs").mkdir()
    (folder / "docs" / "rules.md").touch()
    golden = folder / "tests" / "golden"
    assert write_rounds(golden, ROUNDS) == 0
    return golden


def test_rounds_are_recorded_with_their_sheets(tmp_path: Path) -> None:
    golden = project(tmp_path)
    assert {path.stem for path in golden.glob("*.json")} == set(ROUNDS)
    sheets = {sheet.hash: sheet.body for _, sheet in ROUNDS.values()}
    assert {each.stem: each.read_bytes() for each in (golden / "sheets").iterdir()} == sheets
    assert found(STUD, "golden", project=tmp_path) == ""


def test_a_round_that_is_played_otherwise_is_left_alone(
    planter: Planter, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def folded(table: Table, sheet: Any) -> Script[None]:
        table.deal("player", 5)
        yield from table.ask("play-or-fold", Option("fold"), Option("play"))
        table.lose("ante", "folded")

    golden = project(tmp_path)
    before = {path: path.read_bytes() for path in golden.glob("*.json")}
    planter.script(STUD, folded)
    assert write_rounds(golden, ROUNDS) == 1
    assert {path: path.read_bytes() for path in golden.glob("*.json")} == before
    assert "fold: the script plays this round otherwise" in capsys.readouterr().out


def test_a_round_that_is_not_recorded_has_no_events() -> None:
    assert events_of(ROUNDS["fold"][0]) == []
