"""`tapis sweep`, `tapis cluster` and `--cluster`: what they print, and their refusals."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from pyarrow import parquet

from cli.typed import PATIENCE_S, refused, typed
from crash.server import free_port
from games.stud import TAPIS
from lab.test_sweep import Tossed
from lab.workers import scheduler
from tapisvert.cli.cluster import Where, connected
from tapisvert.extras import PACKAGES
from tapisvert.lab import cluster_work

VARY = ("--vary", "play.pays.flush=4:8", "--vary", "play.times_ante=1:2")
NOBODY = "tcp://127.0.0.1:1"


@pytest.fixture
def tossed(monkeypatch: pytest.MonkeyPatch) -> Tossed:
    made = Tossed()
    monkeypatch.setattr(cluster_work, "figures_of", made)
    return made


def test_a_sweep_writes_its_file_and_says_so(tossed: Tossed, tmp_path: Path) -> None:
    out = tmp_path / "stud.parquet"
    told = typed("sweep", "casino-stud", *VARY, "--out", out, "--set", "ante.pays=2:1")
    assert (told.returncode, told.stderr) == (0, "")
    assert re.fullmatch(rf"{out}: 10 sheets, 20 figures  \(\d+\.\d s\)\n", told.stdout)
    assert parquet.read_table(out).num_rows == 20
    assert typed("sweep", "casino-stud", *VARY, "--out", out, "--set", "ante.pays=2:1").stdout
    assert tossed.sheets == 10
    other = typed("sweep", "casino-stud", *VARY, "--out", out)
    assert refused(other)[1] == "sweep/exists"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--vary", "play.pays.flush=8:4"), "sweep/vary"),
        (("--vary", "play.pays.flush=4:8", "--vary", "play.pays.flush=4:8"), "sweep/vary"),
        (("--vary", "play.pays.fluhs=4:8"), "sheet/unknown_key"),
        (("--vary", "play.times_ante=0:2"), "sheet/invalid"),
        (("--vary", "play.pays.flush=0:100:1/100", "--vary", "ante.pays=1:20"), "sweep/too_many"),
        ((*VARY, "--cluster", NOBODY), "cluster/unreachable"),
        ((*VARY, "--cluster", "localhost"), "cluster/address"),
        ((*VARY, "--cluster", NOBODY, "--tls-ca", "ca.pem"), "cluster/tls"),
        ((*VARY, "--tls-ca", "a", "--tls-cert", "b", "--tls-key", "c"), "cluster/tls"),
    ],
)
def test_what_cannot_be_swept_is_said_in_one_sentence(
    words: tuple[str, ...], code: str, tmp_path: Path
) -> None:
    told = typed("sweep", "casino-stud", *words, "--out", tmp_path / "a.parquet")
    assert refused(told)[1] == code
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("sweep", "casino-stud", *VARY, "--out", "a.parquet"),
        ("simulate", "casino-stud", "--cluster", NOBODY),
        ("prove", "casino-stud", "--cluster", NOBODY),
        ("cluster",),
    ],
    ids=lambda words: str(words[0]),
)
def test_without_the_extra_one_sentence_names_it(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PACKAGES, "lab", ("a_package_that_nobody_has",))
    sentence, code = refused(typed(*words))
    assert code == "extra/missing"
    assert "pip install 'tapisvert[lab]'" in sentence


@pytest.mark.parametrize("command", ["simulate", "prove"])
def test_an_address_nobody_answers_is_said_in_one_sentence(command: str) -> None:
    told = typed(command, "casino-stud", "--cluster", NOBODY)
    assert refused(told)[1] == "cluster/unreachable"


def test_the_dashboard_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with scheduler(1, processes=False) as started:
        with connected(Where(started.scheduler_address)) as cluster:
            assert cluster is not None
        printed = capsys.readouterr().err
        assert printed == f"Dashboard: {started.dashboard_link}\n"


def test_a_cluster_of_other_machines_without_tls_is_warned_of() -> None:
    told = typed("prove", "casino-stud", "--cluster", "tcp://nowhere.invalid:8786")
    warning, sentence = told.stderr.splitlines()
    assert warning.startswith("tapis: warning: other machines can reach nowhere.invalid")
    assert sentence.endswith("[cluster/unreachable]")


def test_a_cluster_is_started_and_ended_by_ctrl_c() -> None:
    ports = [free_port(), free_port()]
    options = ("--workers", "1", "--port", str(ports[0]), "--dashboard-port", str(ports[1]))
    with subprocess.Popen(
        [TAPIS, "cluster", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith(f"1 workers at tcp://127.0.0.1:{ports[0]} ")
        assert process.stdout.readline().startswith(f"Dashboard: http://127.0.0.1:{ports[1]}/")
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: workers get it too
        _, complaints = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, complaints) == (0, "")


def test_a_port_that_is_taken_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        told = typed("cluster", "--port", taken.getsockname()[1])
    assert refused(told)[1] == "serve/port"
