"""A learner over HTTP: the theme he errs at returns on the first day and then fades."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from coach.present import MadeUp
from houses import Clock, Guest, client_of, counting_entropy, make_house
from tapisvert.games.registry import GAMES
from tiers import long
from web.test_practice import DAY_MS, STUD, Values, asked, said

WEAK, DAYS, QUESTIONS = "ace-king", 6, 20
MISSED, HALF_MINUTE_MS = 12, 30_000


class Learner:
    """Folds when he should play, at one theme, until he was corrected so many times."""

    def __init__(self, missed: int) -> None:
        self.left = missed

    def choice(self, question: dict[str, Any]) -> str:
        """Answer a question; the coach of the test always plays."""
        if question["theme"] == WEAK and self.left:
            self.left -= 1
            return "fold"
        return "play"


def weak_by_day(path: Path, missed: int) -> list[int]:
    """Practise 20 questions a day; return how many of each day were of the weak theme."""
    clock = Clock()
    house = make_house(path, entropy=counting_entropy(), clock=clock)
    learner, found = Learner(missed), []
    with client_of(house, MadeUp(Values), Random(1)) as client:
        guest = Guest(client)
        for _ in range(DAYS):
            themes = []
            for _ in range(QUESTIONS):
                question = asked(guest)
                themes.append(question["theme"])
                assert said(guest, question, learner.choice(question)).status_code == 200
                clock.now_ms += HALF_MINUTE_MS
            found.append(themes.count(WEAK))
            clock.now_ms += DAY_MS - QUESTIONS * HALF_MINUTE_MS
    return found


@long
def test_a_theme_that_is_missed_returns_and_then_fades(tmp_path: Path) -> None:
    erring = weak_by_day(tmp_path / "erring.db", MISSED)
    control = weak_by_day(tmp_path / "control.db", 0)
    even = QUESTIONS / len(GAMES[STUD].themes.ids)
    assert erring[0] >= 2 * even
    assert sum(erring[-2:]) / 2 <= erring[0] / 2
    assert max(control) < erring[0]
