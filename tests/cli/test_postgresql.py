"""`tapis` on PostgreSQL as typed: refusals, and a server with several workers."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from cli.typed import refused, tapis, typed
from crash.server import free_port
from games.stud import TAPIS
from postgres import server as postgresql
from stores import POSTGRESQL
from tiers import long

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)
PATIENCE_S = 60


def test_a_server_must_be_given_the_key_that_all_of_them_share() -> None:
    url = postgresql().fresh()
    sentence, code = refused(tapis("serve", "--database", url))
    assert (code, "--seed-key" in sentence) == ("serve/seed_key", True)
    assert refused(typed("audit", "--database", url))[1] == "audit/key"


def test_a_command_of_the_office_does_not_make_a_house_of_an_empty_database(tmp_path: Path) -> None:
    url, key = postgresql().empty(), tmp_path / "tapis.key"
    assert refused(typed("audit", "--database", url, "--seed-key", key))[1] == "store/unreadable"
    assert not key.exists()


def test_backups_are_left_to_postgresql_and_its_command_is_named(tmp_path: Path) -> None:
    url = postgresql().fresh()
    sentence, code = refused(typed("backup", tmp_path / "copy", "--database", url))
    assert (code, "pg_dump" in sentence) == ("backup/postgresql", True)
    sentence, code = refused(typed("restore", tmp_path / "copy", "--database", url))
    assert (code, "pg_restore" in sentence) == ("backup/postgresql", True)
    assert [*tmp_path.iterdir()] == []


class Processes:
    """A server with two workers, its parent process, and operator commands."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.where = ["--database", postgresql().empty(), "--seed-key", str(folder / "tapis.key")]
        serve = [str(TAPIS), "serve", *self.where, "--workers", "2", "--port", str(self.port)]
        with (folder / "log").open("wb") as log:
            self.parent = subprocess.Popen(serve, stdout=log, stderr=log)

    def children(self) -> set[int]:
        """Return the ids of the worker processes."""
        listed = Path(f"/proc/{self.parent.pid}/task/{self.parent.pid}/children").read_text()
        return {int(pid) for pid in listed.split() if _serves(int(pid))}

    def health(self) -> int:
        """Request the server's health on a new connection."""
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/api/v1/health").status_code
        except httpx.TransportError:
            return 0

    def office(self, *words: str) -> str:
        """Run an operator's command."""
        done = typed(*words, *self.where)
        assert done.returncode == 0, done.stderr
        return done.stdout


def _serves(pid: int) -> bool:
    """Return whether a process is a worker, not multiprocessing's resource tracker."""
    try:
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # gone meanwhile
        return False


def wait_until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < until, "it did not come true"
        time.sleep(0.05)


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    made = Processes(tmp_path)
    yield made
    made.parent.kill()
    made.parent.wait(PATIENCE_S)


@long
def test_several_processes_serve_one_database_and_end_with_the_one_that_started_them(
    processes: Processes, tmp_path: Path
) -> None:
    wait_until(lambda: processes.health() == 200 and len(processes.children()) == 2)
    made = msgspec.json.decode(processes.office("player", "add", "CAD"))
    processes.office("cashier", "deposit", made["player_id"], "25", "--key", "wire")
    again = processes.office("cashier", "deposit", made["player_id"], "25", "--key", "wire")
    assert msgspec.json.decode(again)["balance_cents"] == 2500
    assert "all in order" in processes.office("audit")
    other = tmp_path / "other.key"
    other.write_bytes(bytes(range(32)))
    other.chmod(0o600)
    where = [*processes.where[:2], "--seed-key", other]
    assert refused(typed("events", *where))[1] == "seal/wrong_key"
    # One that is killed is replaced, and the other goes on meanwhile.
    before = processes.children()
    os.kill(min(before), signal.SIGKILL)
    wait_until(lambda: processes.health() == 200)
    wait_until(lambda: len(processes.children() - {min(before)}) == 2)
    # And none outlives the one that started it.
    left = processes.children()
    processes.parent.kill()
    processes.parent.wait(PATIENCE_S)
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))
