"""Hot routes and the framework answer every form of request byte for byte the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from litestar import post

from houses import opening
from tapisvert.rounds import player_views
from tapisvert.web.api import API, HOT
from tapisvert.web.hot_routes import HotRoutes
from tapisvert.web.problems import BODY_BYTES_MAX
from web.scene import STUD, everything
from web.two_servers import JSON, ROUNDS, SEATS, WALLET, Asked, Header, Pair, json_of


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    made = Pair(tmp_path_factory.mktemp("pair"))
    yield made
    for each in (made.hot, made.plain):
        each.house.store.close()


# What is answered ---------------------------------------------------------------------------------


def test_a_round_is_played_without_the_framework(pair: Pair) -> None:
    before = len(pair.hot.passed)
    round_id = pair.open(b"plain")
    pair.command(f"{ROUNDS}/{round_id}/choices", {"step": 0, "choice": "play"}, b"plain-2")
    for path, query in ((WALLET, b""), (f"{ROUNDS}/{round_id}", b""), (ROUNDS, b"")):
        asked = Asked("GET", path, query=query, headers=(pair.bearer,))
        assert pair.ask(asked).status == 200
    shown = Asked("GET", f"{ROUNDS}/{round_id}", query=b"since=2", headers=(pair.bearer,))
    assert pair.ask(shown).status == 200
    assert pair.hot.passed[before:] == [ROUNDS]  # the list is not hot


def test_a_reply_is_told_again_byte_for_byte(pair: Pair) -> None:
    seat = pair.command(SEATS, {"game": STUD}, b"")
    asked = json_of(ROUNDS, opening(seat, {"ante": 1000})).with_header(*pair.bearer)
    asked = asked.with_header(b"idempotency-key", b"twice")
    first, again = pair.ask(asked), pair.ask(asked)
    assert first == again
    length = (b"content-length", str(len(first.body)).encode())
    assert first.headers[:2] == [JSON, length]
    choose = {"step": 0, "choice": "fold"}
    pair.command(f"{ROUNDS}/{seat['round_id']}/choices", choose, b"twice-2")
    assert everything(pair.hot.house) == everything(pair.plain.house)


LEFT = None  # instead of a piece of a body: the client hangs up
BODIES: dict[str, tuple[bytes | None, ...]] = {
    "none": (b"",),
    "null": (b"null",),
    "a list": (b"[]",),
    "half": (b'{"game":',),
    "not UTF-8": (b'{"game":"\xff"}',),
    "a byte order mark": (b'\xef\xbb\xbf{"game":"casino-stud"}',),
    "nested without end": (b"[" * 8000,),
    "a field too many": (b'{"game":"casino-stud","x":1,"step":0}',),
    "a field twice": (b'{"game":"blackjack","game":"casino-stud"}',),
    "of another kind": (b'{"game":1,"step":"0","choice":1}',),
    "a NUL": (b'{"game":"\\u0000","step":0,"choice":"\\u0000"}',),
    "a number without end": (b'{"step":' + b"9" * 5000 + b',"choice":"fold"}',),
    "the longest": (b'{"game":"casino-stud"}'.ljust(BODY_BYTES_MAX),),
    "too long": (b'{"game":"casino-stud"}'.ljust(BODY_BYTES_MAX + 1),),
    "in pieces": (b'{"game":', b'"casino-stud"', b"}"),
    "in pieces, the last empty": (b'{"game":"casino-stud"}', b""),
    "in pieces, too long": (b'{"game":"casino-stud"}', b" " * BODY_BYTES_MAX),
    "cut short": (b'{"game":', LEFT),
    "never begun": (LEFT,),
}


@pytest.mark.parametrize("pieces", BODIES.values(), ids=BODIES)
def test_a_body_of_any_form_is_answered_as_by_the_framework(
    pair: Pair, pieces: tuple[bytes | None, ...]
) -> None:
    for path in (SEATS, ROUNDS, f"{ROUNDS}/nobody-s/choices"):
        asked = Asked("POST", path, pieces, headers=(JSON, pair.bearer))
        pair.ask(asked.with_header(b"idempotency-key", b"bodies"))


QUERIES = (
    *(b"since=0", b"since=1", b"since=007", b"since=" + b"9" * 40, b"since=" + b"9" * 41),
    *(b"since=", b"since", b"=", b"&", b"since=1e3", b"since=-1", b"since=%31", b"since=+1"),
    *(b"since=1&since=x", b"x=1", b"since=1&x=1", b"SINCE=1", b"since=\xb2", b"since=null", b"?"),
)


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_of_any_form_is_answered_as_by_the_framework(pair: Pair, query: bytes) -> None:
    round_id = pair.open(b"query-" + query.hex().encode())
    for path in (f"{ROUNDS}/{round_id}", WALLET):
        pair.ask(Asked("GET", path, query=query, headers=(pair.bearer,)))
    path, body = f"{ROUNDS}/{round_id}/choices", {"step": 0, "choice": "fold"}
    chosen = replace(json_of(path, body), query=query).with_header(*pair.bearer)
    answer = pair.ask(chosen.with_header(b"idempotency-key", b"choose-" + query.hex().encode()))
    if answer.status != 200:  # a round that is left open would stand in the way of the next
        pair.command(path, body, b"again-" + query.hex().encode())


PATHS = (
    *("/api/v1/seats/", "//api/v1/seats", "/api//v1/wallet", "/api/v1/wallet/", "/api/v1/wallet."),
    *(f"{ROUNDS}/", f"{ROUNDS}/a b", f"{ROUNDS}/é", f"{ROUNDS}/..", f"{ROUNDS}/a/b", f"{ROUNDS}/-"),
    *(f"{ROUNDS}/nobody-s", f"{ROUNDS}/nobody-s/", f"{ROUNDS}/nobody-s/choices/", "/api/v1/Wallet"),
    *(f"{ROUNDS}/{'x' * 9000}", f"{ROUNDS}/a\nb", f"{ROUNDS}/nobody-s\n", f"{ROUNDS}/²", WALLET),
    *(SEATS, ROUNDS, f"{ROUNDS}/nobody-s/choices", f"{ROUNDS}/{{round_id}}", "/api/v1", "/"),
)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "QUERY"])
def test_a_path_of_any_form_is_answered_as_by_the_framework(pair: Pair, method: str) -> None:
    for path in PATHS:
        pieces = (b"{}",) if method in ("POST", "PUT") else (b"",)
        pair.ask(Asked(method, path, pieces, headers=(JSON, pair.bearer)))


def heads(pair: Pair) -> dict[str, tuple[Header, ...]]:
    """Return variants of headers: session, key, language, host and origin."""
    cookie = b"tapis_session=" + pair.token
    return {
        "nobody": (),
        "a cookie": ((b"cookie", cookie),),
        "among cookies": ((b"cookie", b"a=b; " + cookie + b"; c"),),
        "in quotes": ((b"cookie", b'tapis_session="' + pair.token + b'"'),),
        "two cookies": ((b"cookie", b"a=b"), (b"cookie", cookie)),
        "a cookie and another's token": ((b"authorization", b"Bearer x"), (b"cookie", cookie)),
        "two tokens": (pair.bearer, (b"authorization", b"Bearer x")),
        "two tokens, the first unknown": ((b"authorization", b"Bearer x"), pair.bearer),
        "small letters": ((b"authorization", b"bearer   " + pair.token + b" "),),
        "another scheme": ((b"authorization", b"Basic " + pair.token),),
        "an empty token": ((b"authorization", b"Bearer "),),
        "not ASCII": ((b"authorization", b"Bearer \xe9\xff"),),
        "no key": (pair.bearer,),
        "an empty key": (pair.bearer, (b"idempotency-key", b"")),
        "null for a key": (pair.bearer, (b"idempotency-key", b"null")),
        "a key not ASCII": (pair.bearer, (b"idempotency-key", b"\xe9")),
        "a key too long": (pair.bearer, (b"idempotency-key", b"k" * 300)),
        "two keys": (pair.bearer, (b"idempotency-key", b"a"), (b"idempotency-key", b"b")),
        "French": ((b"accept-language", b"fr-CA,fr;q=0.9"),),
        "a page is wanted": ((b"accept", b"text/html"),),
        "from elsewhere": (pair.bearer, (b"origin", b"https://evil.example")),
        "two hosts": (pair.bearer, (b"host", b"127.0.0.1")),
    }


def test_heads_of_any_form_are_answered_as_by_the_framework(pair: Pair) -> None:
    made_up = {"round_id": "x", "commitment": "x", "stakes": {"ante": 1}, "client_seed": "x"}
    calls = (
        json_of(SEATS, {"game": STUD}),
        json_of(SEATS, {"game": "nonsense"}),
        json_of(ROUNDS, made_up),
        json_of(f"{ROUNDS}/nobody-s/choices", {"step": 0, "choice": "play"}),
        Asked("GET", WALLET),
        Asked("GET", f"{ROUNDS}/nobody-s"),
    )
    seen = set()
    for headers in heads(pair).values():
        for call in calls:
            asked = replace(call, headers=(*call.headers, *headers))
            seen.add(pair.ask(asked).status)
    assert seen == {200, 400, 401, 403, 404, 409, 421, 422}


def test_a_body_of_another_content_type_is_refused_at_the_door(pair: Pair) -> None:
    for headers in ((), ((b"content-type", b"text/plain"),)):
        length = (b"content-length", b"22")
        asked = Asked("POST", SEATS, (b'{"game":"casino-stud"}',), headers=(*headers, length))
        assert pair.ask(asked).status == 415


def test_a_crash_is_answered_as_by_the_framework(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_views, "wallet", None)
    answer = pair.ask(Asked("GET", WALLET, headers=(pair.bearer,)))
    assert (answer.status, msgspec.json.decode(answer.body)["code"]) == (500, "request/failed")


# Which requests -----------------------------------------------------------------------------------


def test_requests_in_another_form_go_to_the_framework(pair: Pair) -> None:
    before = len(pair.hot.passed)
    asked = Asked("POST", SEATS, BODIES["in pieces"], headers=(JSON, pair.bearer))
    assert pair.ask(asked).status == 200
    pair.ask(Asked("GET", WALLET, query=b"x=1", headers=(pair.bearer,)))
    pair.ask(Asked("GET", f"{WALLET}/", headers=(pair.bearer,)))
    assert pair.hot.passed[before:] == [SEATS, WALLET, f"{WALLET}/"]


def test_a_hot_route_hides_no_other_route(pair: Pair) -> None:
    """A URL of every other route goes to the framework."""
    hot = {
        (method, API.path + path)
        for handler in HOT
        for method in handler.http_methods
        for path in handler.paths
    }
    others = {
        (method, route.path)
        for route in pair.hot.app.routes
        for method in getattr(route, "methods", ())
        if (method, route.path) not in hot
    }
    assert len(hot) == len(HOT)
    assert len(others) > 50
    for method, path in others:
        before = len(pair.hot.passed)
        pair.hot.ask(Asked(method, re.sub(r"{\w+:\w+}", "x", path), headers=(pair.bearer,)))
        assert len(pair.hot.passed) == before + 1, (method, path)


def test_a_hot_route_takes_no_parameter_it_cannot_bind(pair: Pair) -> None:
    @post("/strange")
    async def strange(request: Any, other: str) -> None:
        """A handler with a parameter that hot routes do not support."""

    with pytest.raises(TypeError, match="other"):
        HotRoutes(pair.hot.app, API.path, (strange,))
