"""Blackjack Royal Poker, edition 1, for the rounds that were stored by it.

It named split aces with a ten-value a soft 21, where the rule sheet says a hard one (bj.11). Play
and payments are those of today.
"""

from __future__ import annotations

from tapisvert.engine import Script, Table
from tapisvert.games.blackjack.script import blackjack
from tapisvert.games.blackjack.sheet import Blackjack


def blackjack_1(table: Table, sheet: Blackjack) -> Script[None]:
    """One round, as edition 1 names its hands."""
    return blackjack(table, sheet, aces_21="soft")
