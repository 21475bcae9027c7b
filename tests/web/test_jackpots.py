"""The jackpots over HTTP: what is shown of them, and how old it is."""

from __future__ import annotations

from pathlib import Path

from houses import Clock, client_of, make_house
from rounds.potted import PART, START, played, players, potted
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
            },
        }
        assert player.player_id not in client.get("/api/v1/jackpots").text
