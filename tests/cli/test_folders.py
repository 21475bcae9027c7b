"""Unwritable output folders are refused with a reason, before the computation starts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Never

import pytest

from cli.test_prove import CHANGE, tossed
from cli.typed import refused, typed
from tapisvert.cli.folders import must_be_writable
from tapisvert.lab import mathematics
from tapisvert.odds.thresholds import PlayingLine

WRITES = ["prove --keep", "prove --report", "strategy --keep"]


def no_folder(tmp_path: Path) -> Path:
    (tmp_path / "file").touch()
    return tmp_path / "file"


def below_no_folder(tmp_path: Path) -> Path:
    return no_folder(tmp_path) / "below" / "it"


def leads_nowhere(tmp_path: Path) -> Path:
    (tmp_path / "link").symlink_to(tmp_path / "missing" / "folder")
    return tmp_path / "link"


@pytest.mark.parametrize("spoilt", [no_folder, below_no_folder])
@pytest.mark.parametrize("words", WRITES)
def test_a_folder_that_cannot_be_written_to_is_refused_before_anything_is_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str, spoilt: Callable[[Path], Path]
) -> None:
    def counting(*_: object) -> Never:
        raise AssertionError("counted in vain")

    monkeypatch.setattr(mathematics, "prove", counting)
    monkeypatch.setattr(mathematics, "strategy", counting)
    command, option = words.split()
    folder = spoilt(tmp_path)
    told = typed(command, "casino-stud", "--set", CHANGE, option, folder)
    sentence, code = refused(told)
    assert (code, str(folder) in sentence) == ("store/unwritable", True)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("words", WRITES)
def test_what_the_disk_refuses_later_has_a_code_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str
) -> None:
    line = PlayingLine(plays_from="pair 2", folds_to=None, between=[])
    monkeypatch.setattr(mathematics, "prove", tossed)
    monkeypatch.setattr(mathematics, "strategy", lambda *_: line)
    command, option = words.split()
    folder = leads_nowhere(tmp_path)  # found out by making it
    told = typed(command, "casino-stud", "--set", CHANGE, option, folder)
    assert refused(told)[1] == "store/unwritable"


def test_a_folder_that_can_be_made_is_not_made_by_asking(tmp_path: Path) -> None:
    must_be_writable(None, tmp_path, tmp_path / "new" / "folder")
    assert list(tmp_path.iterdir()) == []
