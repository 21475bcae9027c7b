"""Sweeps: the grid, the figures of every sheet, and what is kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, cast

import pytest
from pyarrow import parquet

import tapisvert
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.casino_stud.odds.pay_tables import StudCount
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.lab import cluster_work, mathematics, proof_store, sweep
from tapisvert.lab.sweep import BLOCK, SHEETS_MAX, plan, read_values
from tapisvert.library.proving import best_first
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.ranking.standard import CATEGORIES
from tapisvert.refusal import Refused
from tapisvert.sheets import load

STUD = cast(CasinoStud, load("casino-stud"))
FLUSH, HOUSE = "play.pays.flush", "play.pays.full-house"
GRID: dict[str, list[Any]] = {
    FLUSH: ["4:1", "9:2", "5:1"],
    HOUSE: [6, 7],
    "play.times_ante": [1, 2],
}


def changed(changes: Mapping[str, object]) -> CasinoStud:
    return cast(CasinoStud, with_changes(STUD, changes))


def refusal(call: Callable[..., object], *given: object, **named: object) -> Refused:
    with pytest.raises(Refused) as caught:
        call(*given, **named)
    return caught.value


# The grid -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("play.pays.flush=4:8", ["4:1", "5:1", "6:1", "7:1", "8:1"]),
        ("play.pays.flush=4:5:1/3", ["4:1", "13:3", "14:3", "5:1"]),
        ("play.pays.flush=0.5:2:0.75", ["1:2", "5:4", "2:1"]),
        ("play.pays.flush=4:5:2", ["4:1"]),
        ('play.pays.flush=["4:1",5]', ["4:1", 5]),
        ("play.times_ante=1:3", [1, 2, 3]),
        ('house.qualifies_with=[["A","K"],["A"]]', [["A", "K"], ["A"]]),
    ],
)
def test_values_are_written_as_the_sheet_writes_them(written: str, values: list[object]) -> None:
    assert read_values(STUD, written) == (written.partition("=")[0], values)


@pytest.mark.parametrize(
    "written",
    [
        *("play.pays.flush", "play.pays.flush=", "play.pays.flush=4", "play.pays.flush=4:x"),
        *("play.pays.flush=1:2:3:4", "play.pays.flush=8:4", "play.pays.flush=4:8:0"),
        *("play.pays.flush=-1:4", "play.pays.flush=1e3:2e3", "play.pays.flush=1/0:4"),
        *("play.pays.flush=[", "play.pays.flush=[4:1]", "play.pays.flush=٤:٨"),
        *("play.times_ante=1:2:1/2", "house.qualifies_with=1:2", "published.main=90:95"),
    ],
)
def test_values_that_make_no_sense_are_refused(written: str) -> None:
    assert refusal(read_values, STUD, written).code == "sweep/vary"


def test_an_unknown_key_an_invalid_sheet_and_a_grid_too_large_are_refused() -> None:
    assert refusal(read_values, STUD, "play.pays.fluhs=4:8").code == "sheet/unknown_key"
    assert refusal(read_values, STUD, f"{FLUSH}=0:{SHEETS_MAX}").code == "sweep/too_many"
    too_many = refusal(plan, STUD, {FLUSH: range(1000), HOUSE: range(101)})
    assert (too_many.code, too_many.details["sheets"]) == ("sweep/too_many", 101_000)
    assert refusal(plan, STUD, {"play.times_ante": [1, 0]}).code == "sheet/invalid"
    assert refusal(plan, STUD, {"play.times": [1]}).code == "sheet/unknown_key"
    grids: list[dict[str, list[Any]]] = [{}, {FLUSH: []}, {FLUSH: ["4:1", 4]}]
    for wrong in grids:
        refused = refusal(plan, STUD, wrong)
        assert (refused.code, refused.details["vary"]) == ("sweep/vary", ", ".join(wrong))


def test_a_failed_writing_leaves_no_unfinished_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: object, path: Path, **__: object) -> None:
        path.write_bytes(b"PAR1")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet, "write_table", fails)
    out = tmp_path / "grid.parquet"
    assert refusal(tapisvert.sweep, STUD, {FLUSH: [4]}, out=out).code == "store/unwritable"
    assert [path for path in tmp_path.iterdir() if path.is_file()] == []


def test_the_grid_is_the_product_and_blocks_share_a_count() -> None:
    qualifiers = [["A", "K"], ["A", "Q"]]
    asked = plan(STUD, {FLUSH: range(100), "house.qualifies_with": qualifiers})
    written = [(f"{price}:1", with_) for price, with_ in product(range(100), qualifiers)]
    assert [point.values for point in asked.points] == written
    assert sorted(number for block in asked.blocks for number in block) == list(range(200))
    for block in asked.blocks:
        assert len(block) <= BLOCK
        assert len({asked.points[number].group for number in block}) == 1


def test_the_id_of_a_sweep_depends_on_its_sheets_only() -> None:
    one = plan(STUD, {FLUSH: ["4:1", "5:1"]})
    assert one.id == plan(STUD, {FLUSH: [4, 5]}).id
    assert one.id != plan(STUD, {FLUSH: [5, 4]}).id
    assert one.id != plan(with_changes(STUD, {HOUSE: 8}), {FLUSH: [4, 5]}).id


# The figures --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def count() -> StudCount:
    return StudCount(STUD)


def test_pay_tables_from_one_count_are_those_of_whole_proofs(count: StudCount) -> None:
    """Prices that change what is played: pairs, the ante, the raise."""
    other = {"play.pays.pair": "3:2", "ante.pays": "2:1", "play.times_ante": 1, FLUSH: "9:2"}
    sheet = changed(other)
    assert [proof_store.written(STUD, each) for each in count.figures(STUD)] == [
        *best_first(proof_store.find(STUD))
    ]
    assert count.figures(sheet) == mathematics.prove(sheet)
    best = [count.figures(each)[0] for each in (STUD, sheet)]
    assert best[0].counts["folded"] != best[1].counts["folded"]


def test_fixed_strategies_follow_from_the_shipped_counts(count: StudCount) -> None:
    """Another way: the shipped numbers of deals, with other net results."""
    prices = {row: Fraction(3 * place + 1, 2) for place, row in enumerate(CATEGORIES)}
    given = {f"play.pays.{row}": f"{3 * place + 1}:2" for place, row in enumerate(CATEGORIES)}
    found = {each.strategy: each for each in count.figures(changed(given))}
    for proof in proof_store.find(STUD):
        if proof.bet == "main" and proof.strategy != "optimal":
            deals = sum(each.deals for each in proof.outcomes)
            nets = (
                each.deals * (1 + 2 * prices[row] if row in prices else Fraction(each.net))
                for each in proof.outcomes
                for row in [each.name.removeprefix("won-")]
            )
            assert found[proof.strategy].edge == sum(nets) / deals


# What is kept -------------------------------------------------------------------------------------


class Tossed:
    """A quick stand-in for proofs that counts the sheets it proves."""

    def __init__(self) -> None:
        self.sheets = 0

    def __call__(self, sheet: CasinoStud) -> list[Figure]:
        self.sheets += 1
        net = Fraction(sheet.play.pays["flush"], 7)
        ends = [Outcome("won", 3, net), Outcome("lost", 4, Fraction(-1), Fraction(2))]
        return [counted("main", name, 7, ends) for name in ("optimal", "always-play")]


@pytest.fixture
def tossed(monkeypatch: pytest.MonkeyPatch) -> Tossed:
    made = Tossed()
    monkeypatch.setattr(cluster_work, "figures_of", made)
    monkeypatch.setattr(sweep, "BLOCK", 2)
    return made


def stopped_at(part: float) -> Callable[[float], None]:
    """Return a progress callback that interrupts, as Ctrl-C does."""

    def tell(done: float) -> None:
        if done >= part:
            raise KeyboardInterrupt

    return tell


def test_a_stopped_sweep_goes_on_and_gives_the_same_bytes(tossed: Tossed, tmp_path: Path) -> None:
    whole, parted = tmp_path / "whole.parquet", tmp_path / "parted.parquet"
    rows = tapisvert.sweep(STUD, GRID, out=whole)
    assert (len(rows), tossed.sheets) == (24, 12)
    with pytest.raises(KeyboardInterrupt):
        tapisvert.sweep(STUD, GRID, out=parted, progress=stopped_at(0.5))
    assert not parted.exists()
    (folder,) = tmp_path.glob("parted.parquet.*.parts")
    assert len(list(folder.iterdir())) == 3  # of six blocks
    damaged = min(folder.iterdir())
    damaged.write_bytes(damaged.read_bytes()[:-1])
    told: list[float] = []
    assert tapisvert.sweep(STUD, GRID, out=parted, progress=told.append) == rows
    assert told[0] == 4 / 12
    assert tossed.sheets == 12 + 6 + 8
    assert parted.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parted.parquet", "whole.parquet"]


def test_a_finished_sweep_is_not_proved_again(tossed: Tossed, tmp_path: Path) -> None:
    out = tmp_path / "a.parquet"
    rows = tapisvert.sweep(STUD, GRID, out=out)
    assert tapisvert.sweep(STUD, GRID, out=out) == rows == tapisvert.sweep(STUD, GRID)
    assert tossed.sheets == 24


def test_a_file_with_other_content_is_refused_and_stays(tossed: Tossed, tmp_path: Path) -> None:
    out = tmp_path / "a.parquet"
    out.write_text("mine")
    assert refusal(tapisvert.sweep, STUD, GRID, out=out).code == "sweep/exists"
    assert out.read_text() == "mine"
    out.unlink()
    tapisvert.sweep(STUD, {FLUSH: [4]}, out=out)
    before = out.read_bytes()
    assert refusal(tapisvert.sweep, STUD, {FLUSH: [5]}, out=out).code == "sweep/exists"
    assert refusal(tapisvert.sweep, STUD, GRID, out=tmp_path).code == "sweep/exists"
    assert out.read_bytes() == before
    nowhere = out / "b.parquet"
    assert refusal(tapisvert.sweep, STUD, GRID, out=nowhere).code == "store/unwritable"


def test_the_columns_of_the_file(tossed: Tossed, tmp_path: Path) -> None:
    out = tmp_path / "a.parquet"
    rows = tapisvert.sweep(STUD, GRID, out=out)
    table = parquet.read_table(out)
    assert table.column_names == [
        *GRID,
        *("sheet_hash", "bet", "strategy", "exact"),
        *("edge", "staked", "returned", "standard_deviation", "hit"),
        *("edge_exact", "staked_exact", "variance_exact", "hit_exact", "error"),
    ]
    for row, found in zip(table.to_pylist(), rows, strict=True):
        assert {key: row[key] for key in GRID} == found.values
        sheet = changed(found.values)
        assert row["sheet_hash"] == sheet.hash
        edge = (3 * Fraction(sheet.play.pays["flush"], 7) - 4) / 7
        assert (row["edge"], Fraction(row["edge_exact"]), found.edge) == (float(edge), edge, edge)
        assert row["returned"] == float(1 + edge / Fraction(11, 7))
        assert row["error"] is None
