"""High Card Flush and Ultimate Texas Hold'em in the browser: features specific to each."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import Sit
from browser.seats import Seat
from browser.tables import plain
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py

FLUSH, ULTIMATE = "high-card-flush", "ultimate"
# A pair of kings against a pair of nines.
KINGS = "Ad Kd 9s 9c  Ks 7d 2d  Th 4s"
THREE = "Ad Kd 9s 9c  As 7d Ah  Th 4s"  # three aces: Trips pays 3:1, after a fold too (uth.13)


def offered(seat: Seat) -> list[str]:
    """Return the texts and prices of the decision buttons."""
    return [plain(each) for each in seat.page.locator(".acts .option > span").all_inner_texts()]


def priced(seat: Seat, *options: tuple[str, int]) -> list[str]:
    """Return the expected texts of decisions with their prices or losses."""
    notes = [
        seat.money(cents) if cents > 0 else seat.say("option.loses", cents=-cents) if cents else ""
        for _, cents in options
    ]
    return [
        f"{seat.say(f'option.{name}')} {note}".strip()
        for (name, _), note in zip(options, notes, strict=True)
    ]


# Ultimate Texas Hold'em -------------------------------------------------------------------------


@pytest.mark.parametrize("spot", ["ante", "blind"])
def test_uth_2_a_chip_on_ante_or_blind_lies_on_both_and_is_taken_back_from_both(
    sit: Sit, spot: str
) -> None:
    seat = sit(None, ULTIMATE)
    expect(seat.page.locator(".spot.trips")).to_be_disabled()
    seat.bet({spot: 11_00})
    assert seat.chips() == {"ante": "11", "blind": "11"}
    assert seat.figures()[seat.say("hud.bet")] == seat.money(22_00)
    seat.bet({"trips": 5_00})
    seat.page.locator(f".spot.{spot}").click(button="right")  # with the chip of 5
    assert seat.chips() == {"ante": "6", "blind": "6", "trips": "5"}
    seat.page.keyboard.press("B")
    assert seat.chips() == {"ante": "12", "blind": "12", "trips": "10"}
    seat.page.keyboard.press("Z")
    for _ in range(2):
        seat.page.locator(f".spot.{spot}").click(button="right")
    assert seat.chips() == {}  # Trips never stands alone


def test_uth_4_to_6_check_check_raise_shows_the_board_three_cards_then_five(sit: Sit) -> None:
    seat, hidden = sit(KINGS, ULTIMATE), ["carte cachée"] * 2
    board = [seat.words.card(card) for card in KINGS.split()[4:]]
    seat.bet({"ante": 10_00, "trips": 5_00})
    seat.deal()
    for shown, choice, options in (
        (0, "check", (("check", 0), ("raise-3", 30_00), ("raise-4", 40_00))),
        (3, "check", (("check", 0), ("raise-2", 20_00))),
        (5, "raise-1", (("raise-1", 10_00), ("fold", -20_00))),  # ante and blind
    ):
        assert (seat.cards("board"), seat.cards("house")) == (board[:shown], hidden)
        assert offered(seat) == priced(seat, *options)
        assert seat.chips() == {"ante": "10", "blind": "10", "trips": "5"}
        seat.take(choice, "settled" if shown == 5 else "decide")
    assert seat.cards("board") == board
    assert seat.cards("house") == [seat.words.card(card) for card in ("9s", "9c")]
    assert seat.text(".zone.player .name") == "paire de rois"
    assert seat.text(".zone.house .name") == "paire de 9"


def test_cards_that_make_a_hand_are_marked_for_their_side_and_the_question_for_its_place(
    sit: Sit,
) -> None:
    seat = sit(KINGS, ULTIMATE)
    seat.bet({"ante": 5_00})
    seat.deal()
    here = seat.page.locator(".steps [aria-current=step]")
    for choice, step in (("check", "before-flop"), ("check", "after-flop")):
        expect(here).to_have_text(seat.say(f"step.{step}"))
        seat.take(choice)
    expect(here).to_have_text(seat.say("step.after-river"))

    def marked(side: str) -> set[str]:
        return set(seat.texts(f".for-{side} .vh"))

    def named(cards: str) -> set[str]:
        return {seat.words.card(card) for card in cards.split()}

    assert marked("house") == set()
    seat.take("raise-1", "settled")
    assert marked("player") == named("Ad Kd Ks Th 7d")
    assert marked("house") == named("9s 9c Ks Th 7d")
    expect(here).to_have_count(0)


def test_uth_7_after_a_raise_before_the_flop_the_whole_board_is_dealt(sit: Sit) -> None:
    seat = sit(KINGS, ULTIMATE)
    seat.bet({"ante": 10_00})
    seat.deal()
    seat.take("raise-4", "settled")
    assert len(seat.cards("board")) == 5
    # Ante and raise win 1:1; a pair is too little for the blind (uth.10).
    assert seat.ledger() == seat.lines({"ante": 10_00, "blind": 0, "play": 40_00})


def test_uth_6_after_a_fold_the_house_shows_nothing_and_trips_is_settled(sit: Sit) -> None:
    seat = sit(THREE, ULTIMATE, "en")
    seat.bet({"ante": 10_00, "trips": 5_00})
    seat.deal()
    for choice, then in (("check", "decide"), ("check", "decide"), ("fold", "settled")):
        seat.take(choice, then)
    assert seat.cards("house") == ["hidden card"] * 2
    assert seat.text(".zone.house .name") == ""
    assert seat.ledger() == seat.lines({"ante": -10_00, "blind": -10_00, "trips": 15_00})


# High Card Flush --------------------------------------------------------------------------------

SORTED = {  # as dealt, then as shown: the best flush first, then the other suits, long ones first
    "four diamonds": ("2c Kd 4d As 9d 6c Qd", "Kd Qd 9d 4d 6c 2c As", 4),
    "two flushes of three": ("Kd As 5h Qd 2s 9d Js", "As Js 2s Kd Qd 9d 5h", 3),
    "two flushes alike but the last": ("9h 4c Kh 5s 9c Kc 5h", "Kh 9h 5h Kc 9c 4c 5s", 3),
}
BEHIND = "Th 8c 3h Jd 7c 6h 4s"  # the house: hearts, ten high
SORTED_BEHIND = "Th 6h 3h 8c 7c Jd 4s"


@pytest.mark.parametrize("name", SORTED)
def test_flush_3_the_cards_lie_by_suit_and_the_flush_that_counts_is_lifted(
    sit: Sit, name: str
) -> None:
    dealt, shown, length = SORTED[name]
    seat = sit(dealt, FLUSH)
    seat.bet({"ante": 10_00})
    seat.deal()
    assert seat.cards("player") == [seat.words.card(card) for card in shown.split()]
    tops: list[float] = seat.page.locator(".zone.player .card").evaluate_all(
        "(all) => all.map((card) => card.getBoundingClientRect().top)"
    )
    lifted = [top < max(tops) - 4 for top in tops]
    assert lifted == [place < length for place in range(7)]
    assert seat.page.locator(".zone.player .card.lifted").count() == length
    assert seat.cards("house") == ["carte cachée"] * 7


def test_flush_5_a_short_flush_may_not_be_raised_twice_and_the_button_says_why(sit: Sit) -> None:
    seat = sit(f"2c Kd 4d As 9d 6s Qd {BEHIND}", FLUSH)
    seat.bet({"ante": 10_00})
    seat.deal()
    short = f"{seat.say('option.raise-2')} {seat.say('why-not.raise/too-short')}"
    once, fold = priced(seat, ("raise-1", 10_00), ("fold", -10_00))
    assert offered(seat) == [once, short, fold]
    expect(seat.option("raise-2")).to_be_disabled()
    seat.page.keyboard.press(seat.say("key.raise-2"))
    assert seat.wallet()["held_cents"] == 10_00
    seat.take("raise-1", "settled")
    turned = [seat.words.card(card) for card in SORTED_BEHIND.split()]
    assert seat.cards("house") == turned
    assert seat.page.locator(".zone.house .card.lifted").count() == 3


def test_flush_7_the_hand_that_cannot_lose_cannot_be_folded(sit: Sit) -> None:
    seat = sit("As Ks Qs Js Ts 9s 8s", FLUSH, "en")
    seat.bet({"ante": 10_00})
    seat.deal()
    expect(seat.option("fold")).to_be_disabled()
    assert seat.say("why-not.fold/cannot-lose") in seat.text(".acts .option >> nth=-1")
    assert seat.say("event.forbidden.fold/cannot-lose") in seat.message()
    expect(seat.option("raise-2")).to_be_enabled()
    assert seat.page.locator(".zone.player .card.lifted").count() == 7


def test_flush_6_after_a_fold_the_house_shows_nothing_and_side_bets_are_settled(sit: Sit) -> None:
    seat = sit(f"2c Kd 4d As 9d 6s Qd {BEHIND}", FLUSH)
    seat.bet({"ante": 10_00, "flush": 5_00, "straight-flush": 1_00})
    seat.deal()
    seat.take("fold", "settled")
    assert seat.cards("house") == ["carte cachée"] * 7
    # Four cards pay 2:1; king-queen is no straight flush of three (flush.12, flush.13).
    assert seat.ledger() == seat.lines({"ante": -10_00, "flush": 10_00, "straight-flush": -1_00})
