"""The notebooks of examples/notebooks run, and give the outputs that are stored in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from notebooks import FOLDER, run_cell, run_notebook, written
from tiers import long

QUICK = "learner.ipynb"
NAMES = sorted(path.name for path in FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize(
    "name", [QUICK, *(pytest.param(each, marks=long) for each in NAMES if each != QUICK)]
)
def test_a_notebook_gives_its_stored_outputs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    path = FOLDER / name
    assert written(run_notebook(path)) == path.read_text(encoding="utf-8")


def test_there_is_a_notebook_for_each_kind_of_user() -> None:
    assert NAMES == ["auditor.ipynb", "designer.ipynb", "learner.ipynb"]


def test_an_output_that_differs_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    notebook = json.loads((FOLDER / QUICK).read_text(encoding="utf-8"))
    notebook["cells"][1]["source"] += ["[-1:]"]
    changed = tmp_path / QUICK
    changed.write_text(written(notebook), encoding="utf-8")
    assert written(run_notebook(changed)) != written(notebook)


def test_a_cell_gives_what_it_prints_and_its_last_value() -> None:
    names: dict[str, object] = {}
    printed, value = run_cell("x = 2\nprint('two')\nx", names, 3)
    assert printed["text"] == ["two\n"]
    assert value["data"] == {"text/plain": ["2"]}
    assert run_cell("y = x", names, 4) == []
