"""Spaced repetition: grades by exact cost, dates that only mistakes bring near, a learner."""

from __future__ import annotations

from pathlib import Path
from random import Random
from statistics import mean

import pytest
from msgspec.structs import replace

from learning.learner import (
    CASES,
    DAY_MS,
    DAYS,
    SECOND_AND_THIRD,
    THEMES,
    Day,
    practise,
    runs,
    table,
)
from tapisvert.learning.progress import Streak, by_theme, day_of
from tapisvert.learning.schedule import AGAIN, OBVIOUS, CardMemory, Grade, grade, reviewed
from tapisvert.learning.selection import Answered, CardInHand, select, weakness
from tiers import few_or_many, long

MINUTE_MS = 60_000


@pytest.mark.parametrize(
    ("cost", "lead", "given"),
    [
        (0.0, 0.01, "good"),
        (0.0, OBVIOUS + 0.01, "easy"),
        (0.005, 0.3, "good"),
        (0.0051, 0.0051, "hard"),
        (AGAIN, 0.3, "hard"),
        (AGAIN + 0.001, 0.3, "again"),
    ],
)
def test_an_answer_is_graded_by_its_cost(cost: float, lead: float, given: Grade) -> None:
    assert grade(cost, lead) == given


def intervals(*grades: Grade) -> list[float]:
    """Return the days until each next date, when every review is on time."""
    memory: CardMemory | None = None
    at_ms, found = 1_700_000_000_000, []
    for given in grades:
        memory = reviewed(memory, given, at_ms)
        found.append((memory.due_ms - at_ms) / DAY_MS)
        at_ms = memory.due_ms
    return found


def test_a_mistake_comes_back_in_a_minute_and_once_known_after_ever_more_days() -> None:
    found = intervals("again", "good", "good", "good", "good")
    assert found[0] * DAY_MS == MINUTE_MS
    assert found == sorted(found)
    assert found[-1] >= 7
    again = intervals("again", "good", "good", "good", "again", "good")
    assert again[4] < 1 > again[5] - 1  # forgotten: minutes again


def test_the_same_answers_at_the_same_times_give_the_same_dates() -> None:
    given: tuple[Grade, ...] = ("again", "hard", "good", "easy", "again", "good")
    assert intervals(*given) == intervals(*given)


def test_a_clock_that_goes_back_counts_as_no_time() -> None:
    first = reviewed(None, "good", 2 * DAY_MS)
    second = reviewed(first, "good", DAY_MS)
    assert second.reviewed_ms == 2 * DAY_MS
    assert second.due_ms > 2 * DAY_MS


def test_the_card_that_waits_longest_is_first_and_only_its_theme_if_one_is_wanted() -> None:
    memory = reviewed(None, "again", 0)
    late, later = (
        CardInHand(name, theme, replace(memory, due_ms=due))
        for name, theme, due in (("b", "soft", 5), ("a", "hard", 9))
    )
    assert select([later, late], [], THEMES, 10, Random(1)) == ("soft", "b")
    assert select([later, late], [], ["hard"], 10, Random(1)) == ("hard", "a")
    assert select([later, late], [], ["pairs"], 10, Random(1)) == ("pairs", None)
    assert select([later, late], [], THEMES, 4, Random(1)).card is None  # nothing is due


def test_weakness_is_of_the_latest_answers() -> None:
    wrong, right = Answered("soft", 0.2), Answered("soft", 0.0)
    assert weakness("soft", []) == 1 / 4
    assert weakness("soft", [wrong] * 20) == 21 / 24
    assert weakness("soft", [right] * 20 + [wrong] * 20) == 1 / 24
    assert weakness("hard", [wrong] * 20) == 1 / 4


# A learner (learner.py) ---------------------------------------------------------------------------


def average(found: list[list[Day]], days: slice) -> float:
    """Return the mean number of questions a day that were of the weak theme."""
    return mean(day.weak for run in found for day in run[days])


@pytest.mark.parametrize("seeds", few_or_many(10, 100))
@pytest.mark.parametrize("theme", THEMES)
def test_the_theme_a_learner_errs_at_returns_and_then_fades(theme: str, seeds: int) -> None:
    """Of 50 questions a day 12.5 would be its share."""
    found = [practise(select, (theme,), (theme,), seed) for seed in range(seeds)]
    assert min(run[0].weak for run in found) > 12.5  # on the first day of every learner
    assert 26 <= average(found, slice(1)) <= 33
    assert average(found, slice(1, 2)) > average(found, slice(2, 3))
    assert 11 <= average(found, slice(7, None)) <= 16
    assert found[0] == practise(select, (theme,), (theme,), 0)


def test_two_weak_themes_return_and_fade_together() -> None:
    found = runs("errs at soft hands and pairs", range(10))
    assert 38 <= average(found, slice(1)) <= 44
    assert 23 <= average(found, slice(7, None)) <= 29


@pytest.mark.parametrize("case", [case for case in CASES if "control" in case])
def test_no_theme_returns_to_a_learner_without_one_or_without_memory(case: str) -> None:
    found = runs(case, range(10))
    for day in range(DAYS):
        assert 9 <= average(found, slice(day, day + 1)) <= 18


def test_with_memory_fewer_questions_are_missed_on_the_next_days() -> None:
    def missed(case: str) -> float:
        found = runs(case, range(10))
        return mean(day.missed for run in found for day in run[SECOND_AND_THIRD])

    forgetful = missed("errs at soft hands, no memory (control)")
    assert missed("errs at soft hands") < 0.7 * forgetful


@long
def test_the_page_has_the_figures_of_the_learners() -> None:
    page = (Path(__file__).parents[2] / "docs/practice.md").read_text(encoding="utf-8")
    assert [row for row in table() if row not in page] == []


def test_days_and_right_answers_in_a_row() -> None:
    streak = Streak()
    for day, right in ((10, True), (10, True), (11, True), (12, False), (12, True), (14, True)):
        streak = streak.after(right=right, day=day)
    assert streak == Streak(day=14, days=1, days_longest=3, run=2, run_longest=3)
    assert streak.on(15).days == 1
    assert (streak.on(16).days, streak.on(16).days_longest) == (0, 3)
    assert day_of(0, -300) == -1


def test_progress_counts_each_theme_alone() -> None:
    memory = reviewed(None, "again", 0)
    cards = [CardInHand("a", "soft", memory), CardInHand("b", "soft", memory)]
    answers = [Answered("soft", 0.2), Answered("soft", 0.0), Answered("hard", 0.0)]
    hard, soft = by_theme(("hard", "soft"), cards, answers, MINUTE_MS)
    assert (hard.answers, hard.right, hard.cards, hard.due) == (1, 1, 0, 0)
    assert (soft.answers, soft.right, soft.cards, soft.due) == (2, 1, 2, 2)
    assert soft.mean_cost == pytest.approx(0.1)
