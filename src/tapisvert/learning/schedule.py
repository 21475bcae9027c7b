"""Spaced repetition: how an answer is graded, and when its card comes back. Pure.

FSRS, the scheduler of the package `fsrs`, with its default parameters and without its random
`fuzz`: the same answers at the same times give the same dates.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Literal

from fsrs import Card, Rating, Scheduler, State
from msgspec import Struct

from tapisvert.coach.drill import MISTAKE

Grade = Literal["again", "hard", "good", "easy"]
AGAIN = 0.05  # in units of the stake: a dearer answer is wrong, a cheaper mistake is inexact
OBVIOUS = 0.25  # the best answer is easy where the second-best would have cost this much
LEARNED_DAYS = 7  # a card is learned when it is remembered for this long
_RATINGS: Mapping[Grade, Rating] = {
    "again": Rating.Again,
    "hard": Rating.Hard,
    "good": Rating.Good,
    "easy": Rating.Easy,
}
_SCHEDULER = Scheduler(enable_fuzzing=False)
_START = datetime(1970, 1, 1, tzinfo=UTC)


class CardMemory(Struct, frozen=True):
    """How well a card is remembered: the state of FSRS."""

    state: int
    step: int | None
    stability: float | None  # days after which it is still known nine times out of ten
    difficulty: float | None
    due_ms: int
    reviewed_ms: int | None

    @property
    def learned(self) -> bool:
        """Tell whether the card is remembered for a week or longer."""
        return not self.learning and (self.stability or 0.0) >= LEARNED_DAYS

    @property
    def learning(self) -> bool:
        """Tell whether the card is still repeated within minutes."""
        return self.state != State.Review


def grade(cost: float, lead: float) -> Grade:
    """Grade an answer by its cost, and by the lead of the best answer over the second.

    >>> grade(0.3, 0.3), grade(0.02, 0.02), grade(0.0, 0.02), grade(0.0, 0.4)
    ('again', 'hard', 'good', 'easy')
    """
    if cost > AGAIN:
        return "again"
    if cost > MISTAKE:
        return "hard"
    return "easy" if cost <= 0 and lead > OBVIOUS else "good"


def reviewed(memory: CardMemory | None, given: Grade, at_ms: int) -> CardMemory:
    """Return the memory of a card after an answer; `memory` is None for a new card.

    If the clock was set back, no time has passed.
    """
    at_ms = max(at_ms, memory.reviewed_ms or 0) if memory else at_ms
    card, _ = _SCHEDULER.review_card(_card(memory, at_ms), _RATINGS[given], _datetime(at_ms))
    return CardMemory(
        state=int(card.state),
        step=card.step,
        stability=card.stability,
        difficulty=card.difficulty,
        due_ms=_milliseconds(card.due),
        reviewed_ms=at_ms,
    )


def _card(memory: CardMemory | None, at_ms: int) -> Card:
    if memory is None:
        return Card(card_id=0, due=_datetime(at_ms))
    return Card(
        card_id=0,
        state=State(memory.state),
        step=memory.step,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=_datetime(memory.due_ms),
        last_review=None if memory.reviewed_ms is None else _datetime(memory.reviewed_ms),
    )


def _datetime(at_ms: int) -> datetime:
    return _START + timedelta(milliseconds=at_ms)


def _milliseconds(at: datetime) -> int:
    return (at - _START) // timedelta(milliseconds=1)
