"""`tapis serve` and `tapis play` on what cannot be served: one sentence, exit code 2, no traceback.

A folder stands for an installation: `tapis.db` and `tapis.key`, as both commands keep them.
"""

from __future__ import annotations

import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from tapisvert.cli.serving import open_house

TAPIS = Path(sysconfig.get_path("scripts")) / "tapis"
PATIENCE_S = 60


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation that has been served once."""
    folder = tmp_path_factory.mktemp("served")
    open_house(folder / "tapis.db").store.close()
    return folder


@pytest.fixture
def folder(served: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(served, tmp_path / "house"))


@pytest.fixture(scope="module")
def port() -> int:
    """Return a port nobody listens on: no command of this file gets as far as listening."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
        return found


def refused(*arguments: object) -> tuple[str, str]:
    """Run `tapis`; return the sentence and the code it ends with."""
    ran = subprocess.run(
        [TAPIS, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert "Traceback" not in ran.stderr, ran.stderr
    assert ran.returncode == 2, ran.stderr
    (line,) = ran.stderr.splitlines()
    assert line.startswith("tapis: ")
    assert line.endswith("]")
    sentence, _, code = line.removeprefix("tapis: ").removesuffix("]").rpartition(" [")
    return sentence, code


def damaged(folder: Path) -> None:
    with (folder / "tapis.db").open("r+b") as file:
        file.seek(8192)
        file.write(random.Random(4).randbytes(16384))


def truncated(folder: Path) -> None:
    os.truncate(folder / "tapis.db", 10_000)


def newer(folder: Path) -> None:
    with sqlite3.connect(folder / "tapis.db") as file:
        file.execute("PRAGMA user_version = 99")
    file.close()


def foreign(folder: Path) -> None:
    (folder / "tapis.db").unlink()
    with sqlite3.connect(folder / "tapis.db") as file:
        file.execute("CREATE TABLE recipes (soup TEXT)")
    file.close()


def a_folder(folder: Path) -> None:
    (folder / "tapis.db").unlink()
    (folder / "tapis.db").mkdir()


def no_key(folder: Path) -> None:
    (folder / "tapis.key").unlink()


def wrong_key(folder: Path) -> None:
    (folder / "tapis.key").write_bytes(bytes(range(32)))


def exposed_key(folder: Path) -> None:
    (folder / "tapis.key").chmod(0o644)


@pytest.mark.parametrize("command", ["serve", "play"])
@pytest.mark.parametrize(
    ("spoil", "code", "names"),
    [
        (damaged, "store/damaged", "tapis.db"),
        (truncated, "store/damaged", "tapis.db"),
        (newer, "store/newer", "tapis.db"),
        (foreign, "store/not_ours", "tapis.db"),
        (a_folder, "store/unreadable", "tapis.db"),
        (no_key, "seal/key_missing", "tapis.key"),
        (wrong_key, "seal/wrong_key", "tapis.key"),
        (exposed_key, "seal/key_exposed", "tapis.key"),
    ],
)
def test_a_spoilt_installation_is_refused_in_one_sentence_that_names_the_file(
    folder: Path, port: int, command: str, spoil: Callable[[Path], None], code: str, names: str
) -> None:
    spoil(folder)
    where: list[object] = ["--database", f"sqlite:///{folder / 'tapis.db'}"]
    if command == "play":
        where = ["--data", folder, "--no-browser"]
    sentence, told = refused(command, *where, "--port", port)
    assert told == code
    assert str(folder / names) in sentence


def test_a_missing_key_is_not_made_by_starting_the_server(folder: Path, port: int) -> None:
    no_key(folder)
    refused("serve", "--database", f"sqlite:///{folder / 'tapis.db'}", "--port", port)
    assert not (folder / "tapis.key").exists()


def test_two_workers_on_sqlite_are_refused(folder: Path, port: int) -> None:
    url = f"sqlite:///{folder / 'tapis.db'}"
    sentence, code = refused("serve", "--database", url, "--workers", 2, "--port", port)
    assert (code, "--workers 1" in sentence) == ("serve/one_worker", True)


@pytest.mark.parametrize("url", ["tapis.db", "mysql://localhost/x", "sqlite:///", "sqlite://x"])
def test_a_database_address_that_is_none_is_refused(url: str, port: int) -> None:
    sentence, code = refused("serve", "--database", url, "--port", port)
    assert (code, url in sentence) == ("serve/bad_url", True)


@pytest.mark.parametrize("url", ["sqlite:///.", "sqlite:////"])
def test_a_database_address_that_names_no_file_is_refused(url: str, port: int) -> None:
    _, code = refused("serve", "--database", url, "--port", port)
    assert code in ("serve/bad_url", "store/unreadable")


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path, port: int) -> None:
    url = f"sqlite:///{tmp_path / 'missing' / 'tapis.db'}"
    assert refused("serve", "--database", url, "--port", port)[1] == "store/unreadable"


def test_playing_in_a_folder_that_is_a_file_is_refused(tmp_path: Path, port: int) -> None:
    (tmp_path / "file").touch()
    for data in (tmp_path / "file", tmp_path / "file" / "below"):
        sentence, code = refused("play", "--data", data, "--no-browser", "--port", port)
        assert (code, str(data) in sentence) == ("store/unwritable", True)


def test_a_port_that_is_taken_is_refused_by_serve(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        url = f"sqlite:///{folder / 'tapis.db'}"
        sentence, code = refused("serve", "--database", url, "--port", taken)
    assert (code, str(taken) in sentence) == ("serve/port", True)


def test_an_address_that_does_not_exist_is_not_called_a_taken_port(port: int) -> None:
    sentence, _ = refused("serve", "--host", "192.0.2.1", "--port", port)
    assert "already taken" not in sentence
