"""The session: one clock and one result for every tab, never negative; open rounds come first."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from browser.conftest import Sit, Visiting
from browser.served import Served
from houses import PLAYER_WINS
from tiers import long

STUD = "casino-stud"


def net(page: Page) -> str:
    return page.locator(".facts > span").last.inner_text()


def elapsed(page: Page) -> str:
    return page.locator(".facts b").nth(-2).inner_text()


@long
def test_the_session_is_one_for_all_tabs(house: Served, sit: Sit) -> None:
    seat = sit(PLAYER_WINS)
    other = seat.page.context.new_page()
    other.goto(house.url)
    other.wait_for_selector(".door")
    seat.press(".spot.ante")
    seat.deal()
    seat.take("play", "settled")
    won = net(seat.page)
    assert "+" in won
    expect(other.locator(".facts > span").last).to_have_text(won)
    other.reload()
    other.wait_for_selector(".door")
    assert net(other) == won


@long
def test_the_clock_goes_on_in_a_new_tab_and_is_never_negative(
    house: Served, visit: Visiting
) -> None:
    made = visit(house.url)
    page = made.page
    page.wait_for_selector(".door")
    begun = "(ms) => localStorage.setItem('session', JSON.stringify({ ...JSON.parse(localStorage"
    begun += ".getItem('session')), begun: Date.now() - ms, alive: Date.now() }))"
    page.evaluate(begun, 2 * 3_600_000)
    later = page.context.new_page()
    later.goto(page.url)
    expect(later.locator(".facts b").nth(-2)).to_contain_text("02:00:")
    later.close()
    page.evaluate(begun, -3_600_000)  # the computer's clock was put back an hour
    page.reload()
    expect(page.locator(".facts b").nth(-2)).to_contain_text("00:00:")
    assert "-" not in elapsed(page)


@long
def test_a_session_nobody_looked_at_for_half_an_hour_is_over(
    house: Served, visit: Visiting
) -> None:
    made = visit(house.url)
    page = made.page
    page.wait_for_selector(".door")
    old = (
        "{ begun: Date.now() - 9e6, alive: Date.now() - 1801e3, net: 5, mistakes: 0, counted: [] }"
    )
    page.context.add_init_script(f"localStorage.setItem('session', JSON.stringify({old}))")
    page.reload()
    expect(page.locator(".facts b").nth(-2)).to_contain_text("00:00:")
    assert "+" not in net(page)


def test_kept_notes_that_cannot_be_read_do_no_harm(house: Served, visit: Visiting) -> None:
    made = visit(house.url)
    made.page.wait_for_selector(".door")
    made.page.evaluate(
        "for (const name of ['session', 'settings', 'promises']) localStorage[name] = '{'"
    )
    made.page.reload()
    made.page.wait_for_selector(".door")


@long
def test_open_rounds_come_first_in_the_lobby(house: Served, sit: Sit) -> None:
    seat = sit(PLAYER_WINS)
    page = seat.page
    seat.press(".spot.ante")
    seat.deal()
    page.goto(house.url)
    page.wait_for_selector(".door .badge")
    doors = [door.get_attribute("href") for door in page.locator(".door").all()]
    assert doors[0] == f"/table/{STUD}"
    assert len(set(doors)) == 5
