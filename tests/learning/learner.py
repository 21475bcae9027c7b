"""Simulated learners of practice: who errs, what is asked, and the table in docs/practice.md.

    PYTHONPATH=tests:src python tests/learning/learner.py

prints the table. Learners, schedules and seeds are fixed, so it is the same every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from statistics import mean
from typing import NamedTuple

from tapisvert.learning.schedule import grade, reviewed
from tapisvert.learning.selection import Answered, CardInHand, Selection, select

DAY_MS, HALF_MINUTE_MS = 86_400_000, 30_000
THEMES = ("hard", "soft", "pairs", "insurance")  # the themes of Blackjack
DAYS, QUESTIONS, SEEDS = 10, 50, range(100)
SLIP, BLIND, HALVED_AFTER, COST = 0.02, 0.8, 10, 0.2
SHOWN_DAYS = (1, 2, 3, 5, 7, 10)
SECOND_AND_THIRD = slice(1, 3)
Select = Callable[[Sequence[CardInHand], Sequence[Answered], Sequence[str], int, Random], Selection]


class Learner:
    """Errs at weak themes four times in five at first, half as often after ten answers to each.

    Elsewhere one answer in fifty is wrong, and stays so.
    """

    def __init__(self, weak: Iterable[str], chance: Random) -> None:
        self.chance = chance
        self.seen = dict.fromkeys(weak, 0)

    def cost(self, theme: str) -> float:
        """Answer a question; return what the answer costs."""
        wrong = SLIP
        if theme in self.seen:
            wrong = max(SLIP, BLIND * 0.5 ** (self.seen[theme] / HALVED_AFTER))
            self.seen[theme] += 1
        return COST if self.chance.random() < wrong else 0.0


class Day(NamedTuple):
    """The questions of a day: how many are of a weak theme, and how many were missed."""

    weak: int
    missed: int


def without_memory(
    cards: Sequence[CardInHand],
    answers: Sequence[Answered],
    themes: Sequence[str],
    now_ms: int,
    chance: Random,
) -> Selection:
    """Ignore mistakes: every theme is as likely. The control of the schedule."""
    return Selection(chance.choice(themes), None)


def practise(
    choose: Select, errs_at: Sequence[str], watched: Sequence[str], seed: int
) -> list[Day]:
    """Answer 50 questions a day, half a minute each; count those of the watched themes."""
    chance = Random(seed)
    learner = Learner(errs_at, chance)
    cards: dict[str, CardInHand] = {}
    answers: list[Answered] = []
    found = []
    for day in range(DAYS):
        weak = missed = 0
        for number in range(QUESTIONS):
            now_ms = day * DAY_MS + number * HALF_MINUTE_MS
            theme, card = choose(list(cards.values()), answers, THEMES, now_ms, chance)
            said = Answered(theme, learner.cost(theme))
            weak, missed = weak + (theme in watched), missed + (not said.right)
            given = grade(said.cost, 0.1)
            answers.insert(0, said)
            if card is not None:
                cards[card] = cards[card]._replace(
                    memory=reviewed(cards[card].memory, given, now_ms)
                )
            elif not said.right:
                name = f"{day:02}-{number:02}"
                cards[name] = CardInHand(name, theme, reviewed(None, given, now_ms))
        found.append(Day(weak, missed))
    return found


CASES: dict[str, tuple[Select, tuple[str, ...], tuple[str, ...]]] = {
    "errs at soft hands": (select, ("soft",), ("soft",)),
    "errs at soft hands and pairs": (select, ("soft", "pairs"), ("soft", "pairs")),
    "errs at no theme (control)": (select, (), ("soft",)),
    "errs at soft hands, no memory (control)": (without_memory, ("soft",), ("soft",)),
}


def runs(case: str, seeds: Iterable[int]) -> list[list[Day]]:
    """Practise a case with each seed."""
    choose, errs_at, watched = CASES[case]
    return [practise(choose, errs_at, watched, seed) for seed in seeds]


def table() -> list[str]:
    """Return the rows of the table in docs/practice.md: means, and least and most of all seeds."""
    days = " | ".join(f"day {day}" for day in SHOWN_DAYS)
    rows = [f"| learner | {days} | missed on days 2 and 3 |"]
    rows.append("| --- |" + " ---: |" * (len(SHOWN_DAYS) + 1))
    for case in CASES:
        found, cells = runs(case, SEEDS), []
        for day in SHOWN_DAYS:
            weak = sorted(run[day - 1].weak for run in found)
            cells.append(f"{mean(weak):.1f} ({weak[0]} to {weak[-1]})")
        missed = [sum(day.missed for day in run[SECOND_AND_THIRD]) for run in found]
        rows.append(f"| {case} | {' | '.join(cells)} | {mean(missed):.1f} |")
    return rows


if __name__ == "__main__":
    print(*table(), sep="\n")
