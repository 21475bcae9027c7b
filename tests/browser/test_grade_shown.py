"""With the coach always shown, the grade of the last choice is in sight at every size."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.asking import FELT, LOOK, until_advised
from browser.conftest import Visiting
from browser.seats import ROUNDS, Seat
from browser.served import Served
from browser.tables import GAMES, Language, axe
from browser.turns import first_of
from coach.present import Present

SIZES = ((1280, 800), (1024, 768), (768, 1024), (844, 390), (667, 375), (360, 640))


@pytest.mark.parametrize("game", first_of(GAMES, "casino-stud"))
@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_grade_of_the_last_choice_is_in_sight(
    house: Served, visit: Visiting, game: str, language: Language
) -> None:
    house.coach = Present()
    made = visit("about:blank", language=language, width=360)
    page = made.page
    page.add_init_script("localStorage.setItem('settings', '{\"coach\": \"always\"}')")
    made.url = house.url
    page.goto(house.table(ROUNDS[game].deck, game))
    seat = Seat(page, game, language)
    for state in seat.play(ROUNDS[game]):
        if state.startswith("decide"):
            until_advised(page)
    faults = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        place = ".side .coach .grade" if width >= 1100 else ".message .grade, .rail .grade"
        expect(page.locator(".grade:visible")).to_have_count(1)
        expect(page.locator(place).locator("visible=true")).to_be_in_viewport(ratio=1)
        found = [*page.evaluate(LOOK, True), *axe(page)]
        if width != 667:  # where the ledger is scrolled at some tables, with or without a grade
            found += page.evaluate(FELT)
        faults += [f"{width} x {height}: {fault}" for fault in found]
    assert faults == []
    page.locator(".graded:visible").click()
    expect(page.locator("dialog.coach .grade")).to_be_visible()
