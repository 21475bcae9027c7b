"""Every state of a table is announced to the player, in both languages.

Each test has its own house and controls its operator and clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import Visiting
from browser.cutting import Line
from browser.seats import Seat
from browser.served import Served, serving
from browser.tables import DOOR, TABLE, Language, Visit
from houses import HOUSE_WINS, Clock, make_house
from rounds.house_with_operator import act
from tapisvert.engine.sheet_file import with_changes
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import PlayerService
from tapisvert.sheets import load
from tapisvert.words import catalogue
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py

STUD = "casino-stud"
DAY_MS = 86_400_000
DEAR = with_changes(load(STUD), {"spots.ante.max_cents": 1_000_00})
both = pytest.mark.parametrize("language", ["fr", "en"])


class Table:
    """A house, and a guest at one of its tables."""

    def __init__(self, house: PlayerService, made: Visit, clock: Clock, language: Language) -> None:
        self.house, self.made, self.page, self.clock = house, made, made.page, clock
        self.seat = Seat(made.page, STUD, language)


@contextmanager
def table(folder: Path, visit: Visiting, language: Language) -> Iterator[Table]:
    """Seat a guest in a new house."""
    clock = Clock()
    house = make_house(
        folder / "tapis.db",
        HOUSE_WINS,
        clock=clock,
        sheet_of=lambda game: DEAR if game == STUD else load(game),
    )
    with serving(house) as url:
        yield Table(house, visit(url + TABLE, language=language), clock, language)


def said(language: Language, key: str) -> str:
    return catalogue(language).write(key)


def says(page: Page, place: str, text: str) -> None:
    """Wait until an element has a text."""
    expect(page.locator(place)).to_contain_text(text)


@both
def test_connecting_and_reconnecting_are_told_actions_lock_and_bets_stay(
    house: Served, visit: Visiting, language: Language
) -> None:
    with closing(Line(house.url)) as line:
        made = visit("about:blank", language=language)
        page = made.page
        held: list[Route] = []
        page.route("**/api/v1/guests", lambda route: held.append(route))
        page.goto(line.url + TABLE)
        says(page, "main[aria-busy] .message", said(language, "net.connecting"))
        held[0].continue_()
        made.url = line.url
        seat = Seat(page, STUD, language)
        made.may_fail("/api/v1/")
        seat.bet({"ante": 5_00})
        bets = seat.texts(".spot .stack")
        line.cut("refused")
        page.locator(".acts .primary").click()
        says(page, ".banner", said(language, "net.lost"))
        says(page, "#assertive", said(language, "net.lost"))
        expect(page.locator(".acts button:enabled")).to_have_count(0)
        assert seat.texts(".spot .stack") == bets == ["5"]
        line.back()
        seat.wait("decide")
        expect(page.locator(".banner")).to_have_count(0)
        page.goto("about:blank")


@both
def test_refunded_is_told_with_the_money_that_came_back(
    tmp_path: Path, visit: Visiting, language: Language
) -> None:
    with table(tmp_path, visit, language) as at:
        keeper = Housekeeping(at.house, at.clock)
        at.seat.bet({"ante": 5_00, "bonus": 1_00})
        at.seat.deal()
        at.page.click(".brand")
        at.page.locator(f"{DOOR} .badge").wait_for()
        at.clock.now_ms += 31 * DAY_MS
        assert keeper.sweep() == 1
        at.page.reload()
        says(at.page, f"{DOOR} .badge", said(language, "lobby.refunded"))
        at.page.click(DOOR)
        at.seat.wait("settled")
        assert at.seat.say("resume.refunded") in at.seat.told()
        assert at.seat.say("result.even") in at.seat.told()
        why = at.seat.texts(".ledger td:nth-child(2)")
        assert why == [at.seat.say("why.expired")] * 2
        assert at.seat.wallet() == {"currency": "FUN", "balance_cents": 1_000_00, "held_cents": 0}


@both
def test_the_limit_of_a_table_and_an_empty_purse_are_told_and_more_is_offered(
    tmp_path: Path, visit: Visiting, language: Language
) -> None:
    with table(tmp_path, visit, language) as at:
        at.seat.bet({"ante": 1_000_00})
        at.seat.press(".spot.ante")
        limit = at.seat.say("bet.limit", bet="ante", max=1_000_00)
        assert limit == at.seat.told()
        expect(at.page.locator("#assertive")).not_to_be_empty()
        at.seat.deal()
        at.seat.take("fold", "settled")
        at.seat.press(".acts [aria-keyshortcuts=X]")
        at.seat.wait("bet")
        more = at.page.locator(".acts .primary")
        expect(more).to_contain_text(said(language, "act.more-money"))
        expect(at.page.locator(".chips")).to_have_count(0)
        assert at.seat.told() == at.seat.say("money.none")
        more.click()
        at.seat.wait("bet")
        assert at.seat.told() == at.seat.say("money.more-given", cents=1_000_00)
        expect(at.page.locator(".chips .chip")).not_to_have_count(0)


@both
@pytest.mark.parametrize("scope", ["all", f"game:{STUD}"])
def test_play_stopped_by_the_house_is_told_with_its_reason_and_an_open_round_finishes(
    tmp_path: Path, visit: Visiting, language: Language, scope: str
) -> None:
    why = "entretien de nuit / night maintenance"
    with table(tmp_path, visit, language) as at:
        at.made.may_fail("/rounds")
        at.seat.bet({"ante": 5_00})
        at.seat.deal()
        act(at.house, lambda operator: operator.stop(scope, why))
        at.seat.take("fold", "settled")
        at.seat.press(".acts [aria-keyshortcuts=R]")
        at.seat.wait("bet")
        at.seat.deal("bet")
        stopped = at.seat.say("error.play/stopped", reason=why)
        assert at.seat.told() == stopped
        expect(at.page.locator(".message.told")).to_have_count(1)
        expect(at.page.locator("#assertive")).to_contain_text(why)
        assert at.seat.texts(".spot .stack") == ["5"]  # the chips stay the player's
        assert at.seat.wallet()["held_cents"] == 0
        act(at.house, lambda operator: operator.resume(scope, "done"))
        at.seat.deal()
