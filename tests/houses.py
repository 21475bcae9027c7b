"""A house for tests: real store, bank and HTTP; injected deck and clock."""

from __future__ import annotations

import itertools
import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
from litestar import Litestar
from litestar.events import SimpleEventEmitter
from litestar.testing import TestClient

from golden.cases.casino_stud import KNOWN
from stores import store_at
from tapisvert.cards import STANDARD, Card, parse_hand
from tapisvert.coach.drill import Chance
from tapisvert.coach.warm import CoachState
from tapisvert.dealing import Deal, shuffle
from tapisvert.engine.sheet import Sheet
from tapisvert.history import best_hands
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Entropy, Sealer
from tapisvert.sheets import load
from tapisvert.web import app as server
from tapisvert.web import create_app
from tapisvert.web.advice import Coach
from tapisvert.web.jackpots import Board

KEY = bytes(range(32))
PLAYER_WINS = KNOWN.cards
HOUSE_WINS = "Kh Qd 7c 4s 2d Ac As 9h 8d 3c"
ROYAL = "As Ks Qs Js Ts 2c 3d 4h 5s 7c"


def deck_of(first: str, cards: Sequence[Card] = STANDARD) -> list[Card]:
    """Return a whole deck that begins with these cards."""
    top = parse_hand(first)
    return [*top, *(card for card in cards if card not in top)]


class Clock:
    """A clock that stands still until moved."""

    def __init__(self, now_ms: int = 1_700_000_000_000) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms


def counting_entropy() -> Entropy:
    """Return a source that yields 1, 2, 3, ... as bytes: the same ids and seeds in every run."""
    best_hands._HANDS.clear()  # they are remembered by id, and other rounds get the same ids
    count = itertools.count(1)
    return lambda size: next(count).to_bytes(size, "big")


def make_house(
    path: Path,
    first: str | None = None,
    *,
    entropy: Entropy = os.urandom,
    clock: Callable[[], int] | None = None,
    sheet_of: Callable[[str], Sheet] = load,
) -> PlayerService:
    """Open a house on a database file; with `first`, every deck begins with those cards."""

    def fixed(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        return shuffle(seed, deal, cards) if first is None else deck_of(first, cards)

    dealer = Dealer(Sealer(KEY), entropy, fixed)
    return PlayerService(store_at(path), dealer, sheet_of=sheet_of, clock=clock or Clock())


def opening(
    seat: Mapping[str, Any], stakes: Mapping[str, Any], client_seed: str = "seed"
) -> dict[str, Any]:
    """Return the body that opens a round with the deal of a seat."""
    deal = {name: seat[name] for name in ("round_id", "commitment")}
    return {**deal, "stakes": stakes, "client_seed": client_seed}


class Guest:
    """A guest over HTTP, like a program with a bearer token."""

    def __init__(self, client: httpx.Client, token: str | None = None) -> None:
        self.client = client
        self._keys = itertools.count()
        self.token = token or self.post("/guests", {"bearer": True}).json()["token"]

    def headers(self, key: str | None) -> dict[str, str]:
        """Return the headers of a command."""
        token = getattr(self, "token", None)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return {**headers, "Idempotency-Key": key or f"key-{next(self._keys)}"}

    def get(self, path: str) -> Any:
        """Send a query."""
        return self.client.get(f"/api/v1{path}", headers=self.headers(None))

    def post(self, path: str, body: object = None, key: str | None = None) -> Any:
        """Send a command."""
        return self.client.post(f"/api/v1{path}", json=body, headers=self.headers(key))

    def seat(self, game: str = "casino-stud") -> dict[str, Any]:
        """Take a seat at a game."""
        found: dict[str, Any] = self.post("/seats", {"game": game}).json()
        return found

    def open(
        self,
        stakes: dict[str, Any],
        key: str | None = None,
        game: str = "casino-stud",
        **other: Any,
    ) -> Any:
        """Seat and open a round."""
        return self.post("/rounds", opening(self.seat(game), stakes) | other, key)

    def choose(self, round_id: str, choice: str, step: int = 0, key: str | None = None) -> Any:
        """Answer a question."""
        return self.post(f"/rounds/{round_id}/choices", {"step": step, "choice": choice}, key)

    def balance(self) -> tuple[int, int]:
        """Return the balance and the held amount."""
        wallet = self.get("/wallet").json()
        return wallet["balance_cents"], wallet["held_cents"]


class Indifferent:
    """A coach to whom all options are equal; every test server has one."""

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        """Answer at once."""
        return {"options": defaultdict(float)}

    async def state(self, game: str | None = None) -> CoachState:
        """Report ready."""
        return CoachState("ready")

    async def close(self) -> None:
        """Hang up."""


class Opinions(dict[str, float]):
    """Arbitrary values of options: all different, the same every time."""

    def __missing__(self, option: str) -> float:
        return sum(option.encode()) % 97 / 97


class Opinionated(Indifferent):
    """A coach who criticises nearly every choice."""

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        """Answer at once."""
        return {"options": Opinions()}


_FIRST: list[Litestar] = []  # the server that others copy; it serves no requests


def client_of(
    house: PlayerService, coach: Coach | None = None, chance: Chance | None = None
) -> TestClient[Any]:
    """Return a client of the house's own HTTP server; use it in a `with` block."""
    # A stream that ends: a client of the tests reads a reply to its end.
    with patch.object(server, "Litestar", _with_the_same_routes):
        board = Board(house, life_s=0)
        app = create_app(house, coach=coach or Indifferent(), board=board, chance=chance)
    return TestClient(app, base_url="http://127.0.0.1")


def _with_the_same_routes(**given: Any) -> Litestar:
    """Build a server for another house from the first one: registering routes takes longest."""
    if not _FIRST:
        _FIRST.append(Litestar(**given))
    app, router = copy(_FIRST[0]), copy(_FIRST[0].asgi_router)
    app.state, app.on_shutdown = given["state"], given["on_shutdown"]
    app.asgi_router, router.app = router, app
    app.event_emitter = SimpleEventEmitter([])  # it runs with the server that has it
    app.asgi_handler = app._create_asgi_handler()
    return app
