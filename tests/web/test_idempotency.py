"""One key, one effect, one reply: idempotency keys over the wire."""

from __future__ import annotations

import pytest

from houses import PLAYER_WINS, Clock, opening
from stores import both
from web.scene import DEAR, GRANT, Call, Scene, Seating

pytestmark = both


@pytest.mark.parametrize(
    "key",
    [None, "", "x" * 256, b"tab\tinside", b"\x01", "clé", b"cl\xe9", "clef 🂡", b"\x7f"],
    ids=["missing", "empty", "long", "tab", "control", "UTF-8", "Latin-1", "card", "DEL"],
)
@pytest.mark.parametrize("path", ["/rounds", "/rounds/{id}/choices", "/wallet/play-money"])
def test_a_command_needs_a_key_of_1_to_255_visible_characters(
    scene: Scene, path: str, key: str | bytes | None
) -> None:
    choice = {"step": 0, "choice": "play"}
    body = {"/rounds": scene.opening(), "/rounds/{id}/choices": choice}.get(path, b"")
    headers = {**scene.as_bea(), "Idempotency-Key": key}
    call = Call("POST", f"/api/v1{path}".replace("{id}", scene.open_id), body, headers)
    scene.refuses(call, "idempotency/missing", 400)


def test_a_key_used_again_with_another_body_or_on_another_route(scene: Scene) -> None:
    key = {"Idempotency-Key": "once and for all", **scene.as_cy()}
    seat = scene.cy.seat()
    asked = {name: seat[name] for name in ("round_id", "commitment")}
    opened = scene.send(Call("POST", "/api/v1/rounds", scene.opening(**asked), key))
    assert opened.status_code == 201
    path = f"/api/v1/rounds/{seat['round_id']}/choices"
    others = [
        Call("POST", "/api/v1/rounds", scene.opening(**asked, stakes={"ante": 1100}), key),
        Call("POST", "/api/v1/rounds", scene.opening(**asked, client_seed="other"), key),
        Call("POST", path, {"step": 0, "choice": "play"}, key),
        Call("POST", "/api/v1/wallet/play-money", headers=key),
    ]
    for other in others:
        scene.refuses(other, "idempotency/reused", 422)
    again = scene.send(Call("POST", "/api/v1/rounds", scene.opening(**asked), key))
    assert (again.status_code, again.content) == (201, opened.content)


def test_a_refusal_is_kept_under_its_key_and_a_key_belongs_to_one_player(scene: Scene) -> None:
    key: dict[str, str | bytes | None] = {"Idempotency-Key": "shared"}
    low = Call("POST", "/api/v1/rounds", scene.opening(stakes={"ante": 1}), key)
    scene.refuses(low, "stake/under_limit", 422)
    fine = Call("POST", "/api/v1/rounds", scene.opening(), key)
    scene.refuses(fine, "idempotency/reused", 422)
    money = Call("POST", "/api/v1/wallet/play-money", headers={**key, **scene.as_cy()})
    scene.refuses(money, "wallet/not_broke", 409)


@pytest.mark.parametrize("key", ["x", "x" * 255, "a key with spaces", "!~\"'\\"])
def test_a_key_of_1_to_255_visible_characters_is_taken(scene: Scene, key: str) -> None:
    headers: dict[str, str | bytes | None] = {"Idempotency-Key": key}
    scene.refuses(
        Call("POST", "/api/v1/wallet/play-money", headers=headers), "wallet/not_broke", 409
    )


def test_a_repeated_command_gets_the_first_reply_byte_for_byte(seating: Seating) -> None:
    clock = Clock()
    _, guest = seating(PLAYER_WINS, clock=clock)
    seat = guest.seat()
    body = opening(seat, {"ante": 1000})
    opened = guest.post("/rounds", body, "open")
    clock.now_ms += 1000
    chosen = guest.choose(seat["round_id"], "play", key="choose")
    clock.now_ms += 1000
    balance = guest.balance()
    for _ in range(3):
        assert guest.post("/rounds", body, "open").content == opened.content
        again = guest.choose(seat["round_id"], "play", key="choose")
        assert (again.status_code, again.content) == (200, chosen.content)
    assert guest.balance() == balance


def test_a_late_copy_of_a_refused_raise_stays_refused_after_a_refill(seating: Seating) -> None:
    _, guest = seating(PLAYER_WINS, sheet_of=lambda _: DEAR)
    round_id = guest.open({"ante": 50_000}).json()["round"]["id"]
    refused = guest.choose(round_id, "play", key="raise")
    assert refused.json()["code"] == "wallet/insufficient_funds"
    guest.post("/wallet/play-money")
    late = guest.choose(round_id, "play", key="raise")
    assert (late.status_code, late.content) == (402, refused.content)
    assert guest.choose(round_id, "play", key="again").status_code == 200


def test_since_is_not_part_of_what_a_key_stands_for(seating: Seating) -> None:
    _, guest = seating(PLAYER_WINS)
    round_id = guest.open({"ante": 1000}).json()["round"]["id"]
    path, body = f"/rounds/{round_id}/choices", {"step": 0, "choice": "play"}
    first = guest.post(f"{path}?since=5", body, "play")
    assert guest.post(path, body, "play").content == first.content


def test_G3_a_double_click_with_two_keys_plays_once(seating: Seating) -> None:
    _, guest = seating(PLAYER_WINS)
    round_id = guest.open({"ante": 1000}).json()["round"]["id"]
    answers = [guest.choose(round_id, choice) for choice in ("play", "play", "fold")]
    assert [answer.status_code for answer in answers] == [200, 409, 409]
    assert {answer.json()["code"] for answer in answers[1:]} == {"round/stale_step"}
    assert guest.balance() == (GRANT + 1000 + 2000, 0)
