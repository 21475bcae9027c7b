"""Limits of requests, at a real server: too long, too deep, too slow, or not HTTP.

`test_bad_input.py` and `test_bad_door.py` test well-formed requests that are refused.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from crash.server import Server, serving
from tapisvert.refusal import Refused
from tapisvert.web import rate_limit
from tapisvert.web.http_protocol import REQUEST_S_MAX
from tapisvert.web.rate_limit import TokenBucket
from web.raw_line import BEGINNINGS, Heard, get, hear, line_to, post, say

GUESTS = b"/api/v1/guests"
HEALTH = b"/api/v1/health"
SLOW_CLIENTS = 200
AT_ONCE_S = REQUEST_S_MAX * 2 / 3  # before those who never finish are sent away


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("wire")) as made:
        yield made


def port_of(server: Server) -> int:
    assert server.client.base_url.port is not None
    return server.client.base_url.port


def asked(server: Server, request: bytes) -> Heard:
    """Send a request; check that it creates no guest and that the next request is answered."""
    (before,) = server.rows("SELECT COUNT(*) FROM players")
    heard = say(port_of(server), request)
    assert heard.status < 500
    assert server.rows("SELECT COUNT(*) FROM players") == [before]
    assert say(port_of(server), get(HEALTH)).status == 200
    return heard


# The body -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [b"16385", b"1000000000000"])
def test_a_body_that_says_it_is_too_long_is_refused_before_it_comes(
    server: Server, length: bytes
) -> None:
    heard = asked(server, post(GUESTS, b"Content-Length: " + length + b"\r\n"))
    assert (heard.status, heard.code) == (413, "request/too_large")


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: 2\r\nContent-Length: 3\r\n",
        b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: two\r\n",
        b"Content-Length: " + b"9" * 30 + b"\r\n",
    ],
)
def test_a_body_of_two_lengths_or_none_is_refused_and_the_line_closed(
    server: Server, headers: bytes
) -> None:
    """A proxy might see the end of such a request elsewhere (request smuggling)."""
    heard = asked(server, post(GUESTS, headers, b"{}"))
    assert (heard.status, heard.headers["connection"]) == (400, "close")


@pytest.mark.parametrize("path", [HEALTH, b"/", b"/api/v1/nothing"])
def test_a_body_nobody_asked_for_is_not_read(server: Server, path: bytes) -> None:
    length = b"Content-Length: 100000000\r\n"
    assert asked(server, get(path, length)).status in (200, 404)


# The head -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [3_000, 30_000])
def test_a_long_address_leads_nowhere(server: Server, size: int) -> None:
    heard = asked(server, get(b"/api/v1/games/" + b"x" * size))
    assert (heard.status, heard.code) == (404, "request/unknown_game")
    assert len(heard.body) < 1000  # it is not told back at length


@pytest.mark.parametrize("path", [b"/" + b"x" * 100_000, b"/a" * 50_000, b"/?" + b"a=1&" * 50_000])
def test_an_address_beyond_64_KiB_is_no_request(server: Server, path: bytes) -> None:
    assert asked(server, get(path)).status == 431


def test_a_deep_address_leads_nowhere(server: Server) -> None:
    assert asked(server, get(b"/a" * 5_000)).code == "request/not_found"


@pytest.mark.parametrize(
    "query", [b"&".join(b"a%d=1" % n for n in range(5_000)), b"before=1&" * 5_000]
)
def test_thousands_of_questions_in_one_address_are_answered_like_one(
    server: Server, query: bytes
) -> None:
    heard = asked(server, get(b"/api/v1/wallet/transfers?" + query))
    assert (heard.status, heard.code) in ((400, "request/malformed"), (401, "session/missing"))


def test_a_header_of_some_length_is_read(server: Server) -> None:
    assert asked(server, get(HEALTH, b"X-Long: " + b"x" * 8_000 + b"\r\n")).status == 200


def test_a_header_of_a_megabyte_is_refused(server: Server) -> None:
    heard = say(port_of(server), get(HEALTH, b"X-Long: " + b"x" * 1_000_000 + b"\r\n"))
    assert heard.status in (400, 431)


def test_ten_thousand_headers_are_refused(server: Server) -> None:
    heard = say(port_of(server), get(HEALTH, b"".join(b"X-%d: x\r\n" % n for n in range(10_000))))
    assert heard.status in (400, 431)


def test_two_hosts_are_refused_whichever_comes_first(server: Server) -> None:
    assert say(port_of(server), get(HEALTH, b"Host: evil.example\r\n")).status in (400, 421)
    first = b"GET " + HEALTH + b" HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1\r\n\r\n"
    assert say(port_of(server), first).status in (400, 421)


@pytest.mark.parametrize(
    "noise",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,  # how TLS says hello
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT evil.example:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET  HTTP/1.1\r\n\r\n",
        b"hello\r\n\r\n",
    ],
    ids=["TLS", "HTTP/2", "CONNECT", "no address", "hello"],
)
def test_what_is_no_HTTP_is_refused_and_the_line_closed(server: Server, noise: bytes) -> None:
    heard = asked(server, noise)
    assert (heard.status, heard.code) == (400, "request/malformed")
    assert heard.headers["connection"] == "close"


# Slow clients -------------------------------------------------------------------------------------


@pytest.mark.parametrize("begun", BEGINNINGS.values(), ids=BEGINNINGS)
def test_many_who_never_finish_their_request_keep_nobody_waiting(
    server: Server, begun: bytes
) -> None:
    with ExitStack() as open_lines:
        slow = [open_lines.enter_context(line_to(port_of(server))) for _ in range(SLOW_CLIENTS)]
        for line in slow:
            line.sendall(begun)
        started = time.monotonic()
        for _ in range(10):
            asked(server, get(HEALTH))
        assert time.monotonic() - started < AT_ONCE_S
        if begun.endswith(b"{"):  # the last of them makes up its mind
            slow[-1].sendall(b" ".ljust(7) + b"}")
            assert hear(slow[-1]).status == 201


def test_a_client_that_leaves_in_the_middle_of_its_body_is_no_failure_of_the_house(
    server: Server,
) -> None:
    """Otherwise any client could fill the log with tracebacks."""
    log = server.database.parent / "server.log"
    before = len(log.read_text())
    with line_to(port_of(server)) as line:
        line.sendall(BEGINNINGS["half a body"])
    for _ in range(20):  # the server hears of it a moment later
        asked(server, get(HEALTH))
        assert "Traceback" not in log.read_text()[before:]
        time.sleep(0.01)


# How many guests ----------------------------------------------------------------------------------


def test_the_memory_of_addresses_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "_ADDRESSES_MAX", 100)
    bucket = TokenBucket(2, 1, lambda: 0.0)
    for number in range(1000):
        bucket.take(f"10.0.0.{number}")
    assert len(bucket._left) == 100
    bucket.take("10.0.0.999")
    with pytest.raises(Refused):
        bucket.take("10.0.0.999")  # who came last is remembered


def test_a_guest_who_cannot_even_ask_takes_nobodys_place(server: Server) -> None:
    """A malformed request takes no token: the limit counts created guests."""
    for _ in range(rate_limit.GUESTS_AT_ONCE + 10):
        heard = say(port_of(server), post(GUESTS, b"Content-Length: 12\r\n", b'{"bearer":1}'))
        assert heard.code == "request/malformed"
    assert say(port_of(server), post(GUESTS, b"Content-Length: 2\r\n", b"{}")).status == 201
