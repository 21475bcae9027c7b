"""The key a proof is kept under.

The key is made of exactly the figures a bet depends on, and of the edition of its mathematics: a
sheet with another limit or delay has the same proofs, one with another price has not.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from tapisvert.engine.sheet import Sheet, content
from tapisvert.games.game import Game


def proof_key(game: Game, sheet: Sheet, bet: str) -> str:
    """Return the name that a bet's proofs are kept under for a sheet of this game."""
    fields, edition = game.bets[bet]
    figures = content(sheet)
    said = [sheet.game, bet, edition, {name: _at(figures, name) for name in fields}]
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


def _at(figures: Any, dotted: str) -> Any:
    for name in dotted.split("."):
        figures = figures[name]
    return figures
