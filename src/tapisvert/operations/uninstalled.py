"""Rounds of games no longer installed: an audit lists them."""

from __future__ import annotations

from tapisvert.games.registry import GAMES
from tapisvert.rounds.repository import count_by_game
from tapisvert.store import Tx


def uninstalled(tx: Tx) -> tuple[str, ...]:
    """Describe the games that are not installed here but have rounds, with the number of rounds."""
    rows = count_by_game(tx)
    return tuple(f"{count} rounds of {game}" for game, count in rows if game not in GAMES)
