"""Speed-up of a Dask cluster on this machine, and the time of a large sweep.

    python benches/cluster.py [ROUNDS [WORKERS]]

A simulation runs on one worker process and on several; the results must be equal. Then 10,000 pay
tables of Casino Stud are proved in this process. More workers than cores give no more speed.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path

from distributed import LocalCluster

import tapisvert
from tapisvert.lab.cluster import quiet

GAME = "casino-stud"
PRICES = {
    "play.pays.flush": range(1, 11),
    "play.pays.full-house": range(4, 14),
    "play.pays.straight": range(2, 12),
    "play.pays.three-of-a-kind": range(1, 11),
}


def simulated(workers: int, rounds: int) -> tuple[float, list[object]]:
    """Return the seconds of a simulation on this many workers, once they are warm, and its bets."""
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
            memory_limit=0,
        ) as started,
        tapisvert.cluster(started.scheduler_address) as cluster,
    ):
        tapisvert.simulate(GAME, 2**20 * 4 * workers, cluster=cluster)
        begun = time.perf_counter()
        found = tapisvert.simulate(GAME, rounds, seed=7, cluster=cluster)
        return time.perf_counter() - begun, [each.record for each in found.bets]


def run(rounds: int = 200_000_000, workers: int = 4) -> list[tuple[str, str]]:
    """Return the rows to print."""
    quiet()
    warnings.simplefilter("ignore")  # Dask's own, about this machine
    alone, one = simulated(1, rounds)
    together, several = simulated(workers, rounds)
    assert one == several
    with tempfile.TemporaryDirectory() as folder:
        begun, used = time.perf_counter(), time.process_time()
        found = tapisvert.sweep(GAME, PRICES, out=Path(folder) / "sweep.parquet")
        seconds, processor = time.perf_counter() - begun, time.process_time() - used
    sheets = len(found) // 5
    cores = f"{os.cpu_count()} cores"
    return [
        (f"{GAME}, {rounds:,} rounds on 1 worker", f"{alone:.1f} s"),
        (f"the same on {workers} workers, {cores}", f"{together:.1f} s ({alone / together:.2f}x)"),
        (f"{sheets:,} pay tables, no cluster", f"{seconds:.1f} s, {processor:.1f} s of processor"),
    ]


if __name__ == "__main__":
    for what, figure in run(*map(int, sys.argv[1:])):
        print(f"{what:60} {figure}")
