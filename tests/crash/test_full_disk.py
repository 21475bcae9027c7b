"""A disk that takes no more, under a real server: nothing is acknowledged, nothing is half done.

The kernel's limit on file sizes stands in for the disk: past it every write of the server fails,
at the commit itself, and it can be lifted again while the server runs.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from crash.server import Server, serving
from houses import Guest


@contextmanager
def full_disk(server: Server) -> Iterator[None]:
    """Let no file of the server grow past what its write-ahead log has now."""
    log = Path(f"{server.database}-wal")
    before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, before[1]))
    try:
        yield
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)


def check_unavailable(answer: Any) -> None:
    """Check that a command was refused because nothing can be written."""
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


def test_a_full_disk_refuses_commands_acknowledges_none_and_answers_queries(
    server: Server,
) -> None:
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
