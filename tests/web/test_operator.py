"""The operator's API: every route, its schema, and its idempotency keys."""

from __future__ import annotations

from houses import Guest
from rounds.house_with_operator import act, recorded
from stores import both_at_length
from web.office import MONEY, WHY, Room, clerk_of, send, under
from web.scene import code_of, everything
from web.shapes import assert_shapes

pytestmark = both_at_length


def test_replies_to_an_operator_have_the_shape_the_document_gives_them(room: Room) -> None:
    document = room.clerk.get("/openapi.json").json()
    good = [(way, path, send(room.clerk, (way, path, body))) for way, path, body in room.routes()]
    assert {answer.status_code for _, _, answer in good} == {200, 201}
    bad = [
        ("post", path, room.clerk.post(path, {"nonsense": 1}))
        for way, path, _ in room.routes()
        if way == "post"
    ]
    asked = assert_shapes(
        document, [(way, under(path, room), answer) for way, path, answer in good + bad]
    )
    assert asked == {
        (method, path)
        for path, methods in document["paths"].items()
        for method in methods
        if path.startswith("/api/v1/operator/")
    }


def test_a_player_from_first_deposit_to_last_withdrawal(room: Room) -> None:
    mine = f"/operator/players/{room.player_id}"
    assert room.money() == (102_500, 0)
    assert room.player.balance() == (102_500, 0)
    room.clerk.post(f"{mine}/withdrawals", {"cents": 102_500, "reference": "out"})
    voided = room.clerk.post(f"/operator/rounds/{room.round_id}/void", WHY).json()
    moved = {"given_cents": 500, "taken_cents": 500, "debt_cents": 2500}
    assert voided == {**moved, "refunded_cents": 0}
    assert room.money() == (0, 2500)
    room.clerk.post(f"{mine}/deposits", {"cents": 3000, "reference": "in"})
    refused = room.clerk.post(f"{mine}/withdrawals", {"cents": 100, "reference": ""})
    assert code_of(refused) == (409, "cashier/in_debt")
    assert room.clerk.post(f"{mine}/debt-payments").json()["balance_cents"] == 500
    shown = room.player.get(f"/rounds/{room.round_id}").json()["round"]
    assert (shown["state"], shown["reversal"]["debt_cents"]) == ("settled", 2500)
    (line,) = room.player.get("/rounds?status=unseen").json()["rounds"]
    assert line["reversed"]
    statement = room.player.get("/wallet/transfers").json()["transfers"]
    assert sum(each["cents"] for each in statement) == 500
    assert [each["reason"] for each in statement[:2]] == ["debt-paid", "deposit"]


def test_G12_a_stopped_game_is_told_to_the_player_and_taken_up_again(room: Room) -> None:
    body = {"scope": "game:casino-stud", "reason": "a figure is being checked"}
    stopped = room.clerk.post("/operator/stops", body).json()["stopped"]
    assert stopped == {"game:casino-stud": {**body, "by": "anne"}}
    assert room.clerk.get("/operator/stops").json()["stopped"] == stopped
    answer = room.player.open({"ante": 1000})
    assert code_of(answer) == (403, "play/stopped")
    assert answer.json()["args"] == {"scope": "game", "reason": body["reason"]}
    lifted = room.clerk.post("/operator/resumptions", {**body, "reason": "checked"}).json()
    assert lifted == {"stopped": {}}
    assert room.player.open({"ante": 1000}).status_code == 201


def test_events_come_in_pages_newest_first(room: Room) -> None:
    for number in range(60):
        room.clerk.post("/operator/stops", {"scope": "all", "reason": f"{number}"})
    first = room.clerk.get("/operator/events").json()
    assert len(first["events"]) == 50
    second = room.clerk.get(f"/operator/events?before={first['next']}").json()
    numbers = [each["id"] for each in first["events"] + second["events"]]
    assert numbers == sorted(numbers, reverse=True)
    assert (numbers[-1], second["next"]) == (1, None)
    assert first["events"][0]["data"]["reason"] == "59"
    assert code_of(room.clerk.get("/operator/events?before=x"))[1] == "request/malformed"


def test_the_reply_to_a_void_says_what_an_open_round_gave_back(room: Room) -> None:
    opened = room.player.open({"ante": 1000, "bonus": 500}).json()["round"]
    voided = room.clerk.post(f"/operator/rounds/{opened['id']}/void", WHY).json()
    nothing = {"given_cents": 0, "taken_cents": 0, "debt_cents": 0}
    assert voided == {**nothing, "refunded_cents": 1500}
    assert room.money() == (102_500, 0)


# Access taken away ----------------------------------------------------------------------------


def test_an_operator_whose_token_is_revoked_is_let_in_no_more(room: Room) -> None:
    eve = clerk_of(room.house, room.clerk.client, "eve")
    assert eve.get("/operator/stops").status_code == 200
    body = {"scope": "operator:eve", "reason": "has left"}
    answer = room.clerk.post("/operator/revocations", body)
    assert (answer.status_code, answer.json()) == (200, {"scope": "operator:eve", "tokens": 1})
    assert code_of(eve.get("/operator/stops")) == (401, "operator/missing")
    names = {row[0] for row in everything(room.house)["operators"]}
    assert names == {"anne", "dora"}
    (event,) = recorded(room.house, "operator_revoked")
    assert (event["by"], event["before"], event["reason"]) == ("anne", {"name": "eve"}, "has left")
    assert code_of(room.clerk.post("/operator/revocations", body)) == (422, "revoke/unknown")
    again = clerk_of(room.house, room.clerk.client, "eve")
    assert again.get("/operator/stops").status_code == 200
    assert code_of(eve.get("/operator/stops")) == (401, "operator/missing")


def test_a_player_whose_token_is_revoked_keeps_the_money_and_can_have_another(room: Room) -> None:
    opened = room.player.open({"ante": 1000}).json()["round"]
    body = {"scope": f"player:{room.player_id}", "reason": "the token was stolen"}
    told = room.clerk.post("/operator/revocations", body).json()
    assert told == {"scope": body["scope"], "tokens": 1}
    for answer in (room.player.get("/wallet"), room.player.choose(opened["id"], "play")):
        assert code_of(answer) == (401, "session/missing")
    seen = room.clerk.get(f"/operator/players/{room.player_id}").json()
    assert (seen["balance_cents"], seen["held_cents"], seen["open_rounds"]) == (101_500, 1000, 1)
    new = act(room.house, lambda operator: operator.new_token(room.player_id))
    player = Guest(room.player.client, new.token)
    assert player.choose(opened["id"], "play").json()["round"]["state"] == "settled"
    assert code_of(room.player.get("/wallet")) == (401, "session/missing")
    assert recorded(room.house, "token_revoked")[0]["by"] == "anne"


# Once per key ---------------------------------------------------------------------------------


def test_a_command_sent_again_has_one_effect_and_the_same_reply(room: Room) -> None:
    for number, route in enumerate(room.commands()):
        first = send(room.clerk, route, f"key {number}")
        assert first.status_code == 200, first.text
        before = everything(room.house)
        for _ in range(3):
            again = send(room.clerk, route, f"key {number}")
            assert (again.status_code, again.content) == (200, first.content)
        assert everything(room.house) == before


def test_a_key_used_for_something_else_is_refused(room: Room) -> None:
    routes = room.commands()
    send(room.clerk, routes[0], "key")
    before = everything(room.house)
    others = [*routes[1:], (*routes[0][:2], {**MONEY, "cents": 10_001})]
    others.append((*routes[0][:2], {**MONEY, "reference": "another"}))
    for route in others:
        assert code_of(send(room.clerk, route, "key")) == (422, "idempotency/reused")
    assert everything(room.house) == before


def test_a_key_belongs_to_one_operator(room: Room) -> None:
    other = clerk_of(room.house, room.clerk.client, "ben")
    route = room.commands()[0]
    for clerk in (room.clerk, other):
        send(clerk, route, "key")
    assert room.money() == (122_500, 0)
    told = [event["by"] for event in recorded(room.house, "deposit")]
    assert told == ["anne", "anne", "ben"]  # the first is the room's


def test_a_refused_command_stays_refused_under_its_key(room: Room) -> None:
    """A late retry of a refused withdrawal pays nothing."""
    path = f"/operator/players/{room.player_id}/withdrawals"
    body = {"cents": 110_000, "reference": ""}
    assert code_of(room.clerk.post(path, body, "key")) == (402, "wallet/insufficient_funds")
    send(room.clerk, room.commands()[0])
    assert code_of(room.clerk.post(path, body, "key")) == (402, "wallet/insufficient_funds")
    assert room.clerk.post(path, body, "another").json()["balance_cents"] == 2_500


def test_a_round_is_voided_once_whatever_the_key(room: Room) -> None:
    path = f"/operator/rounds/{room.round_id}/void"
    assert room.clerk.post(path, WHY, "one").status_code == 200
    answer = room.clerk.post(path, WHY, "two")
    assert code_of(answer) == (409, "round/already_voided")
    assert answer.json()["round_id"] == room.round_id


def test_R10_a_source_that_fails_for_a_new_player_is_put_on_record_too(room: Room) -> None:
    room.house.dealer._entropy = lambda size: b""
    for _ in range(2):
        answer = room.clerk.post("/operator/players", {"currency": "CAD"})
        assert code_of(answer) == (503, "dealing/unavailable")
    assert len(recorded(room.house, "dealing_failed")) == 1
