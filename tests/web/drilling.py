"""A house whose decks are noted, and a question of its drill."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from houses import KEY, Clock, Guest
from tapisvert.cards import Card, text
from tapisvert.dealing import Deal, shuffle
from tapisvert.rounds import Dealer, House
from tapisvert.sealing import Sealer
from tapisvert.store import SqliteStore


class Tables:
    """A house that notes every deck it lays out, by what it was laid out for."""

    def __init__(self, path: Path) -> None:
        self.decks: dict[str, list[list[str]]] = {}
        dealer = Dealer(Sealer(KEY), shuffle=self._laid_out)
        self.house = House(SqliteStore(path), dealer, clock=Clock())

    def _laid_out(self, seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        deck = shuffle(seed, deal, cards)
        self.decks.setdefault(deal.round_id, []).append([text(card) for card in deck])
        return deck


def drilled(guest: Guest, game: str) -> dict[str, Any]:
    """Return a question of the drill."""
    answer = guest.get(f"/drill/{game}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found
