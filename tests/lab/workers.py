"""Dask clusters of the tests: worker processes on this machine, or threads of this process."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from distributed import LocalCluster

from tapisvert.lab.cluster import Cluster, Tls, quiet, security_of


@contextmanager
def scheduler(workers: int, tls: Tls | None = None, processes: bool = True) -> Iterator[Any]:
    """Start a cluster; it ends with the block."""
    quiet()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Dask's own, about this machine
        with LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=processes,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            protocol="tls://" if tls else "tcp://",
            security=security_of(tls),
            silence_logs=logging.CRITICAL,
            memory_limit=0,
        ) as started:
            yield started


@contextmanager
def cluster_of(workers: int, tls: Tls | None = None, processes: bool = True) -> Iterator[Cluster]:
    """Start a cluster and connect to it."""
    with (
        scheduler(workers, tls, processes) as started,
        Cluster(started.scheduler_address, tls) as found,
    ):
        yield found
