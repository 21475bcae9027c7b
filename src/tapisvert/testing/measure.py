"""Replays golden rounds under coverage; `walk` runs it as a process.

No module of the product is imported before the measurement starts, because imports execute lines.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from coverage import Coverage


def measure(out: Path, recordings: Iterable[str], scripts: list[str]) -> None:
    """Replay recordings and write the coverage report of the scripts."""
    coverage = Coverage(branch=True, data_file=None, config_file=False, include=scripts)
    coverage.clear_exclude()  # ignore "no cover" comments in scripts
    coverage.clear_exclude("partial")  # and "no branch" comments
    with coverage.collect():
        from tapisvert.games.registry import admit
        from tapisvert.testing.golden import play, read, sheet_of

        for path in map(Path, recordings):
            golden = read(path)
            admit(golden.game)  # the game may be incomplete
            play(golden, sheet_of(golden, path.parent), len(golden.choices))
    coverage.json_report(outfile=str(out))


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    measure(Path(sys.argv[1]), asked["recordings"], asked["scripts"])
