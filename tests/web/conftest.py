"""Fixtures for the HTTP tests: houses with guests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from coach.present import Present
from houses import Guest, client_of, counting_entropy, make_house
from tapisvert.rounds import PlayerService
from web.office import Room, open_room
from web.scene import Scene, Seating


@pytest.fixture(scope="module")
def scene(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Return a house with three guests, for calls that must change nothing."""
    made = Scene(tmp_path_factory.mktemp("house") / "tapis.db")
    with made.client:
        made.enter()
        yield made


@pytest.fixture
def house(tmp_path: Path) -> PlayerService:
    return make_house(tmp_path / "tapis.db")


@pytest.fixture
def coach() -> Present:
    return Present()


@pytest.fixture
def client(house: PlayerService, coach: Present) -> Iterator[TestClient[Any]]:
    """Return a client of that house with that coach, without a session."""
    with client_of(house, coach) as made:
        yield made


@pytest.fixture
def guest(client: TestClient[Any]) -> Guest:
    """Return a guest of that house."""
    return Guest(client)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Return a house with an operator, for one test."""
    with open_room(tmp_path / "tapis.db") as made:
        yield made


@pytest.fixture
def seating(tmp_path: Path) -> Iterator[Seating]:
    """Open houses with one guest each; deck, sheet, clock and entropy are optional."""
    with ExitStack() as open_houses:
        count = 0

        def make(first: str | None = None, **given: Any) -> tuple[PlayerService, Guest]:
            nonlocal count
            count += 1
            given.setdefault("entropy", counting_entropy())  # the same decks in every run
            house = make_house(tmp_path / f"tapis-{count}.db", first, **given)
            return house, Guest(open_houses.enter_context(client_of(house)))

        yield make
