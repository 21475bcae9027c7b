"""The dealer: draws seeds and ids; encrypts, marks and signs under the house key.

The entropy source and the shuffle are injected; tests inject their own. No flag, environment
variable or route can choose a deck.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence

from tapisvert import dealing
from tapisvert.cards import Card
from tapisvert.dealing import SEED_BYTES, Deal
from tapisvert.refusal import Refused
from tapisvert.rounds.decks import Decks, Shuffle
from tapisvert.rounds.state import Drawn
from tapisvert.sealing import NONCE_BYTES, Entropy, Sealer

_ID_BYTES = 16


def draw(size: int, entropy: Entropy = os.urandom) -> bytes:
    """Draw random bytes; refuse if the source fails, or repeats a single byte."""
    try:
        drawn = entropy(size)
    except (OSError, NotImplementedError):
        raise Refused("dealing/unavailable") from None
    if len(drawn) != size or drawn.count(drawn[:1]) == size:
        raise Refused("dealing/unavailable")
    return drawn


class Dealer:
    """The dealer. Once its entropy source fails, it stops dealing until the server restarts."""

    def __init__(
        self, sealer: Sealer, entropy: Entropy = os.urandom, shuffle: Shuffle = dealing.shuffle
    ) -> None:
        self._sealer = sealer
        self._entropy = entropy
        self._shuffle = shuffle
        self.decks = Decks(sealer, shuffle)
        self._last_drawn: dict[int, bytes] = {}  # by size: draws of several sizes alternate
        self._one_at_a_time = threading.Lock()
        self._recorded = False
        self.working = True

    def must_work(self) -> None:
        """Refuse if the source has failed before (GLI-19 and AGCO 21.1.9)."""
        if not self.working:
            raise Refused("dealing/unavailable")

    def seed(self) -> bytes:
        """Draw a fresh seed."""
        return self._draw(SEED_BYTES)

    def id(self) -> str:
        """Draw a random identifier of 128 bits."""
        return self._draw(_ID_BYTES).hex()

    def token(self) -> str:
        """Draw a session token of 256 bits."""
        return self.id() + self.id()

    def seal(self, seed: bytes, round_id: str) -> bytes:
        """Encrypt a seed for the store."""
        return self._sealer.seal(seed, round_id, self._draw(NONCE_BYTES))

    def drawn(self) -> Drawn | Refused:
        """Draw the bytes one command may need for a new deal, or return a refusal."""
        try:
            with self._one_at_a_time:
                draw_alone = self._draw_alone
                seed, round_id = draw_alone(SEED_BYTES), draw_alone(_ID_BYTES).hex()
                return Drawn(seed, round_id, draw_alone(NONCE_BYTES))
        except Refused as refusal:
            return refusal

    def unseal(self, sealed: bytes, round_id: str) -> bytes:
        """Decrypt a seed from the store."""
        return self._sealer.open(sealed, round_id)

    def sign(self, content: bytes) -> bytes:
        """Return the signature of a seal."""
        return self._sealer.sign(content)

    @property
    def public_key(self) -> bytes:
        """Return the public key that verifies the house's seals."""
        return self._sealer.public_key

    @property
    def integrity_key(self) -> bytes:
        """Return the key of tails, and of the marks of small rows."""
        return self._sealer.integrity_key

    def practice_deck(self, deal: Deal, cards: Sequence[Card]) -> Sequence[Card]:
        """Shuffle a deck for practice; its seed is not stored.

        A failing source is refused here too, but does not stop the dealer: stopping writes a record
        (R10), and a query must not write.
        """
        self.must_work()
        return self._shuffle(draw(SEED_BYTES, self._entropy), deal, cards)

    def first_to_record(self) -> bool:
        """Return True to the first caller only: concurrent failures are recorded once."""
        with self._one_at_a_time:
            recorded, self._recorded = self._recorded, True
        return not recorded

    def _draw(self, size: int) -> bytes:
        """Draw from the source; if it fails or repeats itself, stop dealing for good (R10)."""
        with self._one_at_a_time:
            return self._draw_alone(size)

    def _draw_alone(self, size: int) -> bytes:
        self.must_work()
        try:
            drawn = draw(size, self._entropy)
        except Refused:
            self.working = False
            raise
        if drawn == self._last_drawn.get(size):
            self.working = False
            raise Refused("dealing/unavailable")
        self._last_drawn[size] = drawn
        return drawn
