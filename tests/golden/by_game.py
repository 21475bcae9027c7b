"""The modules here that belong to one game, found by the name of the game's folder."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from tapisvert.games.registry import GAMES


def cases(game: str) -> ModuleType:
    """Return the module with a game's rounds to record and its known round."""
    return import_module(f"golden.cases.{GAMES[game].folder.name}")


def endings(game: str) -> ModuleType:
    """Return the module with the endings a game's recordings must show."""
    return import_module(f"golden.endings.{GAMES[game].folder.name}")
