"""The key under which the proofs of a sheet are stored."""

from __future__ import annotations

from tapisvert.engine.sheet import Sheet
from tapisvert.games.proof_key import proof_key
from tapisvert.games.registry import GAMES


def key(sheet: Sheet, bet: str) -> str:
    """Return the key of a bet's proofs: a hash of the sheet values the proof depends on.

    >>> from tapisvert.sheets import load, with_changes
    >>> stud = load("casino-stud")
    >>> key(stud, "bonus") == key(with_changes(stud, {"play.times_ante": 3}), "bonus")
    True
    >>> key(stud, "main") == key(with_changes(stud, {"play.times_ante": 3}), "main")
    False
    """
    return proof_key(GAMES[sheet.game], sheet, bet)
