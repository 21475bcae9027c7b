"""`tapis serve` and `tapis play` on an unusable installation: one sentence, exit code 2, no
traceback.

A folder stands for an installation: `tapis.db` and `tapis.key`. The commands run in this process;
one case of each runs in a process of its own.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from store.spoiling import a_folder, damaged, foreign, newer, truncated
from tapisvert.cli import main, serve
from tapisvert.cli.serve import open_house

Refusing = Callable[..., tuple[str, str]]
PATIENCE_S = 60


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    open_house(folder / "tapis.db").store.close()
    return folder


@pytest.fixture
def folder(served: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(served, tmp_path / "house"))


@pytest.fixture(scope="module")
def port() -> int:
    """Return a port that no process uses or gets from the system during these tests."""
    for number in range(20_000 + os.getpid() % 10_000, 32_000):
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", number))
            return number
    raise AssertionError("no free port")


@pytest.fixture
def refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Refusing]:
    """Run `tapis`; return the sentence and the exit code. No server may start."""

    def started(*_: object) -> None:
        raise AssertionError("it was not refused")

    def run(*arguments: object) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["tapis", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return sentence_of(ended.value.code, capsys.readouterr().err)

    monkeypatch.setattr(serve.Serving, "run", started)
    monkeypatch.setattr("tapisvert.cli.serve.Multiprocess.run", started)
    monkeypatch.setattr(serve, "write_log", lambda as_json: None)
    before = os.umask(0o022)
    yield run
    os.umask(before)


def sentence_of(exit_code: object, said: str) -> tuple[str, str]:
    assert "Traceback" not in said, said
    assert exit_code == 2, said
    (line,) = said.splitlines()
    assert line.startswith("tapis: ")
    assert line.endswith("]")
    sentence, _, code = line.removeprefix("tapis: ").removesuffix("]").rpartition(" [")
    return sentence, code


def other_key(path: Path) -> None:
    path.write_bytes(bytes(range(32)))


def exposed(path: Path) -> None:
    path.chmod(0o644)


SPOILT = [
    (damaged, "tapis.db", "store/damaged"),
    (truncated, "tapis.db", "store/damaged"),
    (newer, "tapis.db", "store/newer"),
    (foreign, "tapis.db", "store/not_ours"),
    (a_folder, "tapis.db", "store/unreadable"),
    (Path.unlink, "tapis.key", "seal/key_missing"),
    (other_key, "tapis.key", "seal/wrong_key"),
    (exposed, "tapis.key", "seal/key_exposed"),
]


def words(command: str, folder: Path, port: int) -> list[str]:
    """Return the command line to serve an installation, or to play there."""
    where = ["--database", f"sqlite:///{folder / 'tapis.db'}"]
    if command == "play":
        where = ["--data", str(folder), "--no-browser"]
    return [command, *where, "--port", str(port)]


@pytest.mark.parametrize("command", ["serve", "play"])
@pytest.mark.parametrize(("spoil", "file", "code"), SPOILT)
def test_a_spoilt_installation_is_refused_in_one_sentence_that_names_the_file(
    refused: Refusing,
    folder: Path,
    port: int,
    command: str,
    spoil: Callable[[Path], None],
    file: str,
    code: str,
) -> None:
    spoil(folder / file)
    sentence, told = refused(*words(command, folder, port))
    assert told == code
    assert str(folder / file) in sentence
    # A missing key is not made.
    assert (folder / "tapis.key").exists() == (code != "seal/key_missing")


@pytest.mark.parametrize("command", ["serve", "play"])
def test_the_program_itself_ends_with_that_sentence_and_code_2(
    folder: Path, port: int, command: str
) -> None:
    exposed(folder / "tapis.key")
    program = [f"{sysconfig.get_path('scripts')}/tapis", *words(command, folder, port)]
    ran = subprocess.run(program, capture_output=True, text=True, timeout=PATIENCE_S)
    assert sentence_of(ran.returncode, ran.stderr)[1] == "seal/key_exposed"


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
