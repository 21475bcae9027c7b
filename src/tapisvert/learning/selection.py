"""Selects what to practise next: a card that is due, or a decision of a weak theme. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tapisvert.coach.drill import MISTAKE, Chance
from tapisvert.learning.schedule import CardMemory

LATEST = 20  # newest answers of a theme that its weakness is computed from


class CardInHand(NamedTuple):
    """The fields of a card that the selection reads."""

    position: str
    theme: str
    memory: CardMemory


class Answered(NamedTuple):
    """An answer given in practice, and its cost in units of the stake."""

    theme: str
    cost: float

    @property
    def right(self) -> bool:
        """Tell whether the answer cost at most MISTAKE."""
        return self.cost <= MISTAKE


class Selection(NamedTuple):
    """The theme to practise, and the card that is due, if one is."""

    theme: str
    card: str | None


def select(
    cards: Sequence[CardInHand],
    answers: Sequence[Answered],
    themes: Sequence[str],
    now_ms: int,
    chance: Chance,
) -> Selection:
    """Choose what is asked next among these themes; `answers` are newest first.

    The card that has been due longest comes first. If none is due, a theme is drawn, a weak one
    more often.
    """
    due = [each for each in cards if each.theme in themes and each.memory.due_ms <= now_ms]
    if due:
        first = min(due, key=lambda each: (each.memory.due_ms, each.position))
        return Selection(first.theme, first.position)
    weights = [weakness(theme, answers) for theme in themes]
    return Selection(chance.choices(themes, weights)[0], None)


def weakness(theme: str, answers: Sequence[Answered]) -> float:
    """Return the smoothed share of wrong answers among the latest: (wrong + 1) / (n + 4).

    It is 1/4 for a theme without answers, and 1/24 after twenty right ones.
    """
    latest = [each for each in answers if each.theme == theme][:LATEST]
    return (sum(not each.right for each in latest) + 1) / (len(latest) + 4)
