"""The test runner itself: its tiers, and its report when a test fails."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tiers

ROOT = Path(__file__).parents[1]
PATIENCE_S = 120
TESTS = """
import pytest
from not_run import not_run
from tiers import long

LOG = "a line of a log\\n" * 1_000

def test_right() -> None:
    pass

@long
def test_at_length() -> None:
    pass

def test_wrong() -> None:
    print(LOG)
    assert {"page": "data:" + "x" * 5_000} == {}

@pytest.fixture
def server() -> None:
    raise OSError("no server")

def test_not_begun(server: None) -> None:
    pass

def test_elsewhere() -> None:
    not_run("tests of the moon", "no rocket")
"""


def run(folder: Path, *options: str, asked: str = ".") -> str:
    """Run the tests above with the options and hooks of the house; return the output."""
    (folder / "test_some.py").write_text(TESTS)
    house = ("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), "-p", "conftest")
    paths = f"pythonpath={ROOT / 'tests'}"
    command = [sys.executable, "-m", "pytest", *house, "-o", paths, *options, asked]
    ran = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    return ran.stdout


@pytest.mark.parametrize(
    "workers", [(), pytest.param(("-n", "1"), marks=tiers.long)], ids=["alone", "with workers"]
)
def test_a_red_run_is_short_and_ends_with_how_to_run_each_failure_alone(
    tmp_path: Path, workers: tuple[str, ...]
) -> None:
    printed = run(tmp_path, *workers)
    lines = printed.splitlines()
    assert len(lines) < 120
    assert max(map(len, lines)) < 300
    ending = lines[next(n for n, line in enumerate(lines) if "to run one alone" in line) :]
    assert ".venv/bin/pytest 'test_some.py::test_wrong'" in ending
    assert ".venv/bin/pytest 'test_some.py::test_not_begun'" in ending
    assert "    OSError: no server" in ending
    assert "1 failed, 1 passed, 1 skipped" in ending[-1]
    assert "NOT RUN: tests of the moon (no rocket): 1 test" in printed
    assert "1 test is of the other tier" in printed
    whole = (tmp_path / "build" / "failures" / "test_some-test_wrong.txt").read_text()
    assert "x" * 5_000 in whole
    assert whole.count("a line of a log") == 1_000


@tiers.long
def test_a_run_ends_when_a_worker_dies_and_names_the_test(tmp_path: Path) -> None:
    """A worker may be out of memory; pytest-xdist would replace it, and then wait for ever."""
    for number in range(7):
        does = "os.kill(os.getpid(), 9)" if number == 5 else "pass"
        tests = f"import os\ndef test_a(): pass\ndef test_b(): {does}\n"
        (tmp_path / f"test_{number}.py").write_text(tests)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (options,) = re.findall(r"^PYTEST := \S+ (.*)$", makefile, re.MULTILINE)
    printed = run(tmp_path, *options.split())
    assert "crashed while running 'test_5.py::test_b'" in printed


def test_the_second_tier_has_the_rest_and_a_test_asked_for_by_name_runs(tmp_path: Path) -> None:
    assert "1 passed" in run(tmp_path, "--tier", tiers.SECOND)
    assert "1 passed" in run(tmp_path, asked="test_some.py::test_at_length")


def test_every_file_that_is_noted_to_be_long_is_there() -> None:
    noted = [name for tier in tiers.seconds().values() for name in tier]
    assert [name for name in noted if not (ROOT / name).is_file()] == []
