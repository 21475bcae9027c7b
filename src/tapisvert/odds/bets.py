"""Which bets there are to prove, and which figures of a sheet each one depends on.

A proof is kept under a key made of exactly these figures and the edition of the mathematics: a
sheet with another limit or delay has the same proofs, one with another price has not. This module
and the ones that read kept proofs import no NumPy: the server does, and must start fast.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import msgspec

from tapisvert.sheets import Sheet, content


class Bet(NamedTuple):
    """What a bet's figures depend on."""

    fields: tuple[str, ...]  # dotted keys
    edition: int = 1  # raised when the mathematics gives another figure for the same fields


BETS: dict[str, dict[str, Bet]] = {
    "pai-gow": {"main": Bet(("house", "house_way", "main")), "fortune": Bet(("fortune",))},
    "casino-stud": {"main": Bet(("house", "ante", "play")), "bonus": Bet(("bonus",))},
    "high-card-flush": {
        "main": Bet(("house", "ante", "raise")),
        "flush": Bet(("flush",)),
        "straight-flush": Bet(("straight-flush",)),
    },
    "blackjack": {
        "main": Bet(("hand", "insurance", "house")),
        "royal": Bet(("royal", "spots.royal")),
    },
    "ultimate": {"main": Bet(("house", "ante", "blind", "play")), "trips": Bet(("trips",))},
}


def key(sheet: Sheet, bet: str) -> str:
    """Return the name a bet's proofs are kept under for this sheet.

    >>> from tapisvert.sheets import load, with_changes
    >>> stud = load("casino-stud")
    >>> key(stud, "bonus") == key(with_changes(stud, {"play.times_ante": 3}), "bonus")
    True
    >>> key(stud, "main") == key(with_changes(stud, {"play.times_ante": 3}), "main")
    False
    """
    fields, edition = BETS[sheet.game][bet]
    figures = content(sheet)
    said = [sheet.game, bet, edition, {name: _at(figures, name) for name in fields}]
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


def _at(figures: Any, dotted: str) -> Any:
    for name in dotted.split("."):
        figures = figures[name]
    return figures
