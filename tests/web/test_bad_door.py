"""Refused requests: sessions, hosts, origins, addresses and queries."""

from __future__ import annotations

from typing import Any

import pytest

from stores import both_at_length
from tapisvert.words import catalogue
from web.scene import STUD, Call, Scene

pytestmark = both_at_length

TAKE_SEAT = {"game": STUD}
COMMANDS = ["/seats", "/rounds", "/rounds/{id}/choices", "/rounds/{id}/seen", "/wallet/play-money"]
OF_A_ROUND = [
    ("GET", ""),
    ("GET", "?since=3"),
    ("GET", "/recall"),
    ("GET", "/proof"),
    ("POST", "/choices"),
    ("POST", "/seen"),
]


def body_for(scene: Scene, path: str) -> object:
    if "/choices" in path:
        return {"step": 0, "choice": "play"}
    return {"/seats": TAKE_SEAT, "/rounds": scene.opening()}.get(path, b"")


def call_for(scene: Scene, method: str, path: str, headers: dict[str, Any]) -> Call:
    body = body_for(scene, path) if method == "POST" else b""
    return Call(method, f"/api/v1{path}".replace("{id}", scene.open_id), body, headers)


# Sessions -----------------------------------------------------------------------------------------


WRONG_TOKENS: list[str | bytes] = [
    *("Bearer " + "0" * 64, "Bearer", "Bearer ", "Bearer a b", "Basic YW5uOmFubg==", "garbage"),
    *("", b"Bearer \xff\xfe", b"Bearer cl\xc3\xa9", "Bearer ' OR 1=1 --", "Bearer " + "x" * 10_000),
]
WRONG_COOKIES = ["tapis_session=", "tapis_session=0000", "other={token}", ";;="]


@pytest.mark.parametrize(
    ("authorization", "cookie"),
    [
        *((token, None) for token in WRONG_TOKENS),
        *((None, cookie) for cookie in WRONG_COOKIES),
        ("Bearer no", "tapis_session={token}"),  # even beside a good cookie
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_token_or_cookie_is_no_session(
    scene: Scene, authorization: str | bytes | None, cookie: str | None
) -> None:
    sent = cookie and cookie.replace("{token}", scene.ann.token)
    call = Call("GET", "/api/v1/wallet", headers={"Authorization": authorization, "Cookie": sent})
    scene.refuses(call, "session/missing", 401)


def test_a_token_is_not_half_right(scene: Scene) -> None:
    token = scene.ann.token
    for near in (token[:-1], token + "0", token.upper(), token[::-1]):
        call = Call("GET", "/api/v1/wallet", headers={"Authorization": f"Bearer {near}"})
        scene.refuses(call, "session/missing", 401)


# Someone else's round -----------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "rest"), OF_A_ROUND)
@pytest.mark.parametrize("whose", ["open", "ended", "pending", "own pending"])
def test_another_players_round_answers_byte_for_byte_as_one_that_does_not_exist(
    scene: Scene, method: str, rest: str, whose: str
) -> None:
    theirs = {
        "open": scene.open_id,
        "ended": scene.ended_id,
        "pending": scene.second_seat["round_id"],
        "own pending": scene.seat["round_id"],
    }[whose]
    nobodys = "0" * 32
    body = {"step": 0, "choice": "play"} if rest == "/choices" else b""
    calls = [Call(method, f"/api/v1/rounds/{name}{rest}", body) for name in (theirs, nobodys)]
    for call in calls:
        scene.refuses(call, "round/unknown", 404)
    real, made_up = (scene.send(call) for call in calls)
    assert real.content.replace(theirs.encode(), nobodys.encode()) == made_up.content
    assert real.headers == made_up.headers


@pytest.mark.parametrize("name", ["x", "%01", "%ff", "%ed%a0%80", "'--", "x" * 3000, "..%2f"])
@pytest.mark.parametrize("rest", ["", "/recall", "/proof"])
def test_a_round_with_an_impossible_name_is_unknown(scene: Scene, name: str, rest: str) -> None:
    answer = scene.send(Call("GET", f"/api/v1/rounds/{name}{rest}"))
    assert answer.status_code == 404
    assert answer.json()["code"] in ("round/unknown", "request/not_found")


@pytest.mark.parametrize(("method", "rest"), [("GET", "/proof"), ("GET", "/recall")])
def test_R7_there_is_no_proof_and_no_recall_before_the_end(
    scene: Scene, method: str, rest: str
) -> None:
    call = Call(method, f"/api/v1/rounds/{scene.open_id}{rest}", headers=scene.as_bea())
    assert scene.refuses(call, "round/not_ended", 409)["round_id"] == scene.open_id


def test_an_open_round_cannot_have_been_seen_to_the_end(scene: Scene) -> None:
    call = Call("POST", f"/api/v1/rounds/{scene.open_id}/seen", headers=scene.as_bea())
    scene.refuses(call, "round/not_ended", 409)


def test_play_money_is_for_those_who_are_broke(scene: Scene) -> None:
    problem = scene.refuses(Call("POST", "/api/v1/wallet/play-money"), "wallet/not_broke", 409)
    assert problem["args"] == {"balance_cents": 100_000}


# Host, origin, method, address, query -------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.", "", "[::2]", "127.0.0.1:80:80"]
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("POST", "/api/v1/seats"), ("GET", "/api/v1/wallet"), ("GET", "/")),
        *(("GET", "/verifier.html"), ("GET", "/api/v1/nothing"), ("DELETE", "/api/v1/wallet")),
    ],
)
def test_a_foreign_host_name_is_refused_everywhere(
    scene: Scene, method: str, path: str, host: str
) -> None:
    body = TAKE_SEAT if method == "POST" else b""
    scene.refuses(Call(method, path, body, {"Host": host}), "request/host", 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "[::1]", "[::1]:8"])
def test_this_machines_own_names_are_answered(scene: Scene, host: str) -> None:
    answer = scene.send(Call("GET", "/api/v1/wallet", headers={"Host": host}))
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", "http://127.0.0.1:99", "http://127.0.0.1.evil.example"],
)
@pytest.mark.parametrize("path", ["/guests", "/sessions", "/operator/stops", *COMMANDS])
def test_a_foreign_origin_is_refused(scene: Scene, path: str, origin: str) -> None:
    scene.refuses(call_for(scene, "POST", path, {"Origin": origin}), "request/origin", 403)


def test_the_houses_own_origin_is_let_in(scene: Scene) -> None:
    call = Call("POST", "/api/v1/seats", TAKE_SEAT, {"Origin": "http://127.0.0.1"})
    assert scene.send(call).json() == scene.seat


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/seats"),
        ("GET", "/seats"),
        ("DELETE", "/rounds/{id}"),
        ("PATCH", "/rounds/{id}/choices"),
        ("GET", "/rounds/{id}/choices"),
        ("POST", "/rounds/{id}/proof"),
        ("POST", "/wallet"),
        ("PUT", "/wallet/play-money"),
        ("DELETE", "/games/casino-stud"),
    ],
)
def test_a_method_the_address_does_not_answer(scene: Scene, method: str, path: str) -> None:
    problem = scene.refuses(call_for(scene, method, path, scene.as_bea()), "request/method", 405)
    assert problem["args"] == {"method": method}


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/api",
        "/api/v1",
        "/api/v2/wallet",
        "/api/v1/nothing",
        "/api/v1/rounds/a/b/c",
        "/api/v1/words/de",
        "/api/v1/words/en.toml",
        "/openapi/nothing",
        "/..%2f..%2fetc/passwd",
    ],
)
def test_an_unknown_address(scene: Scene, path: str) -> None:
    scene.refuses(Call("GET", path), "request/not_found", 404)


def test_an_unknown_game_has_no_page(scene: Scene) -> None:
    scene.refuses(Call("GET", "/api/v1/games/poker"), "request/unknown_game", 404)


# The JSON reader takes some of these for numbers.
NO_NUMBERS = ("-1", "x", "1.5", "1e3", "1E0", "1.0", "-0", "%2B1", "%201", "1_0", "", "%D9%A3")
QUERIES = [
    *(
        f"{path}?before={value}"
        for path in ("/rounds", "/wallet/transfers")
        for value in (*NO_NUMBERS, "0x1", str(2**63), str(10**30))  # 63 bits are enough
    ),
    *(f"/rounds/{{id}}?since={value}" for value in (*NO_NUMBERS, "null")),
    *(f"/rounds?status={value}" for value in ("foo", "OPEN", "settled", "seated", "open'--")),
]


@pytest.mark.parametrize("path", QUERIES)
def test_a_question_that_makes_no_sense_is_malformed(scene: Scene, path: str) -> None:
    asked = call_for(scene, "GET", path, scene.as_bea())
    scene.refuses(asked, "request/malformed", 400)
    if "since" in path:
        chosen = call_for(scene, "POST", path.replace("?", "/choices?"), scene.as_bea())
        scene.refuses(chosen, "request/malformed", 400)


@pytest.mark.parametrize(
    ("accepted", "sentence"),
    [
        ("", "There is nothing at this address."),
        ("de", "There is nothing at this address."),
        ("en-CA, fr;q=0.5", "There is nothing at this address."),
        ("fr-CA, en;q=0.5", catalogue("fr").write("error.request/not_found")),
    ],
)
def test_an_error_is_in_French_for_those_who_ask_and_in_English_otherwise(
    scene: Scene, accepted: str, sentence: str
) -> None:
    answer = scene.send(Call("GET", "/api/v1/words/de"), accepted)
    assert answer.json()["detail"] == sentence
