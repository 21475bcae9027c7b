"""`tapis cluster`: a Dask cluster on this machine; and the options of commands that use one."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from tapisvert.cli.help import command
from tapisvert.cli.options import PATH, C, Integer

if TYPE_CHECKING:
    from tapisvert.lab.cluster import Cluster

WORKERS_MAX = 256


class Where(NamedTuple):
    """The cluster that a command runs on; without an address, none."""

    address: str | None = None
    tls_ca: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None


HERE = Where()


def with_tls(function: C) -> C:
    """Add the options `--tls-ca`, `--tls-cert` and `--tls-key`."""
    ca = click.option("--tls-ca", type=PATH, help="Certificate of the cluster's authority (PEM).")
    cert = click.option("--tls-cert", type=PATH, help="Own certificate for the cluster (PEM).")
    key = click.option("--tls-key", type=PATH, help="Key of the own certificate (PEM).")
    return ca(cert(key(function)))


def on_cluster(function: C) -> C:
    """Add the options of a command that can run on a cluster."""
    told = "Run on the Dask cluster tcp://HOST:PORT."
    return click.option("--cluster", metavar="ADDRESS", help=told)(with_tls(function))


@contextmanager
def connected(where: Where) -> Iterator[Cluster | None]:
    """Connect to a cluster; print its dashboard's address, and a warning if it is open."""
    from tapisvert.lab.cluster import Cluster, host_and_port, is_loopback, quiet, tls_of
    from tapisvert.refusal import Refused

    tls = tls_of(*where[1:])
    if where.address is None:
        if tls is not None:
            raise Refused("cluster/tls", reason="TLS files belong to --cluster")
        yield None
        return
    host, _ = host_and_port(where.address, tls)
    if tls is None and not is_loopback(host):
        warn_of(host)
    quiet()
    with Cluster(where.address, tls) as cluster:
        print(f"Dashboard: {cluster.dashboard}", file=sys.stderr)
        yield cluster


def warn_of(host: str) -> None:
    """Warn of a cluster that is reachable from other machines without TLS."""
    told = f"other machines can reach {host}; without TLS, anyone who connects can run any code"
    print(f"tapis: warning: {told} on the cluster.", file=sys.stderr)


@command()
@click.option(
    "--workers",
    type=Integer(1, WORKERS_MAX),
    help="Worker processes; default one per core.",
)
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option("--port", default=8786, help="Port of the scheduler.")
@click.option("--dashboard-port", default=8787, help="Port of the dashboard.")
@with_tls
def cluster(
    workers: int | None,
    host: str,
    port: int,
    dashboard_port: int,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
) -> None:
    """Start a Dask cluster on this machine for the option `--cluster`; Ctrl-C ends it.

    Example: `tapis cluster --workers 4`, then
    `tapis sweep casino-stud --vary play.pays.flush=4:8 --out flush.parquet --cluster
    tcp://127.0.0.1:8786`
    """
    from tapisvert.cli.serve import must_be_free
    from tapisvert.extras import need
    from tapisvert.lab.cluster import is_loopback, quiet, security_of, tls_of

    need("prove")
    need("lab")
    tls = tls_of(tls_ca, tls_cert, tls_key)
    security = security_of(tls)
    for each in (port, dashboard_port):
        must_be_free(host, each)
    if tls is None and not is_loopback(host):
        warn_of(host)
    from distributed import LocalCluster

    quiet()
    warnings.simplefilter("ignore")  # Dask's warnings about this machine
    # The workers inherit this. A terminal sends Ctrl-C to them too; this process ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ended = threading.Event()
    with LocalCluster(
        n_workers=workers or os.cpu_count() or 1,
        threads_per_worker=1,
        host=host,
        scheduler_port=port,
        dashboard_address=f"{host}:{dashboard_port}",
        protocol="tls://" if tls else "tcp://",
        security=security,
        silence_logs=logging.CRITICAL,
        memory_limit=0,  # Dask would end a worker with large tables
    ) as started:
        for each_signal in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each_signal, lambda *_: ended.set())
        count = len(started.workers)
        print(f"{count} workers at {started.scheduler_address}  (Ctrl-C ends them)")
        print(f"Dashboard: {started.dashboard_link}", flush=True)
        ended.wait()
