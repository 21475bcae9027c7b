"""Which lines and branches of the scripts the recordings walk, measured in a process of its own.

A fresh process, because what a module runs when it is imported counts as well.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from coverage import Coverage
from msgspec import Struct

import tapisvert

SOURCE = Path(tapisvert.__file__).parent
# The scripts, and what they alone are made of.
SCRIPTS = (
    *(path for path in sorted((SOURCE / "games").glob("*.py")) if path.name != "__init__.py"),
    SOURCE / "house_way.py",
    SOURCE / "table" / "hand_names.py",
)


class Missed(Struct, frozen=True):
    """What was not walked of one module: lines, and jumps from one line to another."""

    missing_lines: list[int]
    missing_branches: list[tuple[int, int]]


class Report(Struct, frozen=True):
    """The part of coverage's report we read."""

    files: dict[str, Missed]


def walked(recordings: Iterable[Path]) -> dict[str, Missed]:
    """Return, for every module of the games, what a replay of these recordings leaves unwalked."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "walked.json"
        subprocess.run(
            [sys.executable, __file__, out],
            input="\n".join(map(str, recordings)),
            text=True,
            check=True,
        )
        report = msgspec.json.decode(out.read_bytes(), type=Report)
    return {Path(name).stem: missed for name, missed in report.files.items()}


def measure(out: Path, recordings: Iterable[Path]) -> None:
    """Replay recordings and write coverage's report of the scripts."""
    scripts = [str(path) for path in SCRIPTS]
    coverage = Coverage(branch=True, data_file=None, config_file=False, include=scripts)
    coverage.clear_exclude()  # no comment in a script may hide a line from this test,
    coverage.clear_exclude("partial")  # nor a branch
    with coverage.collect():
        from golden.golden import play, read, sheet_of

        for path in recordings:
            golden = read(path)
            play(golden, sheet_of(golden), len(golden.choices))
    coverage.json_report(outfile=str(out))


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])  # tests/, as pytest has it
    measure(Path(sys.argv[1]), [Path(line) for line in sys.stdin.read().splitlines()])
