"""The key a proof is stored under.

The key consists of exactly the figures a bet depends on, and the edition of its mathematics. Sheets
that differ only in limits or delays share proofs; sheets with different prices do not.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from tapisvert.engine.sheet import Sheet, content
from tapisvert.games.game import Game


def proof_key(game: Game, sheet: Sheet, bet: str) -> str:
    """Return the key of a bet's proofs for a sheet of this game."""
    fields, edition = game.bets[bet]
    figures = content(sheet)
    said = [sheet.game, bet, edition, {name: _at(figures, name) for name in fields}]
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


def _at(figures: Any, dotted: str) -> Any:
    for name in dotted.split("."):
        figures = figures[name]
    return figures
