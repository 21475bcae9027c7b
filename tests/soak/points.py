"""F2: a crash at every point of every command of every game, and of the office and the keeper.

    python tests/soak/points.py

After each crash the files it left are opened, audited and compared row by row, and the command is
asked again, twice. (`make test-all` kills at the same points, but looks only once at files that
are the same to the byte; `make test` kills at a sample.)
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

from crash.enumeration import Report
from crash.reference import all_scenes
from crash.reporting import complaints, enumerated, told


def main(jobs: int) -> list[Report]:
    """Enumerate every part, several at once."""
    parts = [*dict.fromkeys(scene.part for scene in all_scenes())]
    with tempfile.TemporaryDirectory(prefix="f2-") as folder, ThreadPoolExecutor(jobs) as pool:
        done = [*pool.map(partial(enumerated, Path(folder), every=True), parts)]
    return [report for part in done for report in part]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=2, help="how many parts at once")
    parser.add_argument("--scenes", action="store_true", help="list the points of every scene")
    wanted = parser.parse_args()
    started = time.monotonic()
    reports = main(wanted.jobs)
    if wanted.scenes:
        for report in reports:
            print(f"{len(report.points):>4}  {report.scene}")
    print(told(reports))
    wrong = complaints(reports)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"F2: {len(wrong)} complaints, {time.monotonic() - started:.0f} s")
    sys.exit(1 if wrong else 0)
