"""Replies on a real socket: one write per reply, bodies cut off, clients that disconnect.

The server runs in the test process, with a protocol that records its writes.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from houses import PLAYER_WINS, make_house
from serving import PATIENCE_S, served
from tapisvert.refusal import unwrap
from tapisvert.rounds import PlayerService
from tapisvert.rounds.schemas import SeatRequest
from tapisvert.web import create_app, http_protocol
from tapisvert.web.problems import BODY_BYTES_MAX
from web.raw_line import chunked, get, hear_to_the_end, line_to, post, say
from web.scene import STUD, everything

SEATS, ROUNDS, WALLET = b"/api/v1/seats", b"/api/v1/rounds", b"/api/v1/wallet"
SEAT = b'{"game":"casino-stud"}'


class Noting(http_protocol.HttpProtocol):
    """A protocol that records every write to the transport."""

    writes: ClassVar[list[bytes]] = []

    def connection_made(self, transport: Any) -> None:
        super().connection_made(_NotingTransport(transport))


class _NotingTransport:
    """A transport that records its writes."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        Noting.writes.append(data)
        self._transport.write(data)

    def writelines(self, pieces: Any) -> None:
        self.write(b"".join(pieces))


class Player:
    """A guest with a seat, and the headers of the guest's requests."""

    def __init__(self, house: PlayerService) -> None:
        guest = unwrap(house.guest().result())
        self.seat = unwrap(house.seat(guest.token, SeatRequest(STUD)).result())
        self._token, self._keys = guest.token, itertools.count()

    def headers(self, body: bytes = b"") -> bytes:
        """Return the headers of a request with a new idempotency key."""
        head = f"Authorization: Bearer {self._token}\r\nIdempotency-Key: {next(self._keys)}\r\n"
        return f"{head}Content-Length: {len(body)}\r\n".encode()

    def opening(self) -> bytes:
        """Return a body that opens the guest's round."""
        seat = {"round_id": self.seat.round_id, "commitment": self.seat.commitment}
        return msgspec.json.encode({**seat, "stakes": {"ante": 1000}, "client_seed": "seed"})


@pytest.fixture
def house(tmp_path: Path) -> PlayerService:
    return make_house(tmp_path / "tapis.db", PLAYER_WINS)


@pytest.fixture
def player(house: PlayerService) -> Player:
    return Player(house)


@pytest.fixture
def port(house: PlayerService) -> Iterator[int]:
    Noting.writes.clear()
    with served(create_app(house), http=Noting) as (_, found):
        yield found


# One write a reply --------------------------------------------------------------------------------


def test_a_reply_is_one_write(port: int, player: Player) -> None:
    opening = player.opening()
    for request, status in (
        (get(b"/api/v1/health"), 200),
        (get(WALLET), 401),
        (get(WALLET, player.headers()), 200),
        (post(SEATS, player.headers(SEAT), SEAT), 200),
        (post(ROUNDS, player.headers(opening), opening), 201),
        (get(b"/nothing"), 404),
    ):
        Noting.writes.clear()
        heard = say(port, request)
        assert heard.status == status
        (written,) = Noting.writes
        assert written.endswith(b"\r\n\r\n" + heard.body)


def test_a_reply_without_a_body_is_one_write(port: int, player: Player) -> None:
    for request, status in (
        (get(WALLET, player.headers(), b"HEAD"), b"200"),
        (get(WALLET, method=b"OPTIONS"), b"204"),
    ):
        Noting.writes.clear()
        with line_to(port) as line:
            line.sendall(request)
            assert line.recv(65_536).startswith(b"HTTP/1.1 " + status)
        (written,) = Noting.writes
        assert written.endswith(b"\r\n\r\n")


def test_a_head_does_not_wait_for_a_body_that_comes_later() -> None:
    begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def late(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        go_on = asyncio.Event()
        headers = [(b"content-length", b"4")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        begun.set_result((asyncio.get_running_loop(), go_on))
        await go_on.wait()
        await send({"type": "http.response.body", "body": b"late", "more_body": False})

    app: Any = late
    with (
        served(app, http=http_protocol.HttpProtocol, lifespan="off") as (_, port),
        line_to(port) as line,
    ):
        line.sendall(get(b"/"))
        assert line.recv(65_536).endswith(b"content-length: 4\r\n\r\n")
        loop, go_on = begun.result(PATIENCE_S)
        loop.call_soon_threadsafe(go_on.set)
        assert line.recv(65_536) == b"late"


def test_requests_in_one_packet_are_answered_in_their_order(port: int, player: Player) -> None:
    head = get(WALLET, player.headers(), b"HEAD")
    seat = post(SEATS, player.headers(SEAT), SEAT)
    last = get(b"/api/v1/health", b"Connection: close\r\n")
    with line_to(port) as line:
        line.sendall(seat + head + get(WALLET, player.headers()) + last)
        said = hear_to_the_end(line)
    first, second, third, fourth = said.split(b"HTTP/1.1 200 OK\r\n")[1:]
    assert player.seat.round_id.encode() in first
    assert second.endswith(b"\r\n\r\n")
    assert third.partition(b"\r\n\r\n")[2].startswith(b'{"currency":')
    assert fourth.endswith(b'{"status":"ok","dealing":"ok"}')


# Bodies and methods -------------------------------------------------------------------------------


def test_nothing_is_answered_after_a_reply_that_closes_the_line(port: int, player: Player) -> None:
    body = SEAT.ljust(BODY_BYTES_MAX + 1)
    closing = get(b"/api/v1/health", b"Connection: close\r\n")
    with line_to(port) as line:
        line.sendall(closing + post(SEATS, player.headers(body), body))
        said = hear_to_the_end(line)
    assert said.endswith(b'{"status":"ok","dealing":"ok"}')
    assert say(port, get(b"/api/v1/health")).status == 200
    assert Noting.writes[0] == said
    assert len(Noting.writes) == 2


def test_a_body_in_chunks_is_read_like_any_other(port: int, player: Player) -> None:
    coding = player.headers().partition(b"Content-Length")[0] + b"Transfer-Encoding: chunked\r\n"
    pieces = b"".join(b"1\r\n%c\r\n" % each for each in SEAT) + b"0\r\n\r\n"
    for body in (chunked(SEAT), pieces):
        heard = say(port, post(SEATS, coding, body))
        assert (heard.status, msgspec.json.decode(heard.body)["game"]) == (200, STUD)


# Clients that leave -------------------------------------------------------------------------------


def test_who_leaves_in_the_middle_of_a_body_moves_nothing(
    port: int, house: PlayerService, player: Player
) -> None:
    before, opening = everything(house), player.opening()
    with line_to(port) as line:
        line.sendall(post(ROUNDS, player.headers(opening), opening[:-1]))
    assert say(port, get(WALLET, player.headers())).status == 200
    assert everything(house) == before


def test_who_leaves_before_the_reply_has_given_the_command(
    port: int, house: PlayerService, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer waits until the client has disconnected; a retry then gets the stored reply."""
    go_on, queued, opened = threading.Event(), threading.Event(), house.open

    def queue(*asked: Any) -> Any:
        future = opened(*asked)
        queued.set()
        return future

    monkeypatch.setattr(house, "open", queue)
    held = house.store.write(lambda tx: go_on.wait(PATIENCE_S))
    opening = player.opening()
    request = post(ROUNDS, player.headers(opening), opening)
    with line_to(port) as line:
        line.sendall(request)
        assert queued.wait(PATIENCE_S)
    go_on.set()
    assert held.result(PATIENCE_S)
    heard = say(port, request)
    assert heard.status == 201
    money = msgspec.json.decode(heard.body)["wallet"]
    assert (money["balance_cents"], money["held_cents"]) == (99_000, 1000)
