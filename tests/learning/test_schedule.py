"""Spaced repetition: grades by exact cost, dates that only mistakes bring near, a learner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from tapisvert.learning.progress import Streak, by_theme, day_of
from tapisvert.learning.schedule import AGAIN, OBVIOUS, CardMemory, Grade, grade, reviewed
from tapisvert.learning.selection import Answered, CardInHand, Selection, select, weakness

DAY_MS, MINUTE_MS = 86_400_000, 60_000
THEMES = ("hard", "soft", "pairs", "insurance")
Select = Callable[[Sequence[CardInHand], Sequence[Answered], Sequence[str], int, Random], Selection]


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


class Learner:
    """Errs at one theme until it was reviewed so many times; elsewhere one answer in fifty."""

    def __init__(self, weak: str, reviews: int, chance: Random) -> None:
        self.weak, self.reviews, self.chance = weak, reviews, chance
        self.seen = 0

    def cost(self, theme: str) -> float:
        """Answer a question; return what the answer costs."""
        if theme == self.weak:
            self.seen += 1
            return 0.2 if self.seen <= self.reviews else 0.0
        return 0.2 if self.chance.random() < 0.02 else 0.0


def shares(choose: Select, days: int = 10, seed: int = 7) -> list[float]:
    """Practise 50 questions a day, half a minute each; return the share of soft totals by day."""
    chance = Random(seed)
    learner = Learner("soft", 25, chance)
    cards: dict[str, CardInHand] = {}
    answers: list[Answered] = []
    found = []
    for day in range(days):
        asked = []
        for number in range(50):
            now_ms = day * DAY_MS + number * MINUTE_MS // 2
            theme, card = choose(list(cards.values()), answers, THEMES, now_ms, chance)
            asked.append(theme)
            said = Answered(theme, learner.cost(theme))
            given = grade(said.cost, 0.1)
            answers.insert(0, said)
            if card is not None:
                memory = reviewed(cards[card].memory, given, now_ms)
                cards[card] = cards[card]._replace(memory=memory)
            elif not said.right:
                name = f"{day:02}-{number:02}"
                cards[name] = CardInHand(name, theme, reviewed(None, given, now_ms))
        found.append(asked.count("soft") / 50)
    return found


def indifferent(
    cards: Sequence[CardInHand],
    answers: Sequence[Answered],
    themes: Sequence[str],
    now_ms: int,
    chance: Random,
) -> Selection:
    """Ignore mistakes: every theme is as likely. The control of the learner."""
    return Selection(chance.choice(themes), None)


def test_the_theme_a_learner_errs_at_returns_and_then_fades() -> None:
    """Of 50 questions a day, measured: 40 on the first day, then 4 to 14, like any other theme."""
    found = shares(select)
    assert found[0] >= 0.6
    assert max(found[5:]) <= 0.45
    assert sum(found[-3:]) / 3 <= found[0] / 2
    assert found == shares(select)  # the same chance, the same questions


def test_without_memory_the_theme_is_asked_as_often_as_any() -> None:
    found = shares(indifferent)
    assert max(found) < 0.6
    assert abs(sum(found[:2]) / 2 - sum(found[-3:]) / 3) < 0.2


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
