"""The key that a sheet's proofs are kept under."""

from __future__ import annotations

from tapisvert.engine.sheet import Sheet
from tapisvert.games.proof_key import proof_key
from tapisvert.games.registry import GAMES


def key(sheet: Sheet, bet: str) -> str:
    """Return the name a bet's proofs are kept under for this sheet.

    >>> from tapisvert.sheets import load, with_changes
    >>> stud = load("casino-stud")
    >>> key(stud, "bonus") == key(with_changes(stud, {"play.times_ante": 3}), "bonus")
    True
    >>> key(stud, "main") == key(with_changes(stud, {"play.times_ante": 3}), "main")
    False
    """
    return proof_key(GAMES[sheet.game], sheet, bet)
