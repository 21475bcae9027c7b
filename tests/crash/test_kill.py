"""G10: `kill -9` after every command and in the middle of commands, on a real server.

The page cache survives a killed process, so this shows safety against crashes of the process, not
against loss of power; for that see the cut write-ahead log in `test_failing_disk.py`.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from crash.forked import PATIENCE_S
from crash.seen import check_survives
from crash.server import Server, serving
from tapisvert.rounds.proof import Proof, check_proof
from tiers import long

DELAY_MS_MAX = 6.0


@pytest.mark.parametrize("choice", ["play", pytest.param("fold", marks=long)])
def test_G10_a_server_killed_after_each_command_goes_on_where_it_was(
    tmp_path: Path, choice: str
) -> None:
    with serving(tmp_path) as server:
        guest = server.guest()
        check_survives(server, guest)
        server.kill()
        server.leave(10_000)
        server.restart(guest)

        seat = guest.seat()
        check_survives(server, guest)
        assert guest.seat() == seat

        asked = guest.open({"ante": 10_000}, key="open")
        opened = asked.json()["round"]
        assert (asked.status_code, opened["id"]) == (201, seat["round_id"])
        check_survives(server, guest, opened["id"])
        assert guest.balance() == (0, 10_000)

        more = guest.post("/wallet/play-money", key="more")
        check_survives(server, guest, opened["id"])
        assert guest.balance() == (100_000, 10_000)
        assert guest.post("/wallet/play-money", key="more").content == more.content

        ended = guest.choose(opened["id"], choice, key="choose")
        assert (ended.status_code, ended.json()["round"]["state"]) == (200, "settled")
        check_survives(server, guest, opened["id"])
        assert guest.choose(opened["id"], choice, key="choose").content == ended.content
        assert ended.json()["round"]["hands"]["player"] == opened["hands"]["player"]
        assert guest.seat() == ended.json()["seat"]

        assert len(guest.get("/rounds?status=unseen").json()["rounds"]) == 1
        assert guest.post(f"/rounds/{opened['id']}/seen").status_code == 204
        check_survives(server, guest, opened["id"])
        assert guest.get("/rounds?status=unseen").json()["rounds"] == []

        proof = guest.get(f"/rounds/{opened['id']}/proof").content
        assert check_proof(msgspec.json.decode(proof, type=Proof), "round.json").true
        print(f"{server.starts - 1} kills after commands; every view byte-equal afterwards")


class Interrupted:
    """A player whose every command is interrupted by a killed server, and sent again."""

    def __init__(self, server: Server) -> None:
        self.server, self.guest = server, server.guest()
        self.dice = Random(10)
        self.counts: Counter[str] = Counter()

    def command(
        self, send: Callable[[str], Any], done: Callable[[str], bool], repeatable: bool = True
    ) -> Any:
        """Send a command, kill the server meanwhile, send it again; return the final reply."""
        key = f"interrupted-{sum(self.counts.values())}"
        acknowledged: list[bytes] = []
        sending = threading.Event()

        def first_try() -> None:
            sending.set()
            try:
                answer = send(key)
            except httpx.TransportError:
                return
            assert answer.is_success, answer.text
            acknowledged.append(answer.content)

        thread = threading.Thread(target=first_try)
        thread.start()
        sending.wait(PATIENCE_S)
        time.sleep(self.dice.uniform(0, DELAY_MS_MAX) / 1000)
        self.server.restart(self.guest)
        thread.join(PATIENCE_S)
        applied = done(key)
        if acknowledged:
            assert applied, "acknowledged, and not there after the crash"
        name = "acknowledged" if acknowledged else "done, not told" if applied else "not done"
        self.counts[name] += 1
        answer = send(key)
        assert answer.is_success, answer.text
        assert not repeatable or acknowledged in ([], [answer.content])
        return answer

    def on_record(self, key: str) -> bool:
        return bool(self.server.rows("SELECT 1 FROM commands WHERE key = ?", key))


def come_in(player: Interrupted) -> None:
    """A guest has no key: asking again may leave one more guest, never half of one."""
    server = player.server
    (before,) = server.rows("SELECT COUNT(*) FROM players")[0]
    seen: list[int] = []

    def arrived(_: str) -> bool:
        seen.append(server.rows("SELECT COUNT(*) FROM players")[0][0])
        return seen[0] > int(before)

    player.command(lambda _: server.client.post("/api/v1/guests"), arrived, repeatable=False)
    whole = "SELECT COUNT(*) FROM players JOIN sessions ON player_id = players.id JOIN accounts"
    whole += " ON accounts.id = 'player:' || players.id WHERE units = 10000000000"
    assert server.rows(whole) == [(seen[0] + 1,)]


def take_seat(player: Interrupted) -> dict[str, Any]:
    """Asking again gives the same seat, so it needs no key."""
    pending = "SELECT id FROM rounds WHERE state = 'seated'"
    seat: dict[str, Any] = player.command(
        lambda _: player.guest.post("/seats", {"game": "casino-stud"}),
        lambda _: bool(player.server.rows(pending)),
    ).json()
    assert player.server.rows(pending) == [(seat["round_id"],)]
    return seat


def play_a_round(player: Interrupted, seat: dict[str, Any], choice: str) -> dict[str, Any]:
    """Open and choose, both interrupted; each must take effect exactly once."""
    guest = player.guest
    before, held = guest.balance()
    assert held == 0
    stakes = {"ante": 300, "bonus": 200}
    asked = {"stakes": stakes, "client_seed": "mine"}
    asked |= {name: seat[name] for name in ("round_id", "commitment")}
    opened = player.command(lambda key: guest.post("/rounds", asked, key), player.on_record).json()
    assert guest.balance() == (before - 500, 500)
    assert opened["wallet"] == {
        "currency": "FUN",
        "balance_cents": before - 500,
        "held_cents": 500,
    }
    path = f"/rounds/{opened['round']['id']}/choices"
    reply = player.command(
        lambda key: guest.post(path, {"step": 0, "choice": choice}, key), player.on_record
    ).json()
    next_seat: dict[str, Any] = reply["seat"]
    ended, staked = reply["round"], 500 + (600 if choice == "play" else 0)
    assert (ended["state"], ended["staked_cents"]) == ("settled", staked)
    assert guest.balance() == (before - staked + ended["returned_cents"], 0)
    assert ended["hands"]["player"] == opened["round"]["hands"]["player"]
    assert guest.seat() == next_seat
    return next_seat


@pytest.mark.parametrize("rounds", [1, pytest.param(4, marks=long)])  # `make soak`: F3, 500 kills
def test_G10_a_server_killed_in_the_middle_of_commands_does_each_of_them_once(
    tmp_path: Path, rounds: int
) -> None:
    with serving(tmp_path) as server:
        player = Interrupted(server)
        come_in(player)
        seat = take_seat(player)
        choices = [player.dice.choice(["play", "fold"]) for _ in range(rounds)]
        for choice in choices:
            seat = play_a_round(player, seat, choice)
        server.kill()
        server.leave(0)
        server.restart(player.guest)
        player.command(
            lambda key: player.guest.post("/wallet/play-money", key=key), player.on_record
        )
        assert player.guest.balance() == (100_000, 0)
        assert len(player.guest.get("/rounds").json()["rounds"]) == len(choices)
        print(f"{sum(player.counts.values())} kills in flight: {dict(player.counts)}")
        assert sum(player.counts.values()) == 3 + 2 * rounds
