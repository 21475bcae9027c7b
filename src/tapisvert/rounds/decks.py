"""Decks and runs of stored rounds, recomputed from sealed seeds.

Results depend only on the arguments and the house key: cached decks and runs change none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from tapisvert.cards import Card
from tapisvert.dealing import Deal
from tapisvert.engine import Answer, Claim, Run, Transcript
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.stakes import Placed
from tapisvert.games.registry import edition
from tapisvert.rounds.open_runs import OpenRuns
from tapisvert.rounds.round import Round, marked, replayed
from tapisvert.sealing import Sealer

_DECKS_IN_MEMORY = 4096
Shuffle = Callable[[bytes, Deal, Sequence[Card]], list[Card]]


class Decks:
    """Encrypts and decrypts seeds, shuffles decks, and marks the records of rounds."""

    def __init__(self, sealer: Sealer, shuffle: Shuffle) -> None:
        self._sealer = sealer
        self._shuffle = shuffle
        self._deck = lru_cache(_DECKS_IN_MEMORY)(self._lay_out)
        self._open_runs = OpenRuns()

    def of(self, stored: Round, sheet: Sheet) -> Sequence[Card]:
        """Return a round's deck in dealing order."""
        deal = Deal(stored.game, stored.sheet_hash, stored.id, stored.client_seed or "")
        return self._deck(stored.sealed_seed, deal, sheet.deck)

    def replay(self, stored: Round, sheet: Sheet) -> Transcript:
        """Replay a round from its record."""
        return replayed(stored, sheet, self.of(stored, sheet))

    def deal(
        self, stored: Round, sheet: Sheet, placed: Placed, bank: Callable[[Claim], int]
    ) -> Transcript:
        """Deal a round with these stakes, up to its first question."""
        run = self._begin(stored, sheet, placed)
        run.answer((), bank)
        return self._paused(stored, placed, run)

    def answer(self, stored: Round, sheet: Sheet, answer: Answer) -> Transcript:
        """Answer the question of a stored round."""
        run = self._open_runs.take(stored)
        if run is None:
            # Its stakes were checked when it was opened, against this sheet.
            run = self._begin(stored, sheet, Placed(stored.stakes))
            run.answer(stored.answers)
        # No bank: claims are answered at the deal, and their answers are stored.
        run.answer((answer,))
        return self._paused(stored, stored.stakes, run)

    def seal(self, seed: bytes, round_id: str, nonce: bytes) -> bytes:
        """Encrypt the seed of a new deal."""
        return self._sealer.seal(seed, round_id, nonce)

    def seed_of(self, stored: Round) -> bytes:
        """Decrypt the seed of a round."""
        return self._sealer.open(stored.sealed_seed, stored.id)

    def mark(self, stored: Round) -> bytes:
        """Return the HMAC of a round's record under the house key."""
        return self._sealer.mark(marked(stored))

    def _begin(self, stored: Round, sheet: Sheet, placed: Placed) -> Run:
        script = edition(stored.game, stored.edition).script
        return Run(script, sheet, self.of(stored, sheet), placed)

    def _paused(self, stored: Round, stakes: Mapping[str, int], run: Run) -> Transcript:
        """Return the transcript of a run; cache the run for the next answer unless it is over."""
        played = run.transcript()
        if not played.settled:
            self._open_runs.put(stored, stakes, played.answers, run)
        return played

    def _lay_out(self, sealed: bytes, deal: Deal, cards: tuple[Card, ...]) -> Sequence[Card]:
        return tuple(self._shuffle(self._sealer.open(sealed, deal.round_id), deal, cards))
