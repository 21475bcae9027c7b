"""A round to record, in compact form, and a known round that other tests use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

DAY_MS = 86_400_000
POT_CENTS = 2_000_000  # what a claim is a share of, where a case says nothing else


class Case(NamedTuple):
    """A round: the stakes, the first cards of the deck, and the player's answers."""

    stakes: Mapping[str, int]
    cards: str
    choices: Sequence[str] = ()
    changes: Mapping[str, object] = {}  # to the sheet
    pot_cents: int = POT_CENTS


class Known(NamedTuple):
    """A round with known cards: how it is opened, how it ends, and its net result."""

    cards: str
    stakes: dict[str, int]
    choices: tuple[str, ...]
    net_cents: int
    delay_ms: int = 30 * DAY_MS  # until it is void
