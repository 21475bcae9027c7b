"""Replay golden rounds under coverage: run as a process by `walk`.

Nothing of the house is imported before the measurement begins: imports run lines too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from coverage import Coverage


def measure(out: Path, recordings: Iterable[str], scripts: list[str]) -> None:
    """Replay recordings and write coverage's report of the scripts."""
    coverage = Coverage(branch=True, data_file=None, config_file=False, include=scripts)
    coverage.clear_exclude()  # no comment in a script may hide a line from this check,
    coverage.clear_exclude("partial")  # nor a branch
    with coverage.collect():
        from tapisvert.games.registry import admit
        from tapisvert.testing.golden import play, read, sheet_of

        for path in map(Path, recordings):
            golden = read(path)
            admit(golden.game)  # it may be incomplete
            play(golden, sheet_of(golden, path.parent), len(golden.choices))
    coverage.json_report(outfile=str(out))


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    measure(Path(sys.argv[1]), asked["recordings"], asked["scripts"])
