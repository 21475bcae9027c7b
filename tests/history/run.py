"""F5: record a long history and check it against a single-threaded model.

    python tests/history/run.py --operations 100000

Most of it is recorded on a house in this process, the rest over HTTP on a server that is killed
repeatedly. Every kind of operation and every refusal must occur, or the run fails.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":  # then Python has put this folder first
    sys.path[0] = str(Path(__file__).parents[1])

from history.check import Verdict, check
from history.record import record_house
from history.records import read_history
from history.refusals import KINDS, REFUSALS
from history.wire import record_http

HTTP_SHARE = 0.3


def main() -> int:
    """Record and check; return 1 if anything is rejected or was never tried."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="a folder to keep the histories in")
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        where: Path = given.keep or Path(folder)
        where.mkdir(parents=True, exist_ok=True)
        here, there = where / "house.jsonl", where / "http.jsonl"
        over_http = int(given.operations * HTTP_SHARE)
        broken = record_house(here, given.operations - over_http, tell("recorded in this process"))
        recorded = record_http(there, over_http, tell("recorded over HTTP"))
        recorded_s = time.monotonic() - began
        verdicts = [
            check(list(read_history(path)), tell(f"players checked, {path.stem}"))
            for path in (here, there)
        ]
    print(file=sys.stderr)
    print(
        f"F5: recorded in {recorded_s:.0f} s, checked in"
        f" {time.monotonic() - began - recorded_s:.0f} s; the server was killed"
        f" {recorded.kills} times"
    )
    return report(verdicts, [*broken, *recorded.broken])


def tell(what: str) -> Callable[[int], None]:
    def show(done: int) -> None:
        print(f"\rF5: {done:,} {what}   ", end="", file=sys.stderr, flush=True)

    return show


def report(verdicts: list[Verdict], broken: list[str]) -> int:
    """Print the figures; return 1 if anything is rejected, was never tried, or stopped a client."""
    for each, where in zip(verdicts, ("in this process", "over HTTP"), strict=True):
        said = "REJECTED: " + each.reason
        if each.accepted:
            said = "accepted" + (" as a whole" if each.as_a_whole else f", {each.alone} alone")
        print(
            f"F5: {where}: {each.operations:,} operations of {each.players} players,"
            f" {each.states:,} states explored, {each.at_once} operations of a player at once,"
            f" {each.lost} never answered, one for {each.longest_lost} operations: {said}"
        )
    kinds = sum((each.kinds for each in verdicts), Counter[str]())
    codes = sum((each.codes for each in verdicts), Counter[str]())
    for what, found in (("kinds", kinds), ("answers", codes)):
        told = ", ".join(f"{name} {count:,}" for name, count in found.most_common())
        print(f"F5: {len(found)} {what}: {told}")
    never = sorted((KINDS - kinds.keys()) | (REFUSALS - codes.keys()))
    print(f"F5: never came up: {', '.join(never) or 'nothing'}")
    for each_broken in broken:
        print(f"F5: a client broke: {each_broken}")
    accepted = all(each.accepted and each.as_a_whole for each in verdicts)
    total = sum(each.operations for each in verdicts)
    print(f"F5: {total:,} operations {'accepted' if accepted else 'REJECTED'}")
    return int(not accepted or bool(never) or bool(broken))


if __name__ == "__main__":
    sys.exit(main())
