"""Screenshot scenes of table states: lost connection, limits, refunds, a pot that is won."""

from __future__ import annotations

from playwright.sync_api import Page

from browser.pictures import Here, Scene
from browser.playing import ONE_ROUND
from browser.scenes_pages import DECIDE
from browser.scenes_tables import seat_of, sit
from browser.tables import sign_in
from houses import HOUSE_WINS
from rounds.guest_seat import read
from rounds.house_with_operator import DAY_MS, Funded, Time, act, keeper_of
from rounds.house_with_pot import GAME, STAKES
from tapisvert.operations.housekeeping import Housekeeping

RICH_CENTS = 12_050_000
ROYAL_FLUSH = "As Ks Qs Js Ts 9c"


def _limit(page: Page, here: Here) -> None:
    sit(page, here)
    page.keyboard.press("4")
    page.click(".spot.ante")
    page.locator(".acts .act").nth(2).click()


def _lost(page: Page, here: Here) -> None:
    DECIDE(page, here)
    page.context.set_offline(True)
    page.wait_for_selector(".banner")


def _resumed(page: Page, here: Here) -> None:
    DECIDE(page, here)
    page.reload()
    page.wait_for_selector("[data-phase=decide][data-ready]")


def _overdue(page: Page, here: Here) -> None:
    """Leave a round open until it expires."""
    DECIDE(page, here)
    here.clock.now_ms += 31 * DAY_MS
    assert Housekeeping(here.house, here.clock).sweep() == 1
    page.goto(here.url)
    page.wait_for_selector(".badge")


def _refunded(page: Page, here: Here) -> None:
    _overdue(page, here)
    page.click(".door[href='/table/casino-stud']")
    page.wait_for_selector("[data-phase=settled][data-ready]")


def _broke(page: Page, here: Here) -> None:
    """Lose the whole balance, with ten maximum bets."""
    sit(page, here)
    for _ in range(10):
        page.evaluate(ONE_ROUND, ["casino-stud", {"ante": 100_00}, ["fold"]])
    page.reload()
    page.wait_for_selector("[data-phase][data-ready]")
    if page.locator("[data-phase=settled]").count():
        page.keyboard.press("x")
    page.wait_for_selector("[data-phase=bet][data-ready]")


def _stopped(page: Page, here: Here) -> None:
    """Bet at a table that the operator has stopped."""
    sit(page, here)
    page.click(".spot.ante")
    act(here.house, lambda operator: operator.stop("game:casino-stud", "02:00-02:30"))
    page.click(".acts .primary")
    page.wait_for_selector(".message.told")


def _enter(page: Page, here: Here, cents: int = RICH_CENTS) -> None:
    """Sign in as a real-money player in a house with an open pot."""
    act(here.house, lambda operator: operator.open_jackpot(GAME, "CAD"))
    keeper_of(here.house, Time()).fold()
    player = Funded(here.house, cents)
    page.goto(here.url)
    page.wait_for_selector(".door")
    sign_in(page, str(player.token))
    page.wait_for_selector(".door .meter")


def _lobby(page: Page, here: Here) -> None:
    _enter(page, here)
    page.locator(".door .meter").evaluate("(meter) => meter.scrollIntoView({block: 'center'})")


def _at_the_pot(page: Page, here: Here) -> None:
    _enter(page, here)
    sit(page, here, GAME)
    seat_of(page, GAME).lay({"hand-1": 100_00, "hand-2": 100_00})
    page.click(".spot.royal")


def _won(page: Page, here: Here) -> None:
    """Win the pot with a royal flush."""
    _at_the_pot(page, here)
    page.click(".acts .primary")
    page.wait_for_selector("[data-phase=decide][data-ready]")
    page.wait_for_timeout(1200)  # until the stream has told of it


def _won_elsewhere(page: Page, here: Here) -> None:
    """Sit at the table while another player wins the pot."""
    with page.expect_response("**/jackpots/stream"):
        _at_the_pot(page, here)
    page.wait_for_timeout(1200)  # until the stream has told what there is
    other = Funded(here.house, 1_000_000)
    read(other.open(other.asking(STAKES, GAME, client_seed="royal")))
    page.wait_for_selector(".banner.won")


STATE_SCENES = (
    Scene("limit-of-the-table", _limit),
    Scene("connection-lost", _lost),
    Scene("resumed", _resumed),
    Scene("lobby-refunded", _overdue),
    Scene("refunded", _refunded),
    Scene("broke", _broke, HOUSE_WINS),
    Scene("stopped", _stopped),
)
POT_SCENES = (
    Scene("lobby-with-the-pot", _lobby),
    Scene("blackjack-with-the-pot", _at_the_pot),
    Scene("pot-won", _won, ROYAL_FLUSH),
    Scene("pot-won-elsewhere", _won_elsewhere, ROYAL_FLUSH),
)
