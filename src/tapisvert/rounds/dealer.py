"""The dealer: draws seeds, keeps them sealed, and lays out the deck of a round.

Everything here is given to the house when it is built; tests give other things. No flag,
environment variable or route can choose a deck.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from tapisvert import dealing
from tapisvert.cards import Card
from tapisvert.dealing import Deal
from tapisvert.refusal import Refused
from tapisvert.sealing import Entropy, Sealer, fresh_seed

Shuffle = Callable[[bytes, Deal, Sequence[Card]], list[Card]]


class Dealer:
    """Deals honestly or not at all: once its source of randomness fails, it stays out of play."""

    def __init__(
        self, sealer: Sealer, entropy: Entropy = os.urandom, shuffle: Shuffle = dealing.shuffle
    ) -> None:
        self._sealer = sealer
        self._entropy = entropy
        self._shuffle = shuffle
        self.working = True

    def must_work(self) -> None:
        """Refuse to go on after a failure of the source (GLI-19 and AGCO 21.1.9)."""
        if not self.working:
            raise Refused("dealing/unavailable")

    def seed(self) -> bytes:
        """Draw a fresh seed."""
        self.must_work()
        try:
            return fresh_seed(self._entropy)
        except Refused:
            self.working = False
            raise

    def id(self) -> str:
        """Draw an identifier nobody can guess."""
        self.must_work()
        try:
            return self._entropy(16).hex()
        except OSError:
            self.working = False
            raise Refused("dealing/unavailable") from None

    def token(self) -> str:
        """Draw a session token of 256 bits."""
        return self.id() + self.id()

    def seal(self, seed: bytes, round_id: str) -> bytes:
        """Seal a seed for the store."""
        return self._sealer.seal(seed, round_id)

    def unseal(self, sealed: bytes, round_id: str) -> bytes:
        """Open a seed from the store."""
        return self._sealer.open(sealed, round_id)

    def deck(self, seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        """Return the deck in dealing order."""
        return self._shuffle(seed, deal, cards)
