"""Run simulated nights and report broken invariants.

python tests/simulation/run.py --seeds 1000 --operations 300
python tests/simulation/run.py --seed 17 --operations 300     one night again, to the byte
python tests/simulation/run.py --seeds 100 --database postgresql
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Iterable, Iterator
from multiprocessing import Pool
from pathlib import Path

if __name__ == "__main__":  # then Python has put this folder first
    sys.path[0] = str(Path(__file__).parents[1])

import postgres
from simulation.night import Night, Report
from stores import POSTGRESQL, SQLITE


def one(asked: tuple[int, int, str]) -> Report:
    """Run one night; the house's log of its faults is discarded."""
    log = logging.getLogger("tapisvert")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        return Night(*asked).run()
    finally:
        log.setLevel(level)


def nights(
    seeds: Iterable[int], operations: int, jobs: int, engine: str = SQLITE
) -> Iterator[Report]:
    """Run nights, in this many processes."""
    asked = [(seed, operations, engine) for seed in seeds]
    if jobs == 1:
        yield from map(one, asked)
        return
    if engine == POSTGRESQL:
        postgres.server()  # one for all processes
    with Pool(jobs) as pool:
        yield from pool.imap(one, asked, chunksize=4)


def main() -> int:
    """Run the nights of the command line; return 1 if an invariant failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=40, help="how many seeds, from 1 on")
    parser.add_argument("--seed", type=int, help="only this seed")
    parser.add_argument("--operations", type=int, default=150)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--database", choices=[SQLITE, POSTGRESQL], default=SQLITE)
    parser.add_argument("--until", help="stop when this invariant does not hold")
    given = parser.parse_args()
    seeds = [given.seed] if given.seed is not None else range(1, given.seeds + 1)
    began, done = time.monotonic(), list[Report]()
    for report in nights(seeds, given.operations, given.jobs, given.database):
        done.append(report)
        if report.violations:
            print(f"seed {report.seed}: after {report.operations} operations", flush=True)
            for name, what in report.violations[:10]:
                print(f"  {name}: {what[:300]}")
            print(
                f"  again: python tests/simulation/run.py"
                f" --seed {report.seed} --operations {given.operations}"
                f" --database {given.database}"
            )
        if given.until in [name for name, _ in report.violations]:
            break
    failing = sum(bool(report.violations) for report in done)
    print(
        f"{len(done)} seeds, {sum(report.operations for report in done)} operations,"
        f" {sum(report.units for report in done)} units,"
        f" {sum(report.crashes for report in done)} crashes,"
        f" {failing} seeds with violations, {time.monotonic() - began:.1f} s"
    )
    if given.seed is not None:
        print(f"trace {done[0].trace}")
    return int(failing > 0)


if __name__ == "__main__":
    sys.exit(main())
