"""The jackpots over HTTP: their amounts, and the age of the figures."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec

from houses import Clock, Guest, client_of, make_house
from rounds.house_with_operator import Funded, act
from rounds.house_with_pot import GAME, PART, START, played, players, potted
from tapisvert.operations.operator_commands import OperatorCommands
from web.shapes import events_in


def test_a_house_without_a_pot_shows_none(tmp_path: Path) -> None:
    with client_of(make_house(tmp_path / "tapis.db")) as client:
        assert client.get("/api/v1/jackpots").json() == {"jackpots": []}
        (event,) = events_in(client.get("/api/v1/jackpots/stream").text)
        assert event == {"event": "jackpots", "data": '{"jackpots":[]}'}


def test_what_is_shown_is_as_old_as_it_says_and_needs_no_session(tmp_path: Path) -> None:
    clock = Clock()
    house = potted(tmp_path / "tapis.db", clock=clock)
    (player,) = players(house, 1)
    with client_of(house) as client:
        played(player, "straight-flush")
        clock.now_ms += 2500
        played(player, "nothing")
        (shown,) = client.get("/api/v1/jackpots").json()["jackpots"]
        left = START + PART - 200_002 * 100_000
        assert shown == {
            "id": "blackjack",
            "game": "blackjack",
            "currency": "CAD",
            "state": "open",
            "amount_cents": left // 100_000,
            "as_of": "2023-11-14T22:13:20.000Z",
            "age_ms": 2500,
            "epoch": 1,
            "reset_cents": 2_000_000,
            "contribution": "2030843:10000000",
            "last_win": {
                "trigger": 1,
                "at": "2023-11-14T22:13:20.000Z",
                "amount_cents": 200_002,
                "converted": {},
            },
            "converted": {},
        }
        assert player.player_id not in client.get("/api/v1/jackpots").text


def test_a_pot_is_told_in_every_currency_that_has_a_rate(tmp_path: Path) -> None:
    """Amounts are rounded down to whole cents: the meter never shows more than the pot."""
    house = potted(tmp_path / "tapis.db")
    for currency, rate in (("EUR", "9"), ("EUR", "1.4700"), ("USD", "1.33333333")):
        act(house, partial(set_rate, currency=currency, rate=rate))
    (player,) = players(house, 1)
    with client_of(house) as client:
        played(player, "straight-flush")
        (shown,) = client.get("/api/v1/jackpots").json()["jackpots"]
        assert (shown["currency"], shown["amount_cents"]) == ("CAD", 1_800_018)
        assert shown["converted"] == {
            "EUR": {"rate": "1.4700", "amount_cents": 1_224_502},  # 12,245.02721...
            "USD": {"rate": "1.33333333", "amount_cents": 1_350_013},  # 13,500.135003...
        }
        assert shown["last_win"]["amount_cents"] == 200_002
        assert shown["last_win"]["converted"] == {"EUR": 136_055, "USD": 150_001}
        (event,) = events_in(client.get("/api/v1/jackpots/stream").text)
        (streamed,) = msgspec.json.decode(event["data"])["jackpots"]
        assert streamed["converted"] == shown["converted"]


def test_a_player_is_told_at_what_rate_the_game_is_converted(tmp_path: Path) -> None:
    house = potted(tmp_path / "tapis.db")
    act(house, partial(set_rate, currency="EUR", rate="1.4700"))
    with client_of(house) as client:
        told = {
            currency: Guest(client, Funded(house, 100_000, currency).token).get("/games").json()
            for currency in ("CAD", "EUR", "JPY")
        }
        told["FUN"] = Guest(client).get("/games").json()
        told["nobody"] = client.get("/api/v1/games").json()
    found = {
        who: {game["id"]: game["conversion"] for game in games["games"] if game["conversion"]}
        for who, games in told.items()
    }
    assert found == {
        "CAD": {},
        "EUR": {"blackjack": {"currency": "CAD", "rate": "1.4700"}},
        "JPY": {"blackjack": {"currency": "CAD", "rate": None}},
        "FUN": {},
        "nobody": {},
    }


def set_rate(office: OperatorCommands, currency: str, rate: str) -> None:
    office.set_rate(GAME, currency, rate)
