"""A refused body is not read further: the reply comes at once, then the connection ends.

The server runs in the test process, with a protocol that counts the bytes it receives.
"""

from __future__ import annotations

import itertools
import select
import time
from collections.abc import Iterator

import pytest
import uvicorn

from serving import PATIENCE_S, served
from tapisvert.rounds import PlayerService
from tapisvert.web import create_app, http_protocol
from tapisvert.web.problems import BODY_BYTES_MAX
from web.raw_line import HOST, Heard, chunked, get, hear, hear_to_the_end, line_to, post, say

GUESTS, HEALTH = b"/api/v1/guests", b"/api/v1/health"
PIECE = b"x" * 65_536
OFFERED = 256 * 1024 * 1024  # more than the system keeps between two programs
CHUNKED = b"Transfer-Encoding: chunked\r\n"
# Most bytes the server may receive of a refused request: two reads of the event loop before the
# reply, the discarded bytes, and the one read that exceeds them.
READ_AT_ONCE = 256 * 1024
TAKEN_MAX = http_protocol.LINGER_BYTES_MAX + 3 * READ_AT_ONCE


class Counting(http_protocol.HttpProtocol):
    """A protocol that counts the bytes of all connections."""

    taken = 0

    def data_received(self, data: bytes) -> None:
        Counting.taken += len(data)
        super().data_received(data)


@pytest.fixture
def serving(house: PlayerService) -> Iterator[tuple[uvicorn.Server, int]]:
    Counting.taken = 0
    with served(create_app(house), http=Counting) as found:
        yield found


@pytest.fixture
def port(serving: tuple[uvicorn.Server, int]) -> int:
    return serving[1]


def length(count: int) -> bytes:
    return f"Content-Length: {count}\r\n".encode()


def pour(port: int, head: bytes, pieces: Iterator[bytes]) -> tuple[Heard, int]:
    """Send a head and a body until the server closes; return the reply and the bytes sent."""
    heard, sent = None, 0
    with line_to(port) as line:
        line.sendall(head)
        try:
            for piece in pieces:
                if heard is None and select.select([line], [], [], 0)[0]:
                    heard = hear(line)
                line.sendall(piece)
                sent += len(piece)
        except ConnectionError:
            pass
        return heard or hear(line), sent


def endless(piece: bytes) -> Iterator[bytes]:
    return itertools.repeat(piece, OFFERED // len(piece))


CHUNK = f"{len(PIECE):x}\r\n".encode() + PIECE + b"\r\n"
REFUSED = {
    "its length is told": (post(GUESTS, length(22 * 2**30)), PIECE, 413, "request/too_large"),
    "its length is not told": (post(GUESTS, CHUNKED), CHUNK, 413, "request/too_large"),
    "nobody asked for it": (get(HEALTH, length(22 * 2**30)), PIECE, 200, ""),
    "in chunks nobody asked for": (get(HEALTH, CHUNKED), CHUNK, 200, ""),
    "it leads nowhere": (post(b"/nothing", length(22 * 2**30)), PIECE, 404, "request/not_found"),
    "of another kind": (
        b"POST " + GUESTS + b" HTTP/1.1\r\n" + HOST + CHUNKED + b"\r\n",
        CHUNK,
        415,
        "request/content_type",
    ),
    "a chunk with a comment that does not end": (
        post(GUESTS, CHUNKED, b"2;"),
        PIECE,
        413,
        "request/too_large",
    ),
}


@pytest.mark.parametrize(("head", "piece", "status", "code"), REFUSED.values(), ids=REFUSED)
def test_a_body_that_is_refused_is_not_read_on(
    port: int, house: PlayerService, head: bytes, piece: bytes, status: int, code: str
) -> None:
    heard, sent = pour(port, head, endless(piece))
    assert (heard.status, heard.code) == (status, code)
    assert sent < OFFERED  # the server has hung up
    assert Counting.taken <= TAKEN_MAX
    players = house.store.read(lambda tx: tx.row("SELECT COUNT(*) FROM players")).result()
    assert players == (0,)


@pytest.mark.parametrize("size", [BODY_BYTES_MAX + 1, 100_000, 1_000_000])
@pytest.mark.parametrize("declared", [True, False])
def test_a_large_body_in_one_packet_with_its_head_is_413_and_not_431(
    port: int, size: int, declared: bool
) -> None:
    body = b"{}".ljust(size)
    request = post(GUESTS, length(size), body) if declared else post(GUESTS, CHUNKED, chunked(body))
    heard = say(port, request)
    assert (heard.status, heard.code) == (413, "request/too_large")
    assert heard.headers["connection"] == "close"


def test_a_large_head_and_the_largest_body_in_one_packet_are_read(port: int) -> None:
    cookies = b"X-Long: " + b"x" * 40_000 + b"\r\n"
    body = b"{}".ljust(BODY_BYTES_MAX)
    assert say(port, post(GUESTS, cookies + length(len(body)), body)).status == 201


def test_the_largest_body_in_chunks_of_one_byte_is_read(port: int) -> None:
    body = b"".join(b"1\r\n%c\r\n" % each for each in b"{}".ljust(BODY_BYTES_MAX))
    assert say(port, post(GUESTS, CHUNKED, body + b"0\r\n\r\n")).status == 201


def test_after_the_reply_the_server_says_no_more_and_lets_go(
    serving: tuple[uvicorn.Server, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for a client that neither sends nor disconnects."""
    server, port = serving
    monkeypatch.setattr(http_protocol, "LINGER_S", 0.05)
    with line_to(port) as line:
        line.sendall(post(GUESTS, length(10**12)))
        assert hear(line).status == 413
        assert line.recv(1) == b""
        until = time.monotonic() + PATIENCE_S
        while server.server_state.connections:
            assert time.monotonic() < until, "the connection is still open"
            time.sleep(0.01)


def test_a_small_body_that_is_refused_leaves_the_connection_open(port: int) -> None:
    with line_to(port) as line:
        line.sendall(post(b"/nothing", length(2), b"{}"))
        assert hear(line).status == 404
        line.sendall(post(GUESTS, length(3), b"{ }"))
        assert hear(line).status == 201


def test_a_request_before_one_too_large_in_the_same_packet_is_answered_too(port: int) -> None:
    small, large = post(GUESTS, length(2), b"{}"), post(GUESTS, length(10**6), PIECE)
    with line_to(port) as line:
        line.sendall(small + large)
        text = hear_to_the_end(line)
    assert text.startswith(b"HTTP/1.1 201 ")
    assert text.count(b"HTTP/1.1 ") == 2
    assert b"HTTP/1.1 413 " in text


# Methods ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [b"FOO", b"get", b"GETTY", b"M-SEARCHES", b"X"])
def test_an_unknown_method_is_a_problem(port: int, method: bytes) -> None:
    heard = say(port, get(HEALTH, method=method))
    assert (heard.status, heard.code) == (501, "request/unknown_method")
    assert heard.headers["connection"] == "close"


def test_an_unknown_method_is_one_also_where_it_comes_in_parts(port: int) -> None:
    with line_to(port) as line:
        line.sendall(b"PROP")
        time.sleep(0.05)  # so that it comes alone; either way the reply is the same
        line.sendall(b"OSE /api/v1/health HTTP/1.1\r\n\r\n")
        heard = hear(line)
    assert (heard.status, heard.code) == (501, "request/unknown_method")


@pytest.mark.parametrize("method", [b"PUT", b"PROPFIND", b"TRACE", b"DELETE", b"QUERY"])
def test_a_method_no_route_has_is_a_problem_that_lists_those_it_has(
    port: int, method: bytes
) -> None:
    heard = say(port, get(HEALTH, method=method))
    assert (heard.status, heard.code) == (405, "request/method")
    assert "GET" in heard.headers["allow"]
