"""Bugs planted in a copy of the house: a history recorded on it must be rejected.

    python tests/history/planted.py                    all of them
    python tests/history/planted.py win-paid-twice     only these

The patches are those of the simulator (tests/planted). The recorder runs on the patched copy; the
checker and its model run on the unpatched house. Bugs that no client can observe are listed here
with the reason, and must be accepted.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":  # then Python has put this folder first
    sys.path[0] = str(Path(__file__).parents[1])

from history.check import Verdict, check
from history.records import read_history
from simulation.planted import PATCHES, plant, read_patch

OPERATIONS, ATTEMPTS = 4_000, 4
RECORD = Path(__file__).with_name("record.py")
TIMEOUT_S = 600

_AUDIT = "only `tapis audit` looks at it: no reply has a "
_NO_POT = "no jackpot is open in a recorded history"
INVISIBLE: dict[str, str] = {
    "hash-not-chained": _AUDIT + "hash of a transfer",
    "mark-not-renewed": _AUDIT + "mark of a round's record",
    "seal-skips-a-row": _AUDIT + "seal of the ledger",
    "fold-moves-nothing": _NO_POT,
    "part-after-the-win": _NO_POT,
}


class Judged(NamedTuple):
    """The result for one planted bug."""

    name: str
    verdict: Verdict
    attempts: int
    seconds: float

    @property
    def rejected(self) -> bool:
        """Tell whether the checker rejected the history conclusively."""
        return not self.verdict.accepted and not self.verdict.undecided


def judge(path: Path, operations: int = OPERATIONS, attempts: int = ATTEMPTS) -> Judged:
    """Record on a copy with the bug, and check; repeat if nothing was found."""
    began, verdict, attempt = time.monotonic(), Verdict(), 0
    most = 1 if path.stem in INVISIBLE else attempts
    with tempfile.TemporaryDirectory() as folder:
        copy = plant(read_patch(path), Path(folder))
        while attempt < most and verdict.accepted:
            attempt += 1
            history = Path(folder) / f"{attempt}.jsonl"
            record(copy, history, operations)
            verdict = check(list(read_history(history)))
    return Judged(path.stem, verdict, attempt, time.monotonic() - began)


def record(copy: Path, history: Path, operations: int) -> None:
    """Run the recorder on a copy of the house. Clients may fail on wrong answers."""
    subprocess.run(
        [sys.executable, RECORD, "--operations", str(operations), "--out", history],
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def main() -> int:
    """Judge every planted bug; return 1 if an observable one is accepted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=2, help="recordings at once")
    parser.add_argument("names", nargs="*", help="only these")
    given = parser.parse_args()
    paths = [path for path in PATCHES if not given.names or path.stem in given.names]
    began, rejected, wrong = time.monotonic(), 0, 0
    with ThreadPoolExecutor(given.jobs) as threads:
        for judged in threads.map(judge, paths):
            rejected += judged.rejected
            expected = judged.rejected != (judged.name in INVISIBLE)
            wrong += not expected
            what = "rejected" if judged.rejected else "accepted"
            what = "undecided" if judged.verdict.undecided else what
            why = judged.verdict.reason or INVISIBLE.get(judged.name, "")
            note = "" if expected else "  UNEXPECTED"
            print(
                f"{judged.name}: {what} ({judged.attempts} x {judged.verdict.operations}"
                f" operations, {judged.seconds:.0f} s){note}: {why[:300]}",
                flush=True,
            )
    print(
        f"F5: {len(paths)} planted bugs, {rejected} rejected, {len(paths) - rejected} accepted,"
        f" {wrong} unexpected; {time.monotonic() - began:.0f} s"
    )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
