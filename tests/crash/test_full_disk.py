"""A full disk under a real server: nothing is acknowledged, nothing is half done.

A limit on file sizes simulates the disk: beyond it every write of the server fails, at the commit
itself. The limit can be lifted while the server runs.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from crash.server import Server, serving
from houses import Guest


@contextmanager
def full_disk(server: Server) -> Iterator[None]:
    """Let no file of the server grow beyond the current size of its write-ahead log."""
    log = Path(f"{server.database}-wal")
    before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, before[1]))
    try:
        yield
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)


def check_unavailable(answer: Any) -> None:
    """Check that a command was refused because the database cannot be written."""
    assert (answer.status_code, answer.json()["code"]) == (503, "store/unavailable")
    assert answer.headers["content-type"].startswith("application/problem+json")
    assert answer.json()["retryable"] is True


def open_on(guest: Guest, seat: dict[str, Any], key: str) -> Any:
    asked = {name: seat[name] for name in ("round_id", "commitment")}
    return guest.post("/rounds", {**asked, "stakes": {"ante": 500}, "client_seed": "mine"}, key)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("full")) as running:
        yield running


def test_a_full_disk_refuses_commands_acknowledges_none_and_answers_queries(server: Server) -> None:
    guest = server.guest()
    seat = guest.seat()
    with full_disk(server):
        for _ in range(3):
            check_unavailable(open_on(guest, seat, "open"))
        check_unavailable(server.client.post("/api/v1/guests"))
        assert guest.get("/health").status_code == 200
        assert guest.balance() == (100_000, 0)
        assert guest.get("/rounds?status=open").json()["rounds"] == []
    opened = open_on(guest, seat, "open")
    assert (opened.status_code, opened.json()["round"]["id"]) == (201, seat["round_id"])
    assert open_on(guest, seat, "open").content == opened.content
    assert guest.balance() == (99_500, 500)


def test_a_round_open_when_the_disk_fills_up_is_finished_afterwards(server: Server) -> None:
    guest = server.guest()
    opened = guest.open({"ante": 500}).json()["round"]
    before = guest.get(f"/rounds/{opened['id']}").content
    with full_disk(server):
        check_unavailable(guest.choose(opened["id"], "play", key="choose"))
        assert guest.get(f"/rounds/{opened['id']}").content == before
    ended = guest.choose(opened["id"], "play", key="choose").json()
    assert ended["round"]["hands"]["player"] == opened["hands"]["player"]
    assert guest.balance() == (100_000 - 1_500 + ended["round"]["returned_cents"], 0)


def test_a_server_killed_while_its_disk_is_full_starts_where_it_was(server: Server) -> None:
    guest = server.guest()
    seat = guest.seat()
    with full_disk(server):
        check_unavailable(open_on(guest, seat, "open"))
        server.kill()
        server.start()  # on a disk with room again
    guest.client = server.guest().client
    assert guest.balance() == (100_000, 0)
    assert guest.seat() == seat
    assert open_on(guest, seat, "open").status_code == 201
    assert guest.balance() == (99_500, 500)


# The operator -------------------------------------------------------------------------------------

# A command of the operator in a process whose files may not grow past a size.
TYPED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
from tapisvert.cli import main
main()
"""


def typed_on_a_full_disk(server: Server, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command beside the server in a process whose log cannot grow."""
    size = Path(f"{server.database}-wal").stat().st_size
    command = [sys.executable, "-c", TYPED, str(size), *words]
    url = f"sqlite:///{server.database}"
    return subprocess.run(
        [*command, "--database", url], capture_output=True, text=True, timeout=60, check=False
    )


class Clerk(Guest):
    """An operator, and a real-money player with an open round."""

    def __init__(self, server: Server, name: str) -> None:
        made = json.loads(server.typed("operator", name))
        super().__init__(server.guest().client, made["token"])
        player = self.post("/operator/players", {"currency": "CAD"}).json()
        self.player, self.player_id = Guest(self.client, player["token"]), player["player_id"]
        self.at = f"/operator/players/{self.player_id}"
        self.post(f"{self.at}/deposits", {"cents": 10_000, "reference": "first"})
        self.round_id = self.player.open({"ante": 500}).json()["round"]["id"]

    def commands(self) -> dict[str, tuple[str, object]]:
        """Return commands by their keys: path and body."""
        return {
            "in": (f"{self.at}/deposits", {"cents": 2_500, "reference": "wire 4711"}),
            "out": (f"{self.at}/withdrawals", {"cents": 1_000, "reference": ""}),
            "void": (f"/operator/rounds/{self.round_id}/void", {"reason": "it froze"}),
            "stop": ("/operator/stops", {"scope": f"player:{self.player_id}", "reason": "why"}),
        }


def test_a_full_disk_refuses_the_operator_as_well_and_every_command_is_done_once_afterwards(
    server: Server,
) -> None:
    clerk = Clerk(server, "anne")
    before = clerk.get(clerk.at).content
    with full_disk(server):
        for key, (path, body) in 2 * [*clerk.commands().items()]:
            check_unavailable(clerk.post(path, body, key))
        check_unavailable(clerk.post("/operator/players", {"currency": "CAD"}))
        assert clerk.get(clerk.at).content == before
        assert clerk.player.balance() == (9_500, 500)
    for key, (path, body) in clerk.commands().items():
        done = clerk.post(path, body, key)
        assert done.status_code == 200, done.text
        assert clerk.post(path, body, key).content == done.content
    assert clerk.player.balance() == (10_000 + 2_500 - 1_000, 0)


def test_a_full_disk_refuses_the_command_line_with_one_sentence_and_moves_nothing(
    server: Server,
) -> None:
    clerk = Clerk(server, "bob")
    balance = (9_500, 500)
    for words, after in (
        (("cashier", "deposit", clerk.player_id, "25"), (12_000, 500)),
        (("void", clerk.round_id, "--reason", "it froze"), (12_500, 0)),
    ):
        refused = typed_on_a_full_disk(server, *words)
        assert (refused.returncode, refused.stdout) == (2, ""), refused.stderr
        assert "[store/unavailable]" in refused.stderr
        assert "Traceback" not in refused.stderr
        assert clerk.player.balance() == balance
        server.typed(*words)
        assert clerk.player.balance() == after
        balance = after
