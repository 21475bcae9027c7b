"""Pai Gow: the seven cards sorted by rank or by suit, and still chosen by click and by key."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import Sit
from browser.tables import Language

SEVEN = "9h Jk Qs 2c Kd Qd 8c"
SORTED = {"rank": "Jk Kd Qs Qd 9h 8c 2c", "suit": "Qs 9h Kd Qd 8c 2c Jk"}


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("fr", 360)])
def test_pai_gow_the_seven_cards_are_sorted_and_still_chosen(
    sit: Sit, language: Language, width: int
) -> None:
    seat = sit(f"{SEVEN}  As 9c 9d 6h 5s 3d 3c", "pai-gow", language, width)
    page = seat.page
    seat.bet({"main": 10_00})
    seat.deal()

    def cards() -> list[str]:
        return [told.partition(",")[0] for told in seat.texts(".zone.player .pickable .vh")]

    def named(hand: str) -> list[str]:
        return [seat.words.card(card) for card in hand.split()]

    assert cards() == named(SEVEN)
    seat.press(".acts .sort")
    assert cards() == named(SORTED["rank"])
    page.keyboard.press(seat.say("key.sort").lower())
    assert cards() == named(SORTED["suit"])
    chosen = page.locator(".pickable[aria-pressed=true]")
    for place in range(7):  # the number on a card is its place now
        pressed = page.locator(".pickable").nth(place)
        if pressed.get_attribute("aria-pressed") == "true":
            page.keyboard.press(str(place + 1))
    expect(chosen).to_have_count(0)
    page.keyboard.press("1")
    page.keyboard.press("5")
    expect(chosen.locator(".vh")).to_contain_text(named("Qs 8c"))
    seat.take("confirm", "settled")
    assert sorted(seat.cards("player-low")) == sorted(named("Qs 8c"))
    page.keyboard.press("a")  # the order stays for the next round
    seat.wait("decide")
    assert cards() == named(SORTED["suit"])
