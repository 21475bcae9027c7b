"""F8: the tests of bank, dealing and rounds cover every line and branch of them.

    python tests/soak/branches.py

It prints what is not covered, and fails. It is a separate program, so that code at import counts as
well.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from coverage import Coverage
from msgspec import Struct

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tapisvert"
MODULES = (
    *sorted((SOURCE / "bank").glob("*.py")),
    SOURCE / "dealing.py",
    SOURCE / "sealing.py",
    *sorted((SOURCE / "rounds").glob("*.py")),
    *sorted((SOURCE / "history").glob("*.py")),
    *sorted((SOURCE / "operations").glob("*.py")),
)
# The tests of the store check keys, and create rows older than hashing.
TESTS = ("bank", "dealing", "rounds", "store/test_keys.py", "store/test_migration.py")
# A million decks, and a million seeds: they walk where the others have walked.
LEFT_OUT = ("dealing/test_R5_shuffle.py", "dealing/test_R1_entropy.py")


class Summary(Struct, frozen=True):
    """The size of one module."""

    num_statements: int
    num_branches: int


class Walked(Struct, frozen=True):
    """The uncovered parts of one module: lines, and jumps from one line to another."""

    summary: Summary
    missing_lines: list[int]
    missing_branches: list[tuple[int, int]]

    def missed(self) -> Iterator[str]:
        """List the uncovered parts; a jump within an uncovered line is listed as the line."""
        yield from (f"line {line}" for line in self.missing_lines)
        for start, end in self.missing_branches:
            if start not in self.missing_lines:
                yield f"from line {start} to {f'line {end}' if end > 0 else 'the end'}"


class Report(Struct, frozen=True):
    """The part of coverage's report we read."""

    files: dict[str, Walked]


def walk() -> Report | None:
    """Run the tests and return their coverage; None if one fails."""
    files = [str(path) for path in MODULES]
    coverage = Coverage(branch=True, data_file=None, config_file=False, include=files)
    coverage.clear_exclude()  # no comment may hide a line from this test,
    coverage.clear_exclude("partial")  # nor a branch
    ignored = [f"--ignore={ROOT / 'tests' / name}" for name in LEFT_OUT]
    asked = [*ignored, *(str(ROOT / "tests" / name) for name in TESTS)]
    with coverage.collect():
        failed = pytest.main(["-q", "--tier=both", f"--rootdir={ROOT}", *asked])
    if failed:
        return None
    with TemporaryDirectory() as folder:
        out = Path(folder) / "walked.json"
        coverage.json_report(outfile=str(out))
        return msgspec.json.decode(out.read_bytes(), type=Report)


def main() -> int:
    """Measure, and print the uncovered parts; return 1 if there are any."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    began = time.monotonic()
    report = walk()
    if report is None:
        return 1
    left = [f"{name}: {what}" for name, each in report.files.items() for what in each.missed()]
    assert len(report.files) == len(MODULES)
    lines = sum(each.summary.num_statements for each in report.files.values())
    branches = sum(each.summary.num_branches for each in report.files.values())
    print(*left, sep="\n", end="\n" * bool(left))
    print(
        f"F8: {lines:,} lines and {branches:,} branches of {len(MODULES)} modules,"
        f" {len(left)} not walked, {time.monotonic() - began:.0f} s"
    )
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
