"""Work on a Dask cluster: the same bits as alone, and one sentence for what cannot work."""

from __future__ import annotations

import datetime
import math
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import tapisvert
from lab.test_sweep import refusal
from lab.workers import cluster_of, scheduler
from tapisvert.lab import cluster as lab_cluster
from tapisvert.lab import cluster_jobs, mathematics, proof_store, sweep
from tapisvert.lab.cluster import Cluster, Tls, host_and_port, tls_of
from tapisvert.lab.cluster_work import code_id, play_rounds
from tapisvert.library.proving import best_first
from tapisvert.odds.simulation import play_block, simulate
from tapisvert.odds.tally import total
from tapisvert.sheets import load
from tiers import long

STUD = load("casino-stud")
ROUNDS, SEED, SIZE = 50_000, 7, 4096


@pytest.fixture(scope="module")
def here() -> Iterator[Cluster]:
    """A cluster of two threads of this process, for what does not depend on processes."""
    with cluster_of(2, processes=False) as found:
        yield found


# The same bits ------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [2, pytest.param(4, marks=long)])
def test_a_simulation_on_worker_processes_equals_the_one_alone(
    workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_jobs, "ROUNDS", SIZE)
    player = mathematics.simulated_player(STUD, "optimal")
    with cluster_of(workers) as cluster:
        tallies = list(cluster_jobs.play_on(cluster, STUD, "optimal", ROUNDS, SEED))
        found = tapisvert.simulate(STUD, ROUNDS, seed=SEED, cluster=cluster)
    assert [each.first for each in tallies] == list(range(0, ROUNDS, SIZE))
    assert total(tallies) == play_block(player, SEED, 0, ROUNDS)
    assert [each.record for each in found.bets] == simulate(player, ROUNDS, SEED)


@long
def test_a_sweep_on_worker_processes_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "BLOCK", 2)
    grid = {"play.pays.pair": ["1:1", "3:2", "2:1"], "play.pays.flush": ["4:1", "5:1", "6:1"]}
    alone, together = tmp_path / "alone.parquet", tmp_path / "together.parquet"
    rows = tapisvert.sweep(STUD, grid, out=alone)
    with cluster_of(4) as cluster:
        assert tapisvert.sweep(STUD, grid, out=together, cluster=cluster) == rows
    assert together.read_bytes() == alone.read_bytes()


@long
def test_a_worker_killed_in_the_middle_changes_nothing() -> None:
    """One of four worker processes is killed by SIGKILL while parts are running and waiting."""
    parts = [
        (code_id("casino-stud"), "casino-stud", STUD.body, "optimal", SEED, first, SIZE)
        for first in range(0, 64 * SIZE, SIZE)
    ]
    with cluster_of(4) as cluster:
        before = set(cluster.processes().values())
        running = cluster.run(play_rounds, parts)
        found = dict([next(running)])
        os.kill(min(before), signal.SIGKILL)
        assert len(found) < len(parts)
        found |= dict(running)
        left = set(cluster.processes().values())
    assert min(before) not in left
    alone = play_block(mathematics.simulated_player(STUD, "optimal"), SEED, 0, 64 * SIZE)
    assert total(found[number] for number in range(len(parts))) == alone


def test_a_proof_on_a_worker_is_the_shipped_one(here: Cluster) -> None:
    figures = tapisvert.prove("casino-stud", kept=False, cluster=here)
    assert [each.record for each in figures.bets] == best_first(proof_store.find(STUD))


def test_every_part_is_done_once_and_numbered(here: Cluster) -> None:
    found = list(here.run(math.comb, [(n, 2) for n in range(60)]))
    assert sorted(found) == [(n, math.comb(n, 2)) for n in range(60)]


def test_a_run_that_is_left_can_be_followed_by_another(here: Cluster) -> None:
    running = here.run(math.comb, [(n, 3) for n in range(60)])
    next(running)
    running.close()  # type: ignore[attr-defined]
    assert dict(here.run(math.factorial, [(5,)])) == {0: 120}


# Refusals -----------------------------------------------------------------------------------------


def test_a_part_that_fails_is_told_in_one_sentence(here: Cluster) -> None:
    refused = refusal(list, here.run(int, [("x",)]))
    assert refused.code == "cluster/failed"
    assert "ValueError" in str(refused.details["reason"])


def test_workers_with_another_version_are_refused(
    here: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.check("casino-stud")
    monkeypatch.setattr(lab_cluster, "code_id", lambda game: uuid4().hex)  # another each time
    assert refusal(tapisvert.simulate, STUD, 10, cluster=here).code == "cluster/version"


def test_a_worker_that_joins_later_with_another_version_is_refused(here: Cluster) -> None:
    part = ("another", "casino-stud", STUD.body, "optimal", SEED, 0, 10)
    assert refusal(list, here.run(play_rounds, [part])).code == "cluster/version"


def test_a_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_cluster, "NO_WORKERS_S", 1)
    with cluster_of(0, processes=False) as empty:
        assert refusal(empty.check, "casino-stud").code == "cluster/no_workers"
        assert refusal(list, empty.run(math.comb, [(2, 1)])).code == "cluster/no_workers"


def test_an_unknown_strategy_is_refused_before_any_work(here: Cluster) -> None:
    refused = refusal(tapisvert.simulate, STUD, 10, strategy="hope", cluster=here)
    assert refused.code == "simulate/strategy"


def test_an_address_nobody_answers_is_refused() -> None:
    with socket.socket() as bound:  # bound, not listening: nobody else takes the port
        bound.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{bound.getsockname()[1]}"
        assert refusal(tapisvert.cluster, address).code == "cluster/unreachable"


def test_a_server_that_is_no_scheduler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_cluster, "CONNECT_S", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        assert refusal(tapisvert.cluster, address).code == "cluster/unreachable"


@pytest.mark.parametrize(
    "address",
    [
        *("", "8786", "localhost:8786", "tcp://", "tcp://localhost", "tcp://localhost:x"),
        *("tcp://a:1/b", "tcp://localhost:99999", "tcp://[::1"),
        *("http://localhost:8786", "tls://localhost:8786"),
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    assert refusal(tapisvert.cluster, address).code == "cluster/address"


def test_addresses_of_both_kinds() -> None:
    tls = Tls("ca", "cert", "key")
    assert host_and_port("tcp://[::1]:8786", None) == ("::1", 8786)
    assert host_and_port("tls://play.example:1", tls) == ("play.example", 1)
    assert refusal(host_and_port, "tcp://localhost:1", tls).code == "cluster/address"


# TLS ----------------------------------------------------------------------------------------------


def test_tls_needs_all_three_files_and_readable_ones(tmp_path: Path) -> None:
    assert tls_of(None, None, None) is None
    assert refusal(tls_of, "ca.pem", None, None).code == "cluster/tls"
    absent = dict.fromkeys(("tls_ca", "tls_cert", "tls_key"), tmp_path / "none.pem")
    assert refusal(tapisvert.cluster, "tls://127.0.0.1:1", **absent).code == "cluster/tls"


def certified(folder: Path) -> Tls:
    """Write a certificate that signs itself; it is its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tapis")])
    begin = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=36_500))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    cert, secret = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
    return Tls(str(cert), str(cert), str(secret))


def test_a_cluster_with_tls_works_and_takes_nobody_without(tmp_path: Path) -> None:
    tls = certified(tmp_path)
    with scheduler(1, tls, processes=False) as started:
        address = started.scheduler_address
        assert address.startswith("tls://")
        with Cluster(address, tls) as cluster:
            assert dict(cluster.run(math.comb, [(5, 2)])) == {0: 10}
        plain = address.replace("tls://", "tcp://")
        assert refusal(tapisvert.cluster, plain).code == "cluster/unreachable"
