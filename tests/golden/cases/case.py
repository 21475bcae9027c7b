"""A round worth recording, in a few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

POT_CENTS = 2_000_000  # what a claim is a share of, where a case says nothing else


class Case(NamedTuple):
    """A round: what is staked, the cards the deck begins with, and what the player answers."""

    stakes: Mapping[str, int]
    cards: str
    choices: Sequence[str] = ()
    changes: Mapping[str, object] = {}  # to the sheet
    pot_cents: int = POT_CENTS
