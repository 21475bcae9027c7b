"""A round worth recording, in a few words, and one that every test of the house knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

DAY_MS = 86_400_000
POT_CENTS = 2_000_000  # what a claim is a share of, where a case says nothing else


class Case(NamedTuple):
    """A round: what is staked, the cards the deck begins with, and what the player answers."""

    stakes: Mapping[str, int]
    cards: str
    choices: Sequence[str] = ()
    changes: Mapping[str, object] = {}  # to the sheet
    pot_cents: int = POT_CENTS


class Known(NamedTuple):
    """A round whose cards are known: how it is opened, and what ends it, to what net result."""

    cards: str
    stakes: dict[str, int]
    choices: tuple[str, ...]
    net_cents: int
    delay_ms: int = 30 * DAY_MS  # until it is void
