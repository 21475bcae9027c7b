"""A stored round: the five values that replay it, and its money.

The five are edition, sheet, deck order (as a sealed seed), stakes and answers; a replay recomputes
everything else. Pure: rounds/repository.py reads and writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tapisvert.cards import Card
from tapisvert.engine import Answer, Transcript, replay
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import edition

VoidReason = Literal["expired", "operator"]


class Round(Struct, frozen=True):
    """One row of `rounds`. Field names are column names."""

    id: str
    player_id: str
    game: str
    edition: int
    sheet_hash: str
    state: str
    commitment: str
    sealed_seed: bytes
    server_seed: bytes | None = None
    client_seed: str | None = None
    stakes: dict[str, int] = {}
    answers: list[Answer] = []
    opened_at_ms: int | None = None
    ended_at_ms: int | None = None
    balance_before_cents: int | None = None
    balance_after_cents: int | None = None
    seen: bool = False
    void_reason: VoidReason | None = None
    void_at_ms: int | None = None
    seq: int = 0
    seated_at_ms: int = 0
    replaces: str | None = None
    mark: bytes | None = None

    @property
    def steps_answered(self) -> int:
        """Count the player's answers, without the bank's."""
        return sum(isinstance(answer, str) for answer in self.answers)

    @property
    def over(self) -> bool:
        """Tell whether the round has ended."""
        return self.state in ("settled", "voided")

    def marked_by(self, mark: Callable[[Round], bytes]) -> Round:
        """Return this round with its mark."""
        return replace(self, mark=mark(self))


# The fields that a round's mark covers: all but `seen`. Their order must never change.
_MARKED = (
    "seq",
    "id",
    "player_id",
    "game",
    "edition",
    "sheet_hash",
    "state",
    "commitment",
    "sealed_seed",
    "server_seed",
    "client_seed",
    "stakes",
    "answers",
    "seated_at_ms",
    "opened_at_ms",
    "ended_at_ms",
    "void_at_ms",
    "balance_before_cents",
    "balance_after_cents",
    "void_reason",
    "replaces",
)
_marked = attrgetter(*_MARKED)
_STAKES, _ANSWERS, _SEEN = map(Round.__struct_fields__.index, ("stakes", "answers", "seen"))
_read_stakes = msgspec.json.Decoder(dict[str, int])
_read_answers = msgspec.json.Decoder(list[Answer])


def read_round(row: Sequence[Any]) -> Round:
    """Return a row as a `Round`."""
    values = list(row)
    values[_STAKES] = _read_stakes.decode(values[_STAKES] or "{}")
    values[_ANSWERS] = _read_answers.decode(values[_ANSWERS] or "[]")
    values[_SEEN] = bool(values[_SEEN])
    return Round(*values)


def marked(stored: Round) -> bytes:
    """Return the bytes that a round's mark covers."""
    return msgspec.json.encode(_marked(stored))


def replayed(stored: Round, sheet: Sheet, deck: Sequence[Card]) -> Transcript:
    """Replay a stored round with a deck."""
    by = edition(stored.game, stored.edition)
    return replay(by.script, sheet, deck, stored.stakes, stored.answers, void=stored.void_reason)
