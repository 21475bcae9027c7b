"""Whole rounds of Casino Stud in the browser: every end, with the returns of the rules page."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from playwright.sync_api import Page

from browser.conftest import Sit, Visiting
from browser.cutting import GAME, Books, shown, truth
from browser.seats import Seat
from browser.served import Served
from browser.tables import Language, plain
from browser.turns import first_of
from browser.ways import WIDTHS
from houses import HOUSE_WINS, PLAYER_WINS, ROYAL
from tapisvert.engine.sheet_file import with_changes
from tapisvert.sheets import load
from tiers import long

START = 1_000_00
THREE_SEVENS = "7h 7d 9c 4s 2d 7c Ks Qh 8d 3c"  # with the house's card
NOT_QUALIFIED = "Kh Kd 7c 4s 2d Qc Js 9h 8d 3c"


class Round(NamedTuple):
    """A round with an ante of $10.00, and the net of each bet by docs/rules, in dollars."""

    deck: str
    choice: str
    nets: dict[str, int]
    bonus: int = 0

    @property
    def stakes(self) -> dict[str, int]:
        return {"ante": 10_00} | ({"bonus": self.bonus * 100} if self.bonus else {})


def check(seat: Seat, house: Served) -> None:
    """Compare the table with the house's record of the round, and the rail with the wallet."""
    assert shown(seat.page) == truth(Books(seat.page, house.url), seat.words)


def check_end(seat: Seat, house: Served, played: Round) -> None:
    """Check the table at the end; the ledger must have the returns of the rules."""
    check(seat, house)
    assert seat.ledger() == seat.lines({bet: net * 100 for bet, net in played.nets.items()})
    assert seat.wallet()["balance_cents"] == START + 100 * sum(played.nets.values())
    needs = seat.say("event.said.house-not-qualified", needs="AK")
    assert (needs in seat.told()) == (played.deck in (NOT_QUALIFIED, ROYAL))


def play(page: Page, house: Served, played: Round, language: Language, keys: bool) -> Seat:
    """Play a round to its end and wait, with checks in every state without animation."""
    page.clock.install()
    seat = Seat(page, GAME, language, keys=keys)
    seat.bet(played.stakes)
    seat.deal()
    check(seat, house)
    # The page has put the focus on the first decision: Enter takes it, as its letter does.
    seat.choose(["play", "fold"].index(played.choice), "Enter" if played.choice == "play" else None)
    check_end(seat, house, played)
    page.clock.fast_forward(120_000)  # two minutes without input
    check_end(seat, house, played)
    return seat


def go_on(seat: Seat, played: Round, key: str) -> None:
    """Bet again (R) or clear the table (X)."""
    seat.page.keyboard.press(key) if seat.keys else seat.press(f".acts [aria-keyshortcuts={key}]")
    seat.wait("bet")
    total = sum(played.stakes.values()) if key == "R" else 0
    assert seat.figures()[seat.say("hud.bet")] == seat.money(total)


WON = Round(PLAYER_WINS, "play", {"ante": 10, "bonus": -5, "play": 20}, bonus=5)
BRANCHES: dict[str, tuple[Round, Language, int, bool]] = {  # the last: by keys
    "the house wins": (Round(HOUSE_WINS, "play", {"ante": -10, "play": -20}), "en", 360, False),
    "the house does not qualify": (
        Round(NOT_QUALIFIED, "play", {"ante": 10, "play": 0}), "fr", 1280, True),
    "a fold": (Round(HOUSE_WINS, "fold", {"ante": -10}), "fr", 360, False),
    "a fold whose bonus pays": (
        Round(THREE_SEVENS, "fold", {"ante": -10, "bonus": 7}, bonus=1), "en", 1280, True),
    "the bonus pays": (
        Round("Ah Jh 8h 4h 2h Ac As 9c 8d 3c", "play", {"ante": 10, "bonus": 75, "play": 100},
              bonus=5), "en", 360, True),
    "a tie": (
        Round("Ah Kd 9c 5s 3d Ac Ks 9h 5d 3c", "play", {"ante": 0, "play": 0}), "fr", 1280, False),
    "a royal flush": (
        Round(ROYAL, "play", {"ante": 10, "bonus": 1000, "play": 0}, bonus=1), "en", 1280, False),
}  # fmt: skip


@pytest.mark.parametrize("keys", [False, True], ids=["pointer", "keyboard"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_round_is_won(
    house: Served, visit: Visiting, language: Language, width: int, keys: bool
) -> None:
    page = visit(house.table(WON.deck), language=language, width=width).page
    go_on(play(page, house, WON, language, keys), WON, "R" if (width == 360) == keys else "X")


@pytest.mark.parametrize("branch", first_of(BRANCHES, "a fold whose bonus pays"))
def test_every_other_end_of_a_round(house: Served, visit: Visiting, branch: str) -> None:
    played, language, width, keys = BRANCHES[branch]
    page = visit(house.table(played.deck), language=language, width=width).page
    seat = play(page, house, played, language, keys)
    go_on(seat, played, "R" if played.choice == "play" else "X")


@long
@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("fr", "Une quinte royale ne s’abandonne pas : elle ne peut pas perdre."),
        ("en", "A royal flush cannot be folded: it cannot lose."),
    ],
)
def test_a_royal_flush_cannot_be_folded_and_the_table_says_why(
    sit: Sit, language: Language, why: str
) -> None:
    player = sit(ROYAL, language=language, width=360)
    page = player.page
    player.bet({"ante": 1_00})
    player.deal()
    assert page.locator(".acts .option").nth(1).is_disabled()
    assert why in player.message()
    assert why in plain(page.locator("#polite").inner_text())
    page.keyboard.press("D")
    page.wait_for_timeout(100)
    assert player.wallet()["held_cents"] == 1_00


@long
def test_a_bet_over_the_balance_is_refused(sit: Sit) -> None:
    sheet = with_changes(load(GAME), {"spots.ante.max_cents": 1_000_00})
    player = sit(sheet=sheet, language="en")
    player.bet({"ante": 1_000_00})
    player.press(".spot.bonus")
    assert player.message() == "You would need $1,100.00; you have $1,000.00."
    assert player.figures()["Total bet"] == "$1,000.00"
