"""A request that never ends is closed; the tests shorten the time limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from serving import served
from tapisvert.rounds import PlayerService
from tapisvert.web import create_app, http_protocol
from web.raw_line import BEGINNINGS, get, hear, hear_to_the_end, line_to

SHORT_S = 0.5
Limit = Callable[[float], None]

WHOLE = get(b"/api/v1/health")


@pytest.fixture
def port(house: PlayerService) -> Iterator[int]:
    with served(create_app(house), http=http_protocol.HttpProtocol) as (_, found):
        yield found


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Limit:
    """Set the time limit of requests that begin from now on."""
    return lambda seconds: monkeypatch.setattr(http_protocol, "REQUEST_S_MAX", seconds)


@pytest.mark.parametrize("begun", BEGINNINGS.values(), ids=BEGINNINGS)
def test_a_request_that_does_not_end_is_answered_408_and_closed(
    port: int, limit: Limit, begun: bytes
) -> None:
    limit(SHORT_S)
    with line_to(port) as line:
        line.sendall(begun)
        assert hear_to_the_end(line).startswith(b"HTTP/1.1 408 ")


def test_a_request_that_ends_is_answered_and_the_next_has_its_own_time(
    port: int, limit: Limit
) -> None:
    with line_to(port) as line:
        for _ in range(2):
            line.sendall(WHOLE)
            assert hear(line).status == 200
        limit(SHORT_S)
        line.sendall(WHOLE[:20])
        assert b" 408 " in hear_to_the_end(line)


def test_a_slow_request_keeps_nobody_else_waiting(port: int, limit: Limit) -> None:
    with line_to(port) as quick:
        quick.sendall(WHOLE)
        assert hear(quick).status == 200
        limit(SHORT_S)
        with line_to(port) as slow:
            slow.sendall(BEGINNINGS["half a body"])
            quick.sendall(WHOLE)
            assert hear(quick).status == 200
            assert b" 408 " in hear_to_the_end(slow)
