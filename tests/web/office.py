"""A house with an operator, for tests of the operator's API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from httpx import Response

from houses import Guest, client_of
from rounds.house_with_operator import TABLES, act, findings, open_tables
from tapisvert.rounds import PlayerService

WHY = {"reason": "the display froze"}
MONEY = {"cents": 10_000, "reference": "wire 4711"}


@dataclass
class Room:
    """A house with an operator, a real-money player with a finished round, and a guest."""

    house: PlayerService
    clerk: Guest
    player: Guest
    player_id: str
    guest: Guest
    round_id: str

    def routes(self) -> list[tuple[str, str, object]]:
        """Return every route with a valid body."""
        mine = f"/operator/players/{self.player_id}"
        stop = {"scope": "game:ultimate", **WHY}
        return [
            ("post", "/operator/players", {"currency": "EUR"}),
            ("get", mine, None),
            ("post", f"{mine}/deposits", MONEY),
            ("post", f"{mine}/withdrawals", {"cents": 50, "reference": ""}),
            ("post", f"{mine}/debt-payments", {}),
            ("post", f"/operator/rounds/{self.round_id}/void", WHY),
            ("get", "/operator/stops", None),
            ("post", "/operator/stops", stop),
            ("post", "/operator/resumptions", stop),
            ("post", "/operator/revocations", {"scope": "operator:dora", **WHY}),
            ("get", "/operator/events", None),
        ]

    def commands(self) -> list[tuple[str, str, object]]:
        """Return the routes that take an idempotency key."""
        return [
            each for each in self.routes() if each[0] == "post" and each[1] != "/operator/players"
        ]

    def money(self) -> tuple[int, int]:
        """Return balance and debt of the player."""
        seen = self.clerk.get(f"/operator/players/{self.player_id}").json()
        return seen["balance_cents"], seen["debt_cents"]


def clerk_of(house: PlayerService, client: Any, name: str) -> Guest:
    made = act(house, lambda operator: operator.create_operator(name), by="cli")
    return Guest(client, made["token"])


@contextmanager
def open_room(path: Path) -> Iterator[Room]:
    """Open a house with an operator; on exit the audit must pass."""
    house = open_tables(path)
    with client_of(house) as client:
        clerk = clerk_of(house, client, "anne")
        clerk_of(house, client, "dora")
        made = clerk.post("/operator/players", {"currency": "CAD"}).json()
        first = {"cents": 100_000, "reference": ""}
        clerk.post(f"/operator/players/{made['player_id']}/deposits", first)
        player, guest = Guest(client, made["token"]), Guest(client)
        round_id = player.open(TABLES["casino-stud"].stakes).json()["round"]["id"]
        player.choose(round_id, "play")
        yield Room(house, clerk, player, made["player_id"], guest, round_id)
        assert findings(house) == ()


def send(guest: Guest, route: tuple[str, str, object], key: str | None = None) -> Response:
    method, path, body = route
    answer: Response = guest.get(path) if method == "get" else guest.post(path, body, key)
    return answer


def under(path: str, room: Room) -> str:
    """Return the path template of a route in the document."""
    return path.replace(room.player_id, "{player_id}").replace(room.round_id, "{round_id}")
