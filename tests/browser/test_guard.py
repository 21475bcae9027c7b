"""Repeated presses of Deal decide nothing (issue 18, 3); a deliberate decision works at once.

The test controls the page's clock: exactly 300 ms pass between two presses, however busy the
machine is. Animations run in real time, and a press ends them.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import pytest

from browser.conftest import Visiting
from browser.seats import Seat
from browser.served import Served
from browser.tables import GAMES, Visit
from browser.turns import first_of
from browser.ways import WIDTHS
from rounds.house_with_operator import TABLES
from tiers import long

Motion = Literal["reduce", "no-preference"]
EVERY_MS = 300
GUARD_MS = 700  # by the issue: until the pointer moves, or as long as this
STEP_MS = 50
PRESSES = 4


class Point(NamedTuple):
    """A place in the window."""

    x: float
    y: float


class Hand:
    """A mouse or a finger, and the page's clock."""

    def __init__(self, made: Visit, game: str, url: str) -> None:
        self.made = made
        self.page = page = made.page
        page.clock.install()
        page.goto(f"{url}/table/{game}")
        self.seat = Seat(page, game)
        self.stakes = dict(TABLES[game].stakes)
        self.seat.bet({bet: cents for bet, cents in self.stakes.items() if bet != "blind"})
        page.wait_for_selector(".acts .primary:enabled")
        self.answered = 0  # questions of earlier rounds
        self.stop_time()

    def stop_time(self) -> None:
        """Stop the page's clock, after the guard of earlier presses has ended."""
        self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1000 + 5)

    def play_round(self) -> None:
        """Play the known round to its end, and stop the clock again."""
        self.page.clock.resume()
        self.seat.deal()
        choices = TABLES[self.seat.game].choices
        for place, choice in enumerate(choices, 1):
            self.seat.answer(choice, "settled" if place == len(choices) else "decide")
        self.answered = len(choices)
        self.stop_time()

    def centre(self, selector: str) -> Point:
        box = self.page.locator(selector).bounding_box()
        assert box is not None
        return Point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def go(self, at: Point) -> None:
        """Move the pointer; a finger has none."""
        if not self.seat.touch:
            self.page.mouse.move(*at)

    def press(self, at: Point) -> None:
        """Press at a point, whatever element is there."""
        if self.seat.touch:
            self.page.touchscreen.tap(*at)
        else:
            self.page.mouse.down()
            self.page.mouse.up()

    def pass_time(self, ms: int) -> None:
        """Advance the page's clock in small steps, so that replies can arrive in between."""
        for _ in range(ms // STEP_MS):
            self.page.clock.run_for(STEP_MS)

    def phase(self) -> str:
        return self.page.locator("main.table").get_attribute("data-phase") or ""

    def until_asked(self) -> None:
        """Advance the clock until the first question is asked."""
        self.page.wait_for_selector("main:not([data-phase=bet])")
        while (phase := self.phase()) != "decide":
            assert phase == "dealing", f"{phase}: the first question was answered"
            self.page.clock.run_for(STEP_MS)

    def rounds(self) -> list[dict[str, Any]]:
        """Fetch the waiting rounds from the house."""
        opened = self.seat.ask("/rounds?status=open")["rounds"]
        return [self.seat.ask(f"/rounds/{each['id']}")["round"] for each in opened]

    def nothing_sent(self) -> None:
        """Check that the page has sent no answer."""
        answers = [url for url in self.made.requests if "/choices" in url]
        assert answers[self.answered :] == []

    def nothing_decided(self) -> None:
        """Check that the first question waits and that no chip was added."""
        self.nothing_sent()
        [played] = self.rounds()
        assert played["ask"]["step"] == 0
        assert played["staked_cents"] == sum(self.stakes.values())


@pytest.fixture
def hand(known_tables: Served, visit: Visiting) -> Any:
    """Open a table with known cards and placed bets."""

    def start(game: str, width: int, motion: Motion) -> Hand:
        made = visit(known_tables.url, width=width, motion=motion)
        return Hand(made, game, known_tables.url)

    return start


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("game", first_of(GAMES, "casino-stud"))
def test_four_presses_where_deal_was_decide_nothing(
    hand: Any, game: str, width: int, motion: Motion
) -> None:
    player: Hand = hand(game, width, motion)
    deal = player.centre(".acts .primary")
    player.go(deal)
    for number in range(PRESSES):
        player.press(deal)
        if number == 0:
            player.page.wait_for_selector("main:not([data-phase=bet])")
        player.pass_time(EVERY_MS)
    player.nothing_decided()


@long
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("game", GAMES)
def test_presses_where_repeat_was_decide_nothing(hand: Any, game: str, width: int) -> None:
    player: Hand = hand(game, width, "reduce")
    player.play_round()
    repeat = player.centre(".acts .primary")
    player.go(repeat)
    for _ in range(PRESSES + 2):  # one of them may deal
        player.press(repeat)
        player.pass_time(EVERY_MS)
    player.nothing_sent()
    if player.rounds():
        player.nothing_decided()


@long
@pytest.mark.parametrize("game", GAMES)
def test_who_moves_to_a_decision_decides_at_once(hand: Any, game: str) -> None:
    player: Hand = hand(game, 1280, "reduce")
    player.go(player.centre(".acts .primary"))
    player.press(player.centre(".acts .primary"))
    player.until_asked()
    player.pass_time(EVERY_MS)  # a double tap is over; less than the guard has passed
    assert EVERY_MS + STEP_MS < GUARD_MS
    option = ".acts .option >> nth=-1"
    player.go(player.centre(option))
    with player.page.expect_request("**/choices*"):
        player.press(player.centre(option))


@long
@pytest.mark.parametrize("game", GAMES)
def test_a_finger_decides_when_the_guard_is_over(hand: Any, game: str) -> None:
    player: Hand = hand(game, 360, "reduce")
    player.press(player.centre(".acts .primary"))
    player.until_asked()
    player.pass_time(GUARD_MS + STEP_MS)
    option = ".acts .option >> nth=-1"
    with player.page.expect_request("**/choices*"):
        player.press(player.centre(option))
