"""The result panel: winner of each hand and deciding card, how to verify, announcement."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Sit, Visiting
from browser.seats import Seat
from browser.served import Served
from browser.tables import Language
from tapisvert.cards import STANDARD, WITH_JOKER, Card
from tapisvert.dealing import shuffle as honest_shuffle
from tapisvert.engine import HandName
from tapisvert.engine.hand_names import hand_name
from tapisvert.games.pai_gow.house_way import high_of
from tapisvert.games.pai_gow.script import high_name, low_name
from tapisvert.ranking import joker, standard
from tapisvert.words import catalogue
from tapisvert.words.telling import hand_words
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py

# Decks: the player's cards, the house's, then (at Ultimate) the board.
KINGS_JACK = "Kh Kd Jc 4s 2d  Kc Ks 9h 5d 3c"  # pairs of kings: a jack against a nine
KINGS_NINE = "Kc Ks 9h 5d 3c  Kh Kd Jc 4s 2d"
BOARD_PAIR = "Ad 3c  Qh 2s  Ks Kc 9d 7h 5s"  # kings on the board: an ace against a queen

Dealt = Callable[..., Seat]
BATTLES = """async ([order, pairs]) => {
  const base = document.querySelector('script[type=module][src]').src.replace(/app[.]js$/, '');
  const { against, kicker } = await import(`${base}scene.js`);
  return pairs.map(([mine, theirs]) => [against(mine, theirs, order), kicker(mine, theirs)]);
}"""


def named(hand: HandName) -> dict[str, Any]:
    return {
        "category": hand.category,
        "ranks": hand.ranks,
        "cards": hand.cards,
        "joker": hand.joker,
    }


def battles(page: Page, pairs: list[tuple[HandName, HandName]]) -> list[Any]:
    given = [joker.CATEGORIES, [[named(mine), named(theirs)] for mine, theirs in pairs]]
    found: list[Any] = page.evaluate(BATTLES, json.loads(json.dumps(given)))
    return found


@pytest.fixture
def page(house: Served, visit: Visiting) -> Page:
    made = visit(house.url)
    made.page.wait_for_selector(".door")
    return made.page


def verdict(mine: int, theirs: int) -> str:
    return "won" if mine > theirs else "lost" if mine < theirs else "copy"


def test_pai_8_hands_are_marked_as_the_house_ranks_them(page: Page) -> None:
    """The client compares hands by their names; the server's ranking must agree."""
    draw = random.Random(8)
    pairs, expected = [], []
    for _ in range(400):
        seven = draw.sample(WITH_JOKER, 14)
        low, high = sevens(seven[:7], draw), sevens(seven[7:], draw)
        for mine, theirs, name, strength in (
            (low[0], high[0], low_name, joker.low_strength),
            (low[1], high[1], high_name, joker.strength),
        ):
            pairs.append((name(mine), name(theirs)))
            expected.append(verdict(strength(mine), strength(theirs)))
    assert set(expected) == {"won", "lost", "copy"}
    assert [how for how, _ in battles(page, pairs)] == expected


def sevens(cards: list[Card], draw: random.Random) -> tuple[list[Card], list[Card]]:
    """Set seven cards at random, often with a pair, a straight or a flush in the high hand."""
    low = sorted(draw.sample(cards, 2), key=cards.index)
    return low, list(high_of(cards, low))


def test_between_hands_of_one_name_the_kicker_decides(page: Page) -> None:
    """Between hands with the same name, the first card in which they differ decides."""
    draw, words = random.Random(6), catalogue("en")
    pairs: list[tuple[HandName, HandName]] = []
    expected: list[str] = []
    while len(pairs) < 400:
        mine, theirs = draw.sample(STANDARD, 5), draw.sample(STANDARD, 5)
        names = hand_name(mine), hand_name(theirs)
        if len({hand_words(words, "casino-stud", name) for name in names}) == 1:
            pairs.append(names)
            expected.append(verdict(standard.strength(mine), standard.strength(theirs)))
    found = [kicker["how"] if kicker else "copy" for _, kicker in battles(page, pairs)]
    assert found == expected


@pytest.mark.parametrize(
    ("game", "deck", "choices", "told"),
    [
        (
            "casino-stud", KINGS_JACK, ["play"],
            {"fr": "votre valet bat le 9 de la maison", "en": "your jack beats the house's nine"},
        ),
        (
            "casino-stud", KINGS_NINE, ["play"],
            {"fr": "le valet de la maison bat votre 9", "en": "the house's jack beats your nine"},
        ),
        (
            "ultimate", BOARD_PAIR, ["raise-4"],
            {"fr": "votre as bat la dame du donneur", "en": "your ace beats the dealer's queen"},
        ),
    ],
    ids=["won", "lost", "ultimate"],
)  # fmt: skip
@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_card_that_decides_is_named(
    dealt: Dealt, language: Language, game: str, deck: str, choices: list[str], told: dict[str, str]
) -> None:
    seat = dealt(game, deck, language)
    for choice in choices:
        seat.take(choice, "settled")
    assert told[language] in seat.text(".message")
    seat.page.goto(seat.page.url.replace(f"/table/{game}", "/history"))
    seat.page.locator("a[href^='/r/']").first.click()
    expect(seat.page.locator(".replay .message")).to_contain_text(told[language])


@pytest.fixture
def dealt(sit: Sit) -> Dealt:
    """Open a table, bet on the first spot, and deal."""

    def start(game: str, deck: str | None, language: Language = "fr") -> Seat:
        seat = sit(deck, game, language)
        seat.press(".spot.main" if game == "pai-gow" else ".spot.ante")
        seat.deal()
        return seat

    return start


@pytest.mark.parametrize(
    ("deck", "low", "high"),
    [
        # Ace-king and a pair of queens against king-queen and a pair of nines: both won.
        ("As Kd Qh Qc 8s 6d 3c  Kh Qd 9s 9h 7c 5d 2s", "won", "won"),
        # The same two low hands, ace and king: a copy, which the house wins (pai.8).
        ("As Kd Qh Qc 8s 6d 3c  Ah Ks 9s 9h 7c 5d 2s", "copy", "won"),
        # Nines against queens with king-eight in front against ace-king: both lost.
        ("Ks 8d 9h 9c 7s 6d 3c  As Kd Qh Qc 7h 5d 2s", "lost", "lost"),
    ],
)
def test_pai_8_each_hand_is_marked_won_or_lost(
    dealt: Dealt, deck: str, low: str, high: str
) -> None:
    seat = dealt("pai-gow", deck)
    seat.take("confirm", "settled")
    for zone, mark in (("player-low", low), ("player-high", high)):
        assert seat.text(f".zone.{zone} .mark") == seat.say(f"mark.{mark}")
        assert seat.page.locator(f".zone.{zone} .mark.{mark}").count() == 1
    assert seat.page.locator(".zone.house-low .mark").count() == 0


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_result_leads_to_its_own_verification(
    house: Served, dealt: Dealt, language: Language
) -> None:
    house.shuffle = honest_shuffle
    seat = dealt("casino-stud", None, language)
    seat.take("play", "settled")
    page = seat.page
    shown = page.locator(".promise code").inner_text().rstrip("…")
    page.locator(".promise").click()
    panel = page.locator("dialog.seeds")
    assert panel.locator("code").first.inner_text().startswith(shown)
    assert seat.say("fair.explain-ended") in seat.text("dialog.seeds")
    there = panel.locator("a.act").get_attribute("href")
    page.keyboard.press("Escape")
    link = page.locator(".message a.check")
    assert link.get_attribute("href") == there
    link.click()
    expect(page.locator(".fair .message.win")).to_have_text(seat.say("fair.true"))
    assert page.locator(".checks .ok").count() == 4
    # Another browser, or one that has lost its notes, says what it could not check.
    page.evaluate("localStorage.removeItem('promises')")
    page.reload()
    expect(page.locator(".fair .message")).to_have_text(seat.say("fair.alone"))
    assert page.locator(".fair .message.win").count() == 0
    assert page.locator(".checks .ok").count() == 3
    assert seat.say("fair.step.promised") in seat.text(".checks .open")


def test_empty_hands_are_not_read_aloud(dealt: Dealt) -> None:
    seat = dealt("pai-gow", "As Kd Qh Qc 8s 6d 3c  Kh Qd 9s 9h 7c 5d 2s")
    seat.take("confirm", "settled")
    seat.page.keyboard.press("f")
    expect(seat.page.locator("#polite")).to_contain_text(seat.say("zone.player-low"))
    assert " : ." not in seat.text("#polite")
    assert f"{seat.say('zone.player')} :" not in seat.text("#polite")


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_spot_says_what_one_press_puts_there(sit: Sit, language: Language) -> None:
    """Royal Poker has one price, whatever chip is selected (bj.2)."""
    seat = sit(game="blackjack", language=language)
    seat.bet({"hand-1": 5_00, "hand-2": 5_00})
    royal = "button.spot.royal .vh"
    assert seat.text(royal) == seat.say("spot.place", cents=0, chip=1_00)
    seat.press("button.spot.royal")
    assert seat.text(royal) == seat.say("spot.full", cents=1_00)
