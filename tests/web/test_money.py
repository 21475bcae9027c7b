"""Guests and their money over HTTP: cookie and token, statement, play money."""

from __future__ import annotations

from typing import Any

import pytest

from houses import HOUSE_WINS, PLAYER_WINS, Guest
from stores import both
from tapisvert.bank.ledger import total_units
from web.scene import DEAR, GRANT, Seating, code_of, everything, play_round

pytestmark = both

# Coming in ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [None, {}, {"bearer": False}])
def test_a_browser_comes_in_by_a_cookie_no_script_can_read(
    seating: Seating, body: dict[str, Any] | None
) -> None:
    _, guest = seating()
    client = guest.client
    answer = client.post("/api/v1/guests", json=body)
    assert answer.status_code == 201
    name, _, rest = answer.headers["set-cookie"].partition("=")
    token, *attributes = rest.split("; ")
    assert name == "tapis_session"
    assert {"httponly", "samesite=strict", "path=/"} <= {each.lower() for each in attributes}
    assert not any(each.lower().startswith("domain") for each in attributes)
    assert answer.json()["token"] is None
    assert token not in answer.text
    wallet = client.get("/api/v1/wallet", headers={"Cookie": f"tapis_session={token}"})
    assert wallet.json() == answer.json()["wallet"]


def test_over_https_the_cookie_is_secure(seating: Seating) -> None:
    _, guest = seating()
    answer = guest.client.post("https://127.0.0.1/api/v1/guests")
    assert "secure" in answer.headers["set-cookie"].lower().split("; ")
    assert "secure" not in guest.client.post("/api/v1/guests").headers["set-cookie"].lower()


def test_a_program_comes_in_by_a_bearer_token_and_gets_no_cookie(seating: Seating) -> None:
    _, guest = seating()
    answer = guest.client.post("/api/v1/guests", json={"bearer": True})
    assert answer.status_code == 201
    assert "set-cookie" not in answer.headers
    assert len(bytes.fromhex(answer.json()["token"])) == 32
    assert answer.json()["wallet"] == {"currency": "FUN", "balance_cents": GRANT, "held_cents": 0}
    assert Guest(guest.client, answer.json()["token"]).balance() == (GRANT, 0)


def test_every_guest_is_someone_else(seating: Seating) -> None:
    _, guest = seating()
    answers = [guest.post("/guests", {"bearer": True}).json() for _ in range(5)]
    for name in ("player_id", "token"):
        assert len({answer[name] for answer in answers}) == 5
    seats = [Guest(guest.client, answer["token"]).seat() for answer in answers]
    assert len({seat["commitment"] for seat in seats}) == 5


# The statement ------------------------------------------------------------------------------------


def test_the_statement_sums_to_the_balance_and_says_why_everything_moved(seating: Seating) -> None:
    house, guest = seating(PLAYER_WINS)
    for number in range(30):
        choice = ("play", "fold", "play")[number % 3]
        play_round(house, guest.token, str(number), {"ante": 1000, "bonus": 500}, choice)
    play_round(house, guest.token, "open", {"ante": 1000}, None)
    transfers: list[dict[str, Any]] = []
    before = ""
    while before is not None:
        page = guest.get(f"/wallet/transfers{before and f'?before={before}'}").json()
        assert len(page["transfers"]) <= 50
        transfers += page["transfers"]
        before = page["next"]
    balance, held = guest.balance()
    assert sum(transfer["cents"] for transfer in transfers) == balance
    assert held == 1000
    ids = [transfer["id"] for transfer in transfers]
    assert ids == sorted(set(ids), reverse=True)
    assert {transfer["reason"] for transfer in transfers} == {"grant", "stake", "return", "win"}
    first = transfers[-1]
    assert (first["reason"], first["cents"], first["round_id"]) == ("grant", GRANT, None)
    for transfer in transfers[:-1]:
        assert transfer["bet"] in ("ante", "bonus", "play")
        assert transfer["round_id"]
        assert (transfer["cents"] < 0) == (transfer["reason"] == "stake")
    assert house.store.read(total_units).result() == {"FUN": 0}


# Play money ---------------------------------------------------------------------------------------


def test_play_money_when_broke(seating: Seating) -> None:
    house, guest = seating(HOUSE_WINS, sheet_of=lambda _: DEAR)
    play_round(house, guest.token, "all", {"ante": GRANT}, "fold")
    assert guest.balance() == (0, 0)
    assert guest.open({"ante": 100}).json()["code"] == "wallet/insufficient_funds"
    # The house gives what it gives: a client that names an amount is refused.
    greedy = guest.post("/wallet/play-money", {"cents": 10**9})
    assert greedy.json()["code"] == "request/malformed"
    answer = guest.post("/wallet/play-money", None, "more")
    assert answer.status_code == 200
    assert answer.json() == guest.get("/wallet").json()
    assert guest.balance() == (GRANT, 0)
    assert guest.post("/wallet/play-money", None, "more").content == answer.content
    assert guest.balance() == (GRANT, 0)
    assert guest.post("/wallet/play-money").json()["code"] == "wallet/not_broke"
    grants = [row for row in everything(house)["transfers"] if row[6] == "grant"]
    assert len(grants) == 2


def test_play_money_with_less_than_the_smallest_stake_left(seating: Seating) -> None:
    house, guest = seating(HOUSE_WINS, sheet_of=lambda _: DEAR)
    play_round(house, guest.token, "most", {"ante": GRANT - 100}, "fold")
    assert guest.post("/wallet/play-money").json()["code"] == "wallet/not_broke"
    play_round(house, guest.token, "last", {"ante": 100}, "fold")
    assert guest.post("/wallet/play-money").status_code == 200


def test_play_money_in_the_middle_of_a_round_when_the_raise_is_not_affordable(
    seating: Seating,
) -> None:
    _, guest = seating(PLAYER_WINS, sheet_of=lambda _: DEAR)
    opened = guest.open({"ante": 50_000}).json()["round"]

    def affordable() -> dict[str, bool]:
        options = guest.get(f"/rounds/{opened['id']}").json()["round"]["ask"]["options"]
        return {option["id"]: option["affordable"] for option in options}

    assert affordable() == {"play": False, "fold": True}
    assert code_of(guest.choose(opened["id"], "play")) == (402, "wallet/insufficient_funds")
    assert guest.balance() == (50_000, 50_000)
    assert guest.post("/wallet/play-money").status_code == 200
    assert guest.balance() == (50_000 + GRANT, 50_000)
    assert affordable() == {"play": True, "fold": True}
    assert guest.post("/wallet/play-money").json()["code"] == "wallet/not_broke"
    end = guest.choose(opened["id"], "play").json()
    assert end["round"]["state"] == "settled"
    # The ante's cap of 200.00 is the sheet's own; play pays 1:1.
    assert guest.balance() == (50_000 + 20_000 + 2 * GRANT, 0)
