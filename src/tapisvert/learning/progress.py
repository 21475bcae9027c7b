"""A player's progress in practice: streaks, and figures by theme. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tapisvert.learning.selection import Answered, CardInHand

_DAY_MS = 86_400_000
_MINUTE_MS = 60_000


class Streak(Struct, frozen=True):
    """Days in a row with an answer, and right answers in a row, at any game."""

    day: int = 0  # the last day with an answer, from 1970 on, in the player's time zone
    days: int = 0
    days_longest: int = 0
    run: int = 0
    run_longest: int = 0

    def after(self, *, right: bool, day: int) -> Streak:
        """Return the streak after an answer on a day; an earlier day counts as the last one."""
        day = max(day, self.day)
        days = self.days if day == self.day else self.days + 1 if day == self.day + 1 else 1
        run = self.run + 1 if right else 0
        return Streak(day, days, max(days, self.days_longest), run, max(run, self.run_longest))

    def on(self, day: int) -> Streak:
        """Return the streak as it stands on a day: broken after a day without an answer."""
        if day <= self.day + 1:
            return self
        return Streak(self.day, 0, self.days_longest, self.run, self.run_longest)


class ThemeProgress(Struct, frozen=True):
    """The figures of a theme; costs are in units of the stake."""

    theme: str
    answers: int
    right: int
    mean_cost: float | None
    cards: int  # mistakes that are being repeated
    due: int
    learned: int


def day_of(at_ms: int, utc_offset_min: int) -> int:
    """Return the number of a player's day.

    >>> day_of(86_400_000, 0), day_of(86_400_000, -300)
    (1, 0)
    """
    return (at_ms + utc_offset_min * _MINUTE_MS) // _DAY_MS


def by_theme(
    themes: Sequence[str], cards: Sequence[CardInHand], answers: Sequence[Answered], now_ms: int
) -> tuple[ThemeProgress, ...]:
    """Return the figures of each theme."""
    return tuple(
        _of_theme(
            theme,
            [each for each in cards if each.theme == theme],
            [each for each in answers if each.theme == theme],
            now_ms,
        )
        for theme in themes
    )


def _of_theme(
    theme: str, cards: Sequence[CardInHand], answers: Sequence[Answered], now_ms: int
) -> ThemeProgress:
    return ThemeProgress(
        theme=theme,
        answers=len(answers),
        right=sum(each.right for each in answers),
        mean_cost=sum(each.cost for each in answers) / len(answers) if answers else None,
        cards=len(cards),
        due=sum(each.memory.due_ms <= now_ms for each in cards),
        learned=sum(each.memory.learned for each in cards),
    )
