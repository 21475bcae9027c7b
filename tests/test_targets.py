"""Every Python program in a `make` target can at least be started as the target does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tiers import one_in

ROOT = Path(__file__).parents[1]
RECIPE = re.compile(r"^\t(?:PYTHONPATH=(\S+) )?\$\(BIN\)/python (-m )?(\S+)", re.MULTILINE)
PROGRAMS = RECIPE.findall((ROOT / "Makefile").read_text(encoding="utf-8"))


def source(path: str, module: str, name: str) -> Path:
    """Return the file of a program."""
    return ROOT / path / f"{name.replace('.', '/')}.py" if module else ROOT / name


def takes_options(program: tuple[str, str, str]) -> bool:
    """Tell whether a program has a help option; the others write files at once."""
    return "argparse" in source(*program).read_text(encoding="utf-8")


def test_the_makefile_runs_programs() -> None:
    assert len(PROGRAMS) > 8
    assert all(source(*program).is_file() for program in PROGRAMS)


STARTED = sorted({each for each in PROGRAMS if takes_options(each)})


@pytest.mark.parametrize("program", one_in(20, STARTED), ids=str)
def test_a_program_of_the_makefile_starts(program: tuple[str, str, str]) -> None:
    path, module, name = program
    command = [sys.executable, *(["-m"] if module else []), name, "--help"]
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    env |= {"PYTHONPATH": path} if path else {}
    ran = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    assert b"usage" in ran.stdout
