"""Changes to the games of the house, for as long as a test runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tapisvert.games.registry import GAMES
from tapisvert.rounds import PlayerService


def only_editions(monkeypatch: pytest.MonkeyPatch, game: str, number: int) -> None:
    """Let a game have its first editions only, up to a number."""
    editions = GAMES[game].editions[:number]
    monkeypatch.setitem(GAMES, game, replace(GAMES[game], editions=editions))


def browser_files(folder: Path) -> None:
    """Give a copied game the files of the browser that it lacks."""
    for name in ("layout.js", "rankings.js", "settle.js"):
        (folder / name).touch()


@contextmanager
def without(house: PlayerService, game: str) -> Iterator[None]:
    """Run a house as if the package of a game had been removed; then install it again."""
    installed, offered = dict(GAMES), house.offered
    del GAMES[game]
    house.offered = tuple(each for each in offered if each != game)
    try:
        yield
    finally:
        GAMES.clear()  # the same object, in its order
        GAMES.update(installed)
        house.offered = offered
