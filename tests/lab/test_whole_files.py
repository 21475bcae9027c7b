"""Files are written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tapisvert.cli.folders import write_report, write_whole
from tapisvert.lab import bankroll_store, chart_store, proof_store
from tapisvert.sheets import load

STUD = load("casino-stud")


def report(folder: Path) -> None:
    write_report(folder, {"a.json": b"new", "b.html": b"new"})


WRITERS: dict[str, Callable[[Path], None]] = {
    "picture": lambda folder: write_whole(folder / "a.json", b"new"),
    "report": report,
    "proofs": lambda folder: proof_store.keep(folder, STUD, proof_store.find(STUD)),
    "chart": lambda folder: chart_store.keep(folder, STUD, chart_store.find(STUD)),
    "bankrolls": lambda folder: bankroll_store.keep(folder, STUD, bankroll_store.find(STUD)),
}


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("step", ["write_bytes", "replace"])
@pytest.mark.parametrize("written", WRITERS)
def test_an_interruption_leaves_nothing_unfinished(
    written: str, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.json").write_bytes(b"old")
    monkeypatch.setattr(Path, step, half_written if step == "write_bytes" else interrupted)
    with pytest.raises(KeyboardInterrupt):
        WRITERS[written](tmp_path)
    monkeypatch.undo()
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]
    assert (tmp_path / "a.json").read_bytes() == b"old"


def half_written(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content[: len(content) // 2])
    raise KeyboardInterrupt


def test_no_file_of_a_report_is_there_before_all_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Path.write_bytes

    def second_fails(path: Path, content: bytes) -> int:
        if path.name.startswith("b.html"):
            raise OSError(28, "No space left on device")
        return whole(path, content)

    monkeypatch.setattr(Path, "write_bytes", second_fails)
    with pytest.raises(Exception, match="store/unwritable"):
        report(tmp_path)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    report(tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.json", "b.html"]
