"""A robot plays every game with the coach off, warning and always shown, in both languages.

A page error, a missing phase or a card that is not fully visible fails the test. Cards, bets and
choices come from fixed seeds. `make browser-all` plays thirty rounds of every game, mode and
language, half of them on a phone; `make test` plays three of every game.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from browser.conftest import Visiting
from browser.robots import CLIPPED, COUNT_CHOICES, MODES, Mode, Robot, Tardy
from browser.seats import ROUNDS, Seat
from browser.served import Decks, serving
from browser.tables import GAMES, Language, Visit
from browser.turns import ALL
from browser.ways import WIDTHS
from houses import KEY
from stores import store_at
from tapisvert.coach.advice import advise
from tapisvert.games import registry
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.rounds.player_service import system_clock
from tapisvert.sealing import Sealer
from tiers import long

LANGUAGES: tuple[Language, ...] = ("fr", "en")
ROUNDS_EACH = 30


class Sitting(NamedTuple):
    """Some rounds of a game in one page."""

    game: str
    mode: Mode
    language: Language
    width: int
    rounds: int

    @property
    def name(self) -> str:
        """The test id; cards, bets and choices depend on it."""
        return f"{self.game}-{self.mode}-{self.language}-{self.width}"


EVERY = [
    Sitting(game, mode, language, width, ROUNDS_EACH // len(WIDTHS))
    for game in GAMES
    for mode in MODES
    for language in LANGUAGES
    for width in WIDTHS
]
SAMPLE = [
    Sitting(game, mode, LANGUAGES[(at + turn) % 2], WIDTHS[(at + turn // 2) % 2], 1)
    for at, game in enumerate(GAMES)
    for turn, mode in enumerate(MODES)
]


@pytest.fixture
def seated(tmp_path: Path, visit: Visiting, houses: ExitStack) -> Any:
    """Seat a robot at a table with a coach."""

    def start(sitting: Sitting) -> Robot:
        coach = Tardy()
        if sitting.mode != "off":  # what takes long once is not what is tried here
            advise({"game": sitting.game, **registry.GAMES[sitting.game].position.example})
        dealer = Dealer(Sealer(KEY), shuffle=Decks(sitting.name))
        house = PlayerService(store_at(tmp_path / "tapis.db"), dealer, clock=system_clock)
        url = houses.enter_context(serving(house, coach))
        made = visit(url, language=sitting.language, width=sitting.width)
        made.page.add_init_script(COUNT_CHOICES)
        made.page.evaluate(
            "(mode) => localStorage.setItem('settings', JSON.stringify({coach: mode}))",
            sitting.mode,
        )
        made.page.goto(f"{url}/table/{sitting.game}")
        seat = Seat(made.page, sitting.game, sitting.language)
        return Robot(made, seat, coach, sitting.mode, sitting.name)

    return start


@long
@pytest.mark.parametrize("sitting", EVERY if ALL else SAMPLE, ids=lambda each: each.name)
def test_a_robot_meets_no_error_no_frozen_table_and_no_clipped_card(
    seated: Any, sitting: Sitting
) -> None:
    robot: Robot = seated(sitting)
    robot.play(sitting.rounds)
    if sitting.mode == "off":
        assert robot.coach.asked == []
    elif ALL:  # fifteen rounds are enough to be advised, and to go on before he has spoken
        assert robot.did["advised"]
        assert robot.did["late"]


def test_the_sample_meets_every_game_mode_language_and_width() -> None:
    assert {each.game for each in SAMPLE} == set(GAMES)
    for game in GAMES:
        assert {each.mode for each in SAMPLE if each.game == game} == set(MODES)
    met = {(each.mode, each.language) for each in SAMPLE}
    assert met == {(mode, language) for mode in MODES for language in LANGUAGES}
    assert {each.width for each in SAMPLE} == set(WIDTHS)
    assert {each.rounds * len(WIDTHS) for each in EVERY} == {ROUNDS_EACH}


@long
def test_a_clipped_card_and_a_covered_one_would_be_noticed(seated: Any) -> None:
    robot: Robot = seated(Sitting("casino-stud", "off", "en", 1280, 1))
    robot.seat.bet(ROUNDS["casino-stud"].stakes)
    robot.seat.deal()
    made: Visit = robot.made
    assert made.page.evaluate(CLIPPED) == []
    made.page.set_viewport_size({"width": 1280, "height": 120})
    assert made.page.evaluate(CLIPPED) != []
    made.page.set_viewport_size({"width": 1280, "height": 800})
    made.page.evaluate("document.querySelector('.message').style.inset = 0")
    made.page.evaluate("document.querySelector('.message').style.position = 'fixed'")
    assert any("under" in each for each in made.page.evaluate(CLIPPED))
