"""`tapis serve` and `tapis play` on what cannot be served: one sentence, exit code 2, no traceback.

A folder stands for an installation: `tapis.db` and `tapis.key`, as both commands keep them. The
commands run in this process; one case of each is a process of its own.
"""

from __future__ import annotations

import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tapisvert.cli import main, serving
from tapisvert.cli.serving import open_house

Refusing = Callable[..., tuple[str, str]]
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


@pytest.fixture
def refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Refusing]:
    """Run `tapis`; return the sentence and the code it ends with. No server may start."""

    def started(*_: object) -> None:
        raise AssertionError("it was not refused")

    def run(*arguments: object) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["tapis", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return sentence_of(ended.value.code, capsys.readouterr().err)

    monkeypatch.setattr(serving.Serving, "run", started)
    monkeypatch.setattr("tapisvert.cli.serving.Multiprocess.run", started)
    monkeypatch.setattr(serving, "write_log", lambda as_json: None)
    before = os.umask(0o022)
    yield run
    os.umask(before)


def sentence_of(exit_code: object, said: str) -> tuple[str, str]:
    """Return the one sentence of a refusal, and its code."""
    assert "Traceback" not in said, said
    assert exit_code == 2, said
    (line,) = said.splitlines()
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


SPOILT = [
    (damaged, "store/damaged", "tapis.db"),
    (truncated, "store/damaged", "tapis.db"),
    (newer, "store/newer", "tapis.db"),
    (foreign, "store/not_ours", "tapis.db"),
    (a_folder, "store/unreadable", "tapis.db"),
    (no_key, "seal/key_missing", "tapis.key"),
    (wrong_key, "seal/wrong_key", "tapis.key"),
    (exposed_key, "seal/key_exposed", "tapis.key"),
]


def words(command: str, folder: Path, port: int) -> list[str]:
    """Return what is typed to serve an installation, or to play there."""
    where = ["--database", f"sqlite:///{folder / 'tapis.db'}"]
    if command == "play":
        where = ["--data", str(folder), "--no-browser"]
    return [command, *where, "--port", str(port)]


@pytest.mark.parametrize("command", ["serve", "play"])
@pytest.mark.parametrize(("spoil", "code", "names"), SPOILT)
def test_a_spoilt_installation_is_refused_in_one_sentence_that_names_the_file(
    refused: Refusing,
    folder: Path,
    port: int,
    command: str,
    spoil: Callable[[Path], None],
    code: str,
    names: str,
) -> None:
    spoil(folder)
    sentence, told = refused(*words(command, folder, port))
    assert told == code
    assert str(folder / names) in sentence
    assert (folder / "tapis.key").exists() == (spoil is not no_key)  # a missing key is not made


@pytest.mark.parametrize(("command", "spoil"), [("serve", damaged), ("play", no_key)])
def test_the_program_itself_ends_with_that_sentence_and_code_2(
    folder: Path, port: int, command: str, spoil: Callable[[Path], None]
) -> None:
    spoil(folder)
    ran = subprocess.run(
        [Path(sysconfig.get_path("scripts")) / "tapis", *words(command, folder, port)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    _, code = sentence_of(ran.returncode, ran.stderr)
    assert code in {told for each, told, _ in SPOILT if each is spoil}


def test_two_workers_on_sqlite_are_refused(refused: Refusing, folder: Path, port: int) -> None:
    sentence, code = refused(*words("serve", folder, port), "--workers", 2)
    assert (code, "--workers 1" in sentence) == ("serve/one_worker", True)


@pytest.mark.parametrize(
    ("url", "codes"),
    [
        *((url, ["serve/bad_url"]) for url in ("tapis.db", "mysql://localhost/x", "sqlite:///")),
        ("sqlite://x", ["serve/bad_url"]),
        *((url, ["serve/bad_url", "store/unreadable"]) for url in ("sqlite:///.", "sqlite:////")),
        ("sqlite:///missing/tapis.db", ["store/unreadable"]),
    ],
)
def test_a_database_address_that_names_no_file_is_refused(
    refused: Refusing, url: str, codes: list[str], port: int
) -> None:
    sentence, code = refused("serve", "--database", url, "--port", port)
    assert code in codes
    assert code != "serve/bad_url" or url in sentence


def test_playing_in_a_folder_that_is_a_file_is_refused(
    refused: Refusing, tmp_path: Path, port: int
) -> None:
    (tmp_path / "file").touch()
    for data in (tmp_path / "file", tmp_path / "file" / "below"):
        sentence, code = refused("play", "--data", data, "--no-browser", "--port", port)
        assert (code, str(data) in sentence) == ("store/unwritable", True)


def test_a_port_that_is_taken_is_refused_by_serve(refused: Refusing, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        sentence, code = refused(*words("serve", folder, taken))
    assert (code, str(taken) in sentence) == ("serve/port", True)


def test_an_address_that_does_not_exist_is_not_called_a_taken_port(
    refused: Refusing, port: int
) -> None:
    sentence, _ = refused("serve", "--host", "192.0.2.1", "--port", port)
    assert "already taken" not in sentence
