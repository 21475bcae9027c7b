"""Files of simulated rounds: stopped and gone on from, they hold what one run gives."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pyarrow import parquet

import tapisvert
from cli.typed import typed
from tapisvert.odds import simulation
from tapisvert.refusal import Refused

STUD, ROUNDS, PIECE = "casino-stud", 30_000, 4_000
each_kind = pytest.mark.parametrize("name", ["stud.json", "stud.parquet"])


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "PIECE", PIECE)


def stopping(after: float) -> Callable[[float], None]:
    """Return a listener that interrupts, as Ctrl-C does, when this fraction is done."""

    def tell(done: float) -> None:
        if done >= after:
            raise KeyboardInterrupt

    return tell


@each_kind
def test_a_stopped_simulation_goes_on_and_ends_as_if_it_had_not_stopped(
    name: str, tmp_path: Path
) -> None:
    whole, stopped = tmp_path / f"whole-{name}", tmp_path / name
    alone = tapisvert.simulate(STUD, ROUNDS, seed=3, out=whole)
    told: list[float] = []
    for after in (0.2, 0.6):
        with pytest.raises(KeyboardInterrupt):
            tapisvert.simulate(STUD, ROUNDS, seed=3, out=stopped, progress=stopping(after))
    found = tapisvert.simulate(STUD, ROUNDS, seed=3, out=stopped, progress=told.append)
    assert told[0] >= 0.6  # what the file held is not played again
    assert [bet.record for bet in found.bets] == [bet.record for bet in alone.bets]
    assert stopped.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.glob(".*")) == []


def test_a_finished_file_is_read_and_more_rounds_are_added(tmp_path: Path) -> None:
    out = tmp_path / "stud.json"
    few = tapisvert.simulate(STUD, 5_000, seed=3, out=out)
    assert tapisvert.simulate(STUD, 5_000, seed=3, out=out).bets[0].record == few.bets[0].record
    more = tapisvert.simulate(STUD, ROUNDS, seed=3, out=out)
    assert more.bets[0].record == tapisvert.simulate(STUD, ROUNDS, seed=3).bets[0].record


@each_kind
def test_a_file_of_something_else_is_refused(name: str, tmp_path: Path) -> None:
    out = tmp_path / name
    tapisvert.simulate(STUD, 5_000, seed=3, out=out)
    for rounds, seed, reason in ((5_000, 4, "another simulation"), (4_000, 3, "5000 rounds")):
        with pytest.raises(Refused, match="simulate/file") as refused:
            tapisvert.simulate(STUD, rounds, seed=seed, out=out)
        assert reason in str(refused.value.args)
    out.write_text("[]")
    with pytest.raises(Refused, match="simulate/file"):
        tapisvert.simulate(STUD, 5_000, seed=3, out=out)
    assert out.read_text() == "[]"


@each_kind
def test_a_file_of_other_code_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade the rounds left would be played by other code than those in the file."""
    out = tmp_path / name
    tapisvert.simulate(STUD, 5_000, seed=3, out=out)
    before = out.read_bytes()
    monkeypatch.setattr("tapisvert.library.simulation_file.code_id", lambda game: "another")
    for rounds in (5_000, 6_000):
        with pytest.raises(Refused, match="simulate/file") as refused:
            tapisvert.simulate(STUD, rounds, seed=3, out=out)
        assert "another version of tapisvert" in str(refused.value.details["reason"])
    assert out.read_bytes() == before


def test_a_file_without_a_code_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "stud.json"
    tapisvert.simulate(STUD, 5_000, seed=3, out=out)
    content = json.loads(out.read_text())
    del content["run"]["code"]
    out.write_text(json.dumps(content))
    with pytest.raises(Refused, match="another version"):
        tapisvert.simulate(STUD, 6_000, seed=3, out=out)


@pytest.mark.parametrize(
    "damage",
    [("first", 7), ("rounds", 4_999), ("rounds", 0), ("unit", 0), ("bets", [])],
    ids=lambda damage: f"{damage[0]}-{damage[1]}",
)
def test_a_file_with_a_damaged_tally_is_refused(damage: tuple[str, object], tmp_path: Path) -> None:
    out = tmp_path / "stud.json"
    tapisvert.simulate(STUD, 5_000, seed=3, out=out)
    content = json.loads(out.read_text())
    content["tally"][damage[0]] = damage[1]
    out.write_text(json.dumps(content))
    with pytest.raises(Refused, match="damaged"):
        tapisvert.simulate(STUD, 6_000, seed=3, out=out)


@pytest.mark.parametrize("name", ["stud.csv", "no/folder/stud.json"])
def test_a_file_that_cannot_be_written_is_refused_before_a_round(name: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="simulate/file"):
        tapisvert.simulate(STUD, 5_000, out=tmp_path / name, progress=stopping(0))


def test_a_parquet_file_has_a_row_for_each_bet(tmp_path: Path) -> None:
    out = tmp_path / "stud.parquet"
    found = tapisvert.simulate(STUD, 5_000, seed=3, out=out)
    rows = parquet.read_table(out).to_pylist()
    assert [row["bet"] for row in rows] == ["main", "bonus"]
    for row, bet in zip(rows, found.bets, strict=True):
        assert (row["game"], row["strategy"], row["seed"]) == (STUD, "optimal", 3)
        assert row["edge"] == bet.edge
        assert (row["longest_won"], row["drawdown"]) == (
            bet.record.longest_won,
            bet.record.drawdown,
        )
        ends = row["ends"]
        assert sum(end["rounds"] for end in ends) == 5_000
        assert sum(end["net"] * end["rounds"] for end in ends) / 5_000 == pytest.approx(bet.edge)


def test_the_command_writes_the_file_and_prints_the_same(tmp_path: Path) -> None:
    out = tmp_path / "stud.json"
    command = ("simulate", STUD, "--rounds", "5000", "--seed", "7", "--out", str(out), "--json")
    done = typed(*command)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert json.loads(done.stdout) == json.loads(out.read_text())["bets"]


def test_an_interrupted_command_says_that_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tapisvert.library.simulate", stopped)
    out = tmp_path / "stud.json"
    assert "goes on" not in typed("simulate", STUD, "--out", out).stderr  # nothing is kept yet
    out.touch()
    done = typed("simulate", STUD, "--out", out)
    assert done.returncode == 130
    assert "Stopped; run the same command to resume." in done.stderr


def test_parquet_without_pyarrow_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapisvert.extras._found", lambda package: package != "pyarrow")
    with pytest.raises(Refused, match="extra/missing"):
        tapisvert.simulate(STUD, 5_000, out=tmp_path / "stud.parquet")
