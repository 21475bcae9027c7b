"""Temporary changes to the house's games, for the duration of a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tapisvert.games.registry import GAMES
from tapisvert.rounds import PlayerService


def only_editions(monkeypatch: pytest.MonkeyPatch, game: str, number: int) -> None:
    """Restrict a game to its first editions, up to a number."""
    editions = GAMES[game].editions[:number]
    monkeypatch.setitem(GAMES, game, replace(GAMES[game], editions=editions))


def browser_files(folder: Path) -> None:
    """Add the missing browser files to a copied game."""
    for name in ("layout.js", "rankings.js", "settle.js"):
        (folder / name).touch()


@contextmanager
def without(house: PlayerService, game: str) -> Iterator[None]:
    """Run a house as if a game's package were removed; restore it afterwards."""
    installed, offered = dict(GAMES), house.offered
    del GAMES[game]
    house.offered = tuple(each for each in offered if each != game)
    try:
        yield
    finally:
        GAMES.clear()  # the same object, in its order
        GAMES.update(installed)
        house.offered = offered
