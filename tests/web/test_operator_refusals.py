"""Refusals of the operator's API: missing rights and bad requests change nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stores import both_at_length
from web.office import MONEY, WHY, Room, open_room
from web.scene import code_of, everything

pytestmark = both_at_length


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with open_room(tmp_path_factory.mktemp("office") / "tapis.db") as made:
        yield made


def test_nobody_but_an_operator_opens_any_of_it_and_nothing_moves(room: Room) -> None:
    routes, before = room.routes(), everything(room.house)
    token = room.clerk.token
    for wrong in (
        {"Authorization": f"Bearer {room.player.token}"},
        {"Authorization": f"Bearer {room.guest.token}"},
        {"Authorization": f"Bearer {token[:-1]}"},
        {"Authorization": "Bearer "},
        {"Authorization": f"Basic {token}"},
        {"Cookie": f"tapis_session={room.player.token}"},
        {"Cookie": f"tapis_session={token}"},
        {},
    ):
        for method, path, body in routes:
            room.guest.client.cookies.clear()
            answer = room.guest.client.request(
                method.upper(),
                f"/api/v1{path}",
                json=None if method == "get" else body,
                headers={"Idempotency-Key": "k", **wrong},
            )
            assert code_of(answer) == (401, "operator/missing"), (wrong, path)
            assert answer.headers["www-authenticate"] == "Bearer"
    assert everything(room.house) == before


@pytest.mark.parametrize("key", ["", "x" * 256, "é"])
def test_a_command_without_a_key_is_refused(room: Room, key: str) -> None:
    before = everything(room.house)
    for _, path, body in room.commands():
        headers = {b"Authorization": f"Bearer {room.clerk.token}".encode()}
        if key:
            headers[b"Idempotency-Key"] = key.encode()
        answer = room.clerk.client.post(f"/api/v1{path}", json=body, headers=headers)
        assert code_of(answer) == (400, "idempotency/missing")
    assert everything(room.house) == before


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("players", {"currency": "FUN"}, 422, "player/currency"),
        ("players", {}, 400, "request/malformed"),
        ("players", {"currency": "CAD", "balance_cents": 1}, 400, "request/malformed"),
        ("players/nobody/deposits", MONEY, 404, "player/unknown"),
        ("players/{player}/deposits", {**MONEY, "cents": 0}, 422, "cashier/amount"),
        ("players/{player}/deposits", {**MONEY, "cents": -5}, 422, "cashier/amount"),
        ("players/{player}/deposits", {**MONEY, "cents": 10**11 + 1}, 422, "cashier/amount"),
        ("players/{player}/deposits", {**MONEY, "cents": 10**25}, 422, "cashier/amount"),
        ("players/{player}/deposits", {**MONEY, "cents": 10.5}, 400, "request/malformed"),
        ("players/{player}/deposits", {**MONEY, "cents": "100"}, 400, "request/malformed"),
        ("players/{player}/deposits", {**MONEY, "cents": True}, 400, "request/malformed"),
        ("players/{player}/deposits", {"cents": 100}, 400, "request/malformed"),
        ("players/{player}/deposits", {**MONEY, "currency": "EUR"}, 400, "request/malformed"),
        ("players/{player}/deposits", {**MONEY, "reference": "x" * 257}, 400, "request/malformed"),
        ("players/{guest}/deposits", MONEY, 403, "cashier/play_money"),
        ("players/{guest}/withdrawals", MONEY, 403, "cashier/play_money"),
        (
            "players/{player}/withdrawals",
            {**MONEY, "cents": 102_501},
            402,
            "wallet/insufficient_funds",
        ),
        ("players/{player}/debt-payments", {"cents": 1}, 400, "request/malformed"),
        ("rounds/nothing/void", WHY, 404, "round/unknown"),
        ("rounds/{round}/void", {"reason": " "}, 422, "operator/reason"),
        ("rounds/{round}/void", {"reason": "x" * 501}, 422, "operator/reason"),
        ("rounds/{round}/void", {}, 400, "request/malformed"),
        ("stops", {"scope": "game:roulette", **WHY}, 422, "switch/unknown"),
        ("stops", {"scope": "player:nobody", **WHY}, 422, "switch/unknown"),
        ("stops", {"scope": "all", "reason": ""}, 422, "operator/reason"),
        ("revocations", {"scope": "operator:nobody", **WHY}, 422, "revoke/unknown"),
        ("revocations", {"scope": "all", **WHY}, 422, "revoke/unknown"),
        ("revocations", {"scope": "player:nobody", **WHY}, 404, "player/unknown"),
        ("revocations", {"scope": "operator:anne", "reason": ""}, 422, "operator/reason"),
        ("revocations", {"scope": "operator:anne"}, 400, "request/malformed"),
        ("resumptions", {"scope": "everything", **WHY}, 422, "switch/unknown"),
    ],
)
def test_a_command_that_is_refused_moves_nothing(
    room: Room, path: str, body: object, status: int, code: str
) -> None:
    before = everything(room.house)
    guest_id = next(row[0] for row in before["players"] if row[0] != room.player_id)
    where = path.format(player=room.player_id, guest=guest_id, round=room.round_id)
    assert code_of(room.clerk.post(f"/operator/{where}", body)) == (status, code)
    after = everything(room.house)
    after["operator_commands"] = before["operator_commands"]  # where the refusal itself is kept
    assert after == before
