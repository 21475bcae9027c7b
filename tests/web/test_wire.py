"""A request that never ends is sent away; the limit is shortened, so that nobody waits for it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from houses import make_house
from tapisvert.web import create_app, wire

BEGINNINGS = {
    "nothing": b"",
    "half a head": b"GET /api/v1/health HTTP/1.1\r\nHost: 127",
    "half a body": b"POST /api/v1/guests HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
}
WHOLE = b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(wire, "REQUEST_S_MAX", 0.2)
    house = make_house(tmp_path / "tapis.db")
    with socket.create_server(("127.0.0.1", 0)) as door:
        config = uvicorn.Config(create_app(house), http=wire.Wire, log_level="critical")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([door],))
        thread.start()
        yield door.getsockname()[1]
        server.should_exit = True
        thread.join()
    house.store.close()


def heard(line: socket.socket) -> bytes:
    """Return all that is said until the other side hangs up."""
    return b"".join(iter(lambda: line.recv(4096), b""))


@pytest.mark.parametrize("begun", BEGINNINGS.values(), ids=BEGINNINGS)
def test_a_request_that_does_not_end_is_answered_408_and_closed(port: int, begun: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        line.sendall(begun)
        assert heard(line).startswith(b"HTTP/1.1 408 ")


def test_a_request_that_ends_is_answered_and_the_next_has_its_own_time(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        for _ in range(2):
            line.sendall(WHOLE)
            assert line.recv(4096).startswith(b"HTTP/1.1 200 ")
        line.sendall(WHOLE[:20])
        assert b" 408 " in heard(line)


def test_a_slow_request_keeps_nobody_else_waiting(port: int) -> None:
    with (
        socket.create_connection(("127.0.0.1", port), timeout=20) as slow,
        socket.create_connection(("127.0.0.1", port), timeout=20) as quick,
    ):
        slow.sendall(BEGINNINGS["half a body"])
        quick.sendall(WHOLE)
        assert quick.recv(4096).startswith(b"HTTP/1.1 200 ")
        assert b" 408 " in heard(slow)
