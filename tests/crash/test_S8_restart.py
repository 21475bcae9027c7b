"""S8: after a restart of either side, no transaction is lost or doubled, and both sides agree.

Server and client are separate processes and are killed with `kill -9`. The client follows
docs/http.md: it stores a command with its key before sending it, and resends commands without an
answer.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from crash.forked import PATIENCE_S
from crash.server import Server, serving
from houses import Guest
from tapisvert.rounds.stored_reply import unpack

CLIENT = Path(__file__).parent / "client.py"
ANTE = 1000
GRANT = 100_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("S8")) as made:
        yield made


class Player:
    """A guest whose client is started, killed and restarted."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server, self.guest = server, server.guest()
        self._file = folder / "client.json"
        self._file.write_text(json.dumps({"token": self.guest.token, "pending": None}))
        self.seat = self.guest.seat()
        self.round_id: str = self.seat["round_id"]

    @property
    def opening(self) -> tuple[str, dict[str, Any]]:
        body = {name: self.seat[name] for name in ("round_id", "commitment")}
        return "/rounds", {**body, "stakes": {"ante": ANTE}, "client_seed": "mine"}

    @property
    def folding(self) -> tuple[str, dict[str, Any]]:
        """Return the command that ends it: the ante is lost, whatever the cards."""
        choice = "fold" if self._may_fold() else "play"
        return f"/rounds/{self.round_id}/choices", {"step": 0, "choice": choice}

    def _may_fold(self) -> bool:
        ask = self.guest.get(f"/rounds/{self.round_id}").json()["round"]["ask"]
        return any(option["id"] == "fold" and option["legal"] for option in ask["options"])

    def dies(self, when: str, command: tuple[str, object]) -> None:
        """Start the client, and kill it with an unanswered command."""
        done = self._start("--die", when, "--command", json.dumps(command))
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert self.pending() is not None

    def starts(self, *command: object) -> dict[str, Any]:
        """Restart the client; return its answer and its view of the state."""
        done = self._start(*(("--command", json.dumps(command)) if command else ()))
        assert done.returncode == 0, done.stderr
        told: dict[str, Any] = json.loads(done.stdout)
        assert self.pending() is None
        return told

    def pending(self) -> dict[str, Any] | None:
        """Return the client's unanswered command."""
        found: dict[str, Any] | None = json.loads(self._file.read_text())["pending"]
        return found

    def stakes(self) -> list[int]:
        """Return this player's stakes in the ledger, in cents."""
        rows = self.server.rows(
            "SELECT units / 100000 FROM transfers WHERE reason = 'stake' AND round_id = ?",
            self.round_id,
        )
        return [cents for (cents,) in rows]

    def on_record(self, key: str) -> bool:
        return bool(self.server.rows("SELECT 1 FROM commands WHERE key = ?", key))

    def agrees(self, standing: dict[str, Any]) -> bool:
        """Tell whether the client's view equals the server's, seen by another session."""
        other = Guest(self.guest.client, self.guest.token)
        wallet = other.get("/wallet").json()
        waiting = [each["id"] for each in other.get("/rounds?status=open").json()["rounds"]]
        rounds = [other.get(f"/rounds/{name}").json()["round"] for name in waiting]
        return (standing["wallet"], standing["open"], standing["rounds"]) == (
            *(wallet, waiting),
            rounds,
        )

    def _start(self, *given: str) -> subprocess.CompletedProcess[str]:
        port = str(self.server.port)
        command = [sys.executable, str(CLIENT), str(self._file), port, *given]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )


def until(what: str, holds: Any) -> None:
    """Wait for a condition in another process."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.005)


# The client dies ----------------------------------------------------------------------------------


@pytest.mark.parametrize("when", ["before-sending", "after-sending"])
def test_S8_a_client_that_dies_with_an_unanswered_command_finds_it_done_once(
    server: Server, tmp_path: Path, when: str
) -> None:
    player = Player(server, tmp_path)
    player.dies(when, player.opening)
    key = (player.pending() or {})["key"]
    if when == "after-sending":
        until("the command is done", lambda: player.on_record(key))
    assert player.stakes() == ([ANTE] if when == "after-sending" else [])
    again = player.starts()
    assert again["resent"][0] == 201
    assert player.stakes() == [ANTE]
    assert again["standing"]["open"] == [player.round_id]
    assert player.agrees(again["standing"])
    status, ended = player.starts(*player.folding)["answer"]
    assert (status, ended["round"]["state"]) == (200, "settled")
    assert player.starts()["standing"]["open"] == []


# The server dies ----------------------------------------------------------------------------------


def test_S8_a_server_that_dies_with_a_command_it_has_not_read_takes_it_once_when_it_is_back(
    server: Server, tmp_path: Path
) -> None:
    player = Player(server, tmp_path)
    path, body = player.opening
    sent, failed = threading.Event(), list[Exception]()

    def trace(event: str, _: object) -> None:
        if event == "http11.send_request_body.complete":
            sent.set()

    def send() -> None:
        headers, watched = player.guest.headers("unread"), {"trace": trace}
        try:
            server.client.post(f"/api/v1{path}", json=body, headers=headers, extensions=watched)
        except (httpx.TransportError, RuntimeError) as error:  # killed, or its connections closed
            failed.append(error)

    os.kill(server.pid, signal.SIGSTOP)  # the command waits at a server that does not look
    sender = threading.Thread(target=send)
    sender.start()
    assert sent.wait(PATIENCE_S)
    assert sender.is_alive()
    server.restart(player.guest)
    sender.join(PATIENCE_S)
    assert failed, "nobody answered, and the client knows it"
    assert (player.on_record("unread"), player.stakes()) == (False, [])
    answer = player.guest.post(path, body, "unread")
    assert (answer.status_code, player.stakes()) == (201, [ANTE])
    assert player.guest.balance() == (GRANT - ANTE, ANTE)
    assert player.agrees(player.starts()["standing"])


def test_S8_a_server_that_dies_between_the_deed_and_the_reply_tells_it_when_it_is_back(
    server: Server, tmp_path: Path
) -> None:
    player = Player(server, tmp_path)
    player.dies("after-sending", player.opening)  # and the client with it
    key = (player.pending() or {})["key"]
    until("the command is done", lambda: player.on_record(key))
    server.restart(player.guest)
    again = player.starts()
    (kept,) = server.rows("SELECT reply FROM commands WHERE key = ?", key)
    assert again["resent"] == [201, json.loads(unpack(kept[0]))]
    assert player.stakes() == [ANTE]
    assert player.guest.balance() == (GRANT - ANTE, ANTE)
    assert player.agrees(again["standing"])


# Controls -----------------------------------------------------------------------------------------


def test_S8_even_a_client_that_forgets_its_key_cannot_stake_twice(
    server: Server, tmp_path: Path
) -> None:
    """Seat and step protect it besides the key."""
    player = Player(server, tmp_path)
    player.dies("after-sending", player.opening)
    key = (player.pending() or {})["key"]
    until("the command is done", lambda: player.on_record(key))
    path, body = player.opening
    refused = player.guest.post(path, body, "a new key")
    assert (refused.status_code, refused.json()["code"]) == (409, "round/already_open")
    assert player.stakes() == [ANTE]


def test_S8_a_cashier_that_takes_a_new_key_after_a_lost_reply_doubles_the_money(
    server: Server, tmp_path: Path
) -> None:
    """Control: where only the key distinguishes two commands, a new key is a new command."""
    made = json.loads(server.typed("operator", f"anne-{tmp_path.name}"[:64]))
    clerk = Guest(server.guest().client, made["token"])
    made = clerk.post("/operator/players", {"currency": "CAD"}).json()
    path, body = f"/operator/players/{made['player_id']}/deposits", {"cents": 700, "reference": "x"}
    assert clerk.post(path, body, "first").json()["balance_cents"] == 700  # and the reply is lost
    server.restart(clerk)
    assert clerk.post(path, body, "first").json()["balance_cents"] == 700
    shown = clerk.get(f"/operator/players/{made['player_id']}").json()
    assert shown["balance_cents"] == 700
    assert clerk.post(path, body, "another").json()["balance_cents"] == 1400
