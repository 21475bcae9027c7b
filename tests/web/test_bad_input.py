"""Bad bodies: each gets a problem with its stable code, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from stores import both_at_length
from web.scene import STUD, Call, Scene

pytestmark = both_at_length

Making = Callable[[Scene], Call]


def seat(body: object, **headers: str | bytes | None) -> Making:
    return lambda scene: Call("POST", "/api/v1/seats", body, headers)


def entering(bearer: object) -> Making:
    return lambda scene: Call("POST", "/api/v1/guests", {"bearer": bearer})


def opening(**changes: Any) -> Making:
    return lambda scene: Call("POST", "/api/v1/rounds", scene.opening(**changes))


def opening_bytes(old: bytes, new: bytes) -> Making:
    """Return a valid opening body with one text replaced."""

    def make(scene: Scene) -> Call:
        text = msgspec.json.encode(scene.opening(client_seed="SEED", stakes={"ante": 4242}))
        assert text.count(old) == 1
        return Call("POST", "/api/v1/rounds", text.replace(old, new))

    return make


def choosing(**body: Any) -> Making:
    """Return a call that answers the question of Bea's open round, with changes."""

    def make(scene: Scene) -> Call:
        path = f"/api/v1/rounds/{scene.open_id}/choices"
        return Call("POST", path, {"step": 0, "choice": "play", **body}, scene.as_bea())

    return make


@pytest.mark.parametrize(
    ("stakes", "code"),
    [
        pytest.param({"ante": 0}, "stake/under_limit", id="nothing"),
        pytest.param({"ante": 99}, "stake/under_limit", id="below the least"),
        pytest.param({"ante": -1000}, "stake/under_limit", id="negative"),
        pytest.param({"ante": -(10**30)}, "stake/under_limit", id="hugely negative"),
        pytest.param({"ante": 10_000_100}, "stake/over_limit", id="above the most"),
        pytest.param({"ante": 2**63}, "stake/over_limit", id="more than 63 bits"),
        pytest.param({"ante": 10**30}, "stake/over_limit", id="huge"),
        pytest.param({"ante": 1050}, "stake/off_step", id="off the step"),
        pytest.param({"ante": 1000.0}, "stake/not_a_number", id="fractional and whole"),
        pytest.param({"ante": 1000.5}, "stake/not_a_number", id="fractional"),
        pytest.param({"ante": "1000"}, "stake/not_a_number", id="text"),
        pytest.param({"ante": True}, "stake/not_a_number", id="bool"),
        pytest.param({"ante": None}, "stake/not_a_number", id="null"),
        pytest.param({"ante": [1000]}, "stake/not_a_number", id="list"),
        pytest.param({"ante": {"cents": 1000}}, "stake/not_a_number", id="nested"),
        pytest.param({"ante": 1000, "raise": 1000}, "stake/unknown", id="unknown bet"),
        pytest.param({"ante": 1000, "play": 2000}, "stake/unknown", id="play before the deal"),
        pytest.param({"ante": 1000, "": 1000}, "stake/unknown", id="bet without a name"),
        pytest.param({"bonus": 1000}, "stake/needs_main", id="bonus without ante"),
        pytest.param({"ante": 1000, "bonus": 50}, "stake/under_limit", id="bonus below the least"),
        pytest.param({}, "stake/missing", id="no stake"),
    ],
)
def test_a_stake_the_table_does_not_take(scene: Scene, stakes: Any, code: str) -> None:
    problem = scene.refuses(opening(stakes=stakes)(scene), code, 422)
    assert problem["args"]["game"] == STUD


@pytest.mark.parametrize("stakes", [{"ante": 100_100}, {"ante": 100_000, "bonus": 100}])
def test_G1_a_stake_of_more_than_the_balance(scene: Scene, stakes: Any) -> None:
    problem = scene.refuses(opening(stakes=stakes)(scene), "wallet/insufficient_funds", 402)
    assert problem["args"] == {"needed_cents": 100_100, "balance_cents": 100_000}


def test_G1_a_raise_of_more_than_the_balance(scene: Scene) -> None:
    problem = scene.refuses(choosing()(scene), "wallet/insufficient_funds", 402)
    assert problem["args"].items() >= {"needed_cents": 120_000, "balance_cents": 40_000}.items()


def test_G2_a_second_round_while_one_is_open_is_refused_with_the_open_rounds_id(
    scene: Scene,
) -> None:
    second = {name: scene.second_seat[name] for name in ("round_id", "commitment")}
    call = Call("POST", "/api/v1/rounds", scene.opening(**second), scene.as_bea())
    assert scene.refuses(call, "round/already_open", 409)["round_id"] == scene.open_id


def test_G2_opening_the_open_round_again_is_refused_with_its_id(scene: Scene) -> None:
    body = scene.opening(round_id=scene.open_id)
    call = Call("POST", "/api/v1/rounds", body, scene.as_bea())
    assert scene.refuses(call, "round/already_open", 409)["round_id"] == scene.open_id


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"commitment": "0" * 64}, id="unknown commitment"),
        pytest.param({"commitment": ""}, id="no commitment"),
        pytest.param({"round_id": "0" * 32}, id="unknown round"),
        pytest.param({"round_id": ""}, id="round without a name"),
    ],
)
def test_a_deal_that_does_not_wait_for_the_player(scene: Scene, changes: Any) -> None:
    scene.refuses(opening(**changes)(scene), "seat/unknown", 409)


def test_someone_elses_seat_and_a_seat_that_does_not_exist_get_the_same_bytes(scene: Scene) -> None:
    theirs = opening(**{name: scene.second_seat[name] for name in ("round_id", "commitment")})
    scene.refuses(theirs(scene), "seat/unknown", 409)
    nobodys = opening(round_id="0" * 32)
    assert scene.send(theirs(scene)).content == scene.send(nobodys(scene)).content


def test_a_round_that_has_ended_cannot_be_opened_again(scene: Scene) -> None:
    call = Call("POST", "/api/v1/rounds", scene.opening(round_id=scene.ended_id), scene.as_cy())
    scene.refuses(call, "seat/unknown", 409)


@pytest.mark.parametrize("seed", ["", "x" * 129, "é" * 65, "x" * 256])
def test_a_client_seed_that_is_empty_or_too_long(scene: Scene, seed: str) -> None:
    problem = scene.refuses(opening(client_seed=seed)(scene), "seat/client_seed", 422)
    assert problem["args"] == {"max_bytes": 128}


@pytest.mark.parametrize("game", ["", "stud", "Casino-Stud", "../casino-stud", "x" * 256, "\0"])
def test_an_unknown_game(scene: Scene, game: str) -> None:
    problem = scene.refuses(seat({"game": game})(scene), "request/unknown_game", 404)
    assert problem["args"]["game"] == game[:64]


MALFORMED = {
    "no body": seat(b""),
    "not JSON": seat(b"game=casino-stud"),
    "half of a body": seat(b'{"game":"casino-'),
    "a comma too many": seat(b'{"game":"casino-stud",}'),
    "two values": seat(b'{"game":"casino-stud"} {}'),
    "null": seat(b"null"),
    "a list": seat([STUD]),
    "a text": seat(b'"casino-stud"'),
    "a field missing": seat({}),
    "a number for a text": seat({"game": 1}),
    "a text too long": seat({"game": "x" * 257}),
    "stakes that are a list": opening(stakes=[1000]),
    "stakes that are null": opening(stakes=None),
    "a client seed that is null": opening(client_seed=None),
    "a client seed of 257 characters": opening(client_seed="x" * 257),
    "a lone high surrogate": opening_bytes(b"SEED", rb"\ud800"),
    "a lone low surrogate": opening_bytes(b"SEED", rb"\udc00"),
    "a high surrogate before a letter": opening_bytes(b"SEED", rb"\ud800\u0041"),
    "NaN": opening_bytes(b":4242", b":NaN"),
    "a number out of range": opening_bytes(b":4242", b":1e999"),
    "a number of 5000 digits": opening_bytes(b":4242", b":" + b"1" * 5000),
    "a key that is not text": opening_bytes(b'"ante"', b"1"),
    "a step that is null": choosing(step=None),
    "a step that is a bool": choosing(step=False),
    "a step with a fraction": choosing(step=0.5),
    "a step that is a word": choosing(step="first"),
    "a step of 0 as text": choosing(step="0"),
    "a step of 1 as text": choosing(step="1"),
    "a choice that is null": choosing(choice=None),
    "a choice too long": choosing(choice="x" * 257),
    "a guest who is not sure": entering("perhaps"),
    "a guest who is sure in text": entering("true"),
    "a guest who is sure in a number": entering(1),
    # How other texts and nestings break a JSON reader; none of them is the house's fault (not 500).
    "bytes that are not UTF-8": opening_bytes(b"SEED", b"\xff"),
    "a surrogate in UTF-8": opening_bytes(b"SEED", b"\xed\xa0\x80"),
    "lists without end": seat(b"[" * 5000),
    "objects without end": opening_bytes(b":4242", b":" + b'{"a":' * 2500),
}


@pytest.mark.parametrize("make", MALFORMED.values(), ids=MALFORMED)
def test_a_body_that_cannot_be_read(scene: Scene, make: Making) -> None:
    problem = scene.refuses(make(scene), "request/malformed", 400)
    assert problem["args"]["reason"]


@pytest.mark.parametrize("extra", ["cards", "deck", "server_seed", "result", "returned_cents"])
@pytest.mark.parametrize(
    "make",
    [
        lambda extra: seat({"game": STUD, **extra}),
        lambda extra: opening(**extra),
        lambda extra: choosing(**extra),
        lambda extra: lambda _: Call("POST", "/api/v1/guests", {"bearer": True, **extra}),
    ],
    ids=["seats", "rounds", "choices", "guests"],
)
def test_R9_a_card_a_deck_or_a_result_from_the_client_is_refused(
    scene: Scene, make: Callable[[dict[str, Any]], Making], extra: str
) -> None:
    call = make({extra: ["As", "Ks"]})(scene)
    problem = scene.refuses(call, "request/malformed", 400)
    assert extra in problem["detail"]


@pytest.mark.parametrize("body", [b"x" * 16_385, b'{"game":"' + b"x" * 20_000 + b'"}'])
def test_a_body_larger_than_16384_bytes(scene: Scene, body: bytes) -> None:
    problem = scene.refuses(seat(body)(scene), "request/too_large", 413)
    assert problem["args"] == {"max_bytes": 16_384}


def test_a_body_of_exactly_16384_bytes_is_read(scene: Scene) -> None:
    body = b'{"game":"casino-stud"}'.ljust(16_384)
    assert scene.send(seat(body)(scene)).json() == scene.seat


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", None])
def test_a_content_type_that_is_not_JSON(scene: Scene, kind: str | None) -> None:
    call = seat({"game": STUD}, **{"Content-Type": kind})(scene)
    scene.refuses(call, "request/content_type", 415)


@pytest.mark.parametrize("step", [1, -1, 7, 2**63, -(2**63), 10**30, -(10**30)])
def test_G3_a_choice_for_another_step(scene: Scene, step: int) -> None:
    problem = scene.refuses(choosing(step=step)(scene), "round/stale_step", 409)
    assert (problem["round_id"], problem["args"]["step"]) == (scene.open_id, 0)


@pytest.mark.parametrize("choice", ["raise", "PLAY", " play", "play ", "", "\0", "1"])
def test_an_option_that_is_not_offered(scene: Scene, choice: str) -> None:
    problem = scene.refuses(choosing(choice=choice)(scene), "choice/not_offered", 422)
    assert problem["args"]["choice"] == choice


@pytest.mark.parametrize(
    ("step", "code"),
    [(0, "round/stale_step"), (-1, "round/stale_step"), (1, "round/ended"), (9, "round/ended")],
)
def test_choosing_on_a_round_that_has_ended(scene: Scene, step: int, code: str) -> None:
    path = f"/api/v1/rounds/{scene.ended_id}/choices"
    call = Call("POST", path, {"step": step, "choice": "play"}, scene.as_cy())
    assert scene.refuses(call, code, 409)["round_id"] == scene.ended_id
