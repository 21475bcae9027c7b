"""Decks of stored rounds, recomputed from their sealed seeds. Pure, given the house key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from tapisvert.cards import Card
from tapisvert.dealing import Deal
from tapisvert.engine import Transcript
from tapisvert.engine.sheet import Sheet
from tapisvert.rounds.round import Round, marked, replayed
from tapisvert.sealing import Sealer

_DECKS_IN_MEMORY = 4096
Shuffle = Callable[[bytes, Deal, Sequence[Card]], list[Card]]


class Decks:
    """Opens sealed seeds, shuffles decks, and marks the records of rounds."""

    def __init__(self, sealer: Sealer, shuffle: Shuffle) -> None:
        self._sealer = sealer
        self._shuffle = shuffle
        self._deck = lru_cache(_DECKS_IN_MEMORY)(self._lay_out)

    def of(self, stored: Round, sheet: Sheet) -> Sequence[Card]:
        """Return a round's deck in dealing order."""
        deal = Deal(stored.game, stored.sheet_hash, stored.id, stored.client_seed or "")
        return self._deck(stored.sealed_seed, deal, sheet.deck)

    def replay(self, stored: Round, sheet: Sheet) -> Transcript:
        """Replay a round from its record."""
        return replayed(stored, sheet, self.of(stored, sheet))

    def seal(self, seed: bytes, round_id: str, nonce: bytes) -> bytes:
        """Seal the seed of a new deal."""
        return self._sealer.seal(seed, round_id, nonce)

    def seed_of(self, stored: Round) -> bytes:
        """Open the seed of a round."""
        return self._sealer.open(stored.sealed_seed, stored.id)

    def mark(self, stored: Round) -> bytes:
        """Return the HMAC of a round's record under the house key."""
        return self._sealer.mark(marked(stored))

    def _lay_out(self, sealed: bytes, deal: Deal, cards: tuple[Card, ...]) -> Sequence[Card]:
        return tuple(self._shuffle(self._sealer.open(sealed, deal.round_id), deal, cards))
