"""Blackjack Royal Poker, edition 1, for rounds stored under it.

This edition calls a split ace with a ten-value a soft 21; the rule sheet says hard (bj.11). Play
and payments equal those of the current edition.
"""

from __future__ import annotations

from tapisvert.engine import Script, Table
from tapisvert.games.blackjack.script import blackjack
from tapisvert.games.blackjack.sheet import Blackjack


def blackjack_1(table: Table, sheet: Blackjack) -> Script[None]:
    """One round, with the hand names of edition 1."""
    return blackjack(table, sheet, aces_21="soft")
