"""A Dask cluster on this machine: the same bits as alone, its speed-up, and a large sweep.

    python benches/cluster.py --write docs/performance.md

A simulation is played by one worker process and by four, then by four of which one is killed with
SIGKILL in the middle. The results must be equal to the last bit. Then 10,000 pay tables of Casino
Stud are proved in this process, and again by the four; the two files must be equal.
More workers than cores give no more speed.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from distributed import LocalCluster

import tapisvert
from page import require, table, write
from tapisvert.lab.cluster import Cluster, quiet

CHAPTER = "cluster"
GAME = "casino-stud"
SEED = 7
WARM = 1 << 22  # rounds for each worker before the clock starts
KILLED_AFTER = 0.3  # of the rounds
PRICES = {
    "play.pays.flush": range(1, 11),
    "play.pays.full-house": range(4, 14),
    "play.pays.straight": range(2, 12),
    "play.pays.three-of-a-kind": range(1, 11),
}


@contextmanager
def workers_of(count: int) -> Iterator[Cluster]:
    """Start worker processes of one thread each, and connect to them."""
    with (
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
            memory_limit=0,
        ) as started,
        tapisvert.cluster(started.scheduler_address) as cluster,
    ):
        yield cluster


def simulated(count: int, rounds: int, kill: bool = False) -> tuple[float, list[object]]:
    """Return the seconds of a simulation on warm workers, and its bets."""
    with workers_of(count) as cluster:
        tapisvert.simulate(GAME, WARM * count, cluster=cluster)
        before = cluster.processes().values()
        left = [min(before)] if kill else []

        def tell(done: float) -> None:
            if left and done > KILLED_AFTER:
                os.kill(left.pop(), signal.SIGKILL)

        begun = time.perf_counter()
        found = tapisvert.simulate(GAME, rounds, seed=SEED, cluster=cluster, progress=tell)
        seconds = time.perf_counter() - begun
        assert not kill or min(before) not in cluster.processes().values()
        return seconds, [each.record for each in found.bets]


def swept(folder: Path, cluster: Cluster | None) -> tuple[float, int, bytes]:
    """Return the seconds of a sweep, its number of sheets, and the bytes of its file."""
    path = folder / f"{'alone' if cluster is None else 'together'}.parquet"
    begun = time.perf_counter()
    found = tapisvert.sweep(GAME, PRICES, out=path, cluster=cluster)
    seconds = time.perf_counter() - begun
    return seconds, len({each.sheet_hash for each in found}), path.read_bytes()


def run(rounds: int, workers: int) -> list[tuple[str, str]]:
    """Return the rows to print."""
    quiet()
    warnings.simplefilter("ignore")  # Dask's own, about this machine
    alone, one = simulated(1, rounds)
    together, several = simulated(workers, rounds)
    killed, less_one = simulated(workers, rounds, kill=True)
    assert one == several == less_one
    with tempfile.TemporaryDirectory() as folder, workers_of(workers) as cluster:
        here, sheets, content = swept(Path(folder), None)
        there, _, same = swept(Path(folder), cluster)
    assert content == same
    load = " / ".join(f"{each:.0f}" for each in os.getloadavg())
    return [
        (f"{GAME}, {rounds:,} rounds, 1 worker", f"{alone:.1f} s"),
        (f"the same bits, {workers} workers", f"{together:.1f} s ({alone / together:.2f}x)"),
        (
            f"the same bits, {workers} workers, one killed after {KILLED_AFTER:.0%}",
            f"{killed:.1f} s",
        ),
        (f"{sheets:,} pay tables, no cluster", f"{here:.1f} s"),
        (f"the same bytes, {workers} workers", f"{there:.1f} s ({here / there:.2f}x)"),
        ("load of the machine at the end (1, 5, 15 minutes)", load),
    ]


def main() -> None:
    """Measure, then print the table or write it to a page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=400_000_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--write", type=Path, help="write the chapter of this page")
    asked = parser.parse_args()
    if asked.write:
        require(asked.write, [CHAPTER])
    text = table(("what", "figure"), run(asked.rounds, asked.workers))
    print(text)
    if asked.write:
        write(asked.write, CHAPTER, text)


if __name__ == "__main__":
    main()
