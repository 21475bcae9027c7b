"""Houses behind a real server: one shared by all tests of a worker, and separate ones."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from litestar.types import ASGIApp

from houses import KEY, Indifferent, deck_of
from serving import served
from tapisvert.cards import Card
from tapisvert.cli.serve import Serving
from tapisvert.coach.drill import Chance
from tapisvert.coach.warm import CoachState
from tapisvert.dealing import Deal, shuffle
from tapisvert.engine.sheet import Sheet
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.rounds.player_service import system_clock
from tapisvert.sealing import Sealer
from tapisvert.sheets import load
from tapisvert.store import SqliteStore
from tapisvert.web import create_app
from tapisvert.web.advice import Coach
from tapisvert.web.rate_limit import TokenBucket

GUESTS_MAX = 1_000_000
Shuffle = Callable[[bytes, Deal, Sequence[Card]], list[Card]]


@contextmanager
def serving(
    house: PlayerService,
    coach: Coach | None = None,
    around: Callable[[ASGIApp], ASGIApp] | None = None,
    chance: Chance | None = None,
) -> Iterator[str]:
    """Serve a house on a free port in a thread while the block runs; yield its URL."""
    everyone = TokenBucket(GUESTS_MAX, GUESTS_MAX)  # all guests of the tests come from one address
    app = create_app(house, coach=coach or Indifferent(), guests=everyone, chance=chance)
    inside, kind = around(app) if around else app, partial(Serving, board=app.state.board)
    plain = {"server_header": False, "proxy_headers": False, "ws": "none"}
    with served(inside, kind, timeout_graceful_shutdown=5, **plain) as (_, port):
        yield f"http://127.0.0.1:{port}"


class Decks:
    """Shuffles from its own seed: the first round gets the first deck, and so on."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._rounds: list[str] = []

    def __call__(self, seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        if deal.round_id not in self._rounds:
            self._rounds.append(deal.round_id)
        number = self._rounds.index(deal.round_id)
        return Random(f"{self._seed} {number}").sample(cards, len(cards))


class Served:
    """The shared house of a worker; each test sets decks, sheets and coach.

    A test has its own guests, so it does not see the data of other tests.
    """

    def __init__(self) -> None:
        self.url = ""
        self.chance = Random()
        self.reset()

    def reset(self) -> None:
        """Restore real shuffles and chance, the shipped sheets, and a coach without values."""
        self.shuffle: Shuffle = shuffle
        self.first: str | None = None  # the cards every deck begins with
        self.known: dict[str, str] = {}  # the same, by game
        self.sheets: dict[str, Sheet] = {}  # tables that play by other figures
        self.coach: Coach = Indifferent()
        self.chance.seed()

    def sheet_of(self, game: str) -> Sheet:
        return self.sheets.get(game) or load(game)

    def shuffled(self, seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        """Return the deck of a round."""
        first = self.first or self.known.get(deal.game)
        return deck_of(first, cards) if first else self.shuffle(seed, deal, cards)

    def table(
        self, first: str | None = None, game: str = "casino-stud", *, sheet: Sheet | None = None
    ) -> str:
        """Stack the deck, and set a sheet if given; return the URL of the table."""
        self.first = first
        if sheet:
            self.sheets[game] = sheet
        return f"{self.url}/table/{game}"

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        """Ask the test's coach in a thread, so that a slow answer blocks nothing else."""
        return await asyncio.to_thread(asyncio.run, self.coach.ask(position))

    async def state(self, game: str | None = None) -> CoachState:
        return await self.coach.state(game)

    async def close(self) -> None:
        """Do nothing: the coaches of the tests have no connection."""


@contextmanager
def served_house(path: Path) -> Iterator[Served]:
    """Serve a house whose decks, sheets and coach can change between rounds."""
    made = Served()
    dealer = Dealer(Sealer(KEY), os.urandom, made.shuffled)
    house = PlayerService(SqliteStore(path), dealer, sheet_of=made.sheet_of, clock=system_clock)
    with serving(house, made, chance=made.chance) as made.url:
        yield made
