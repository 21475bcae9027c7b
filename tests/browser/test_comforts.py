"""Comforts of the table: rebet and deal, undo, favourite bets, own chips."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Sit, Visiting
from browser.seats import ROUNDS, Seat
from browser.served import Served
from browser.tables import GAMES, open_panel
from browser.test_guard import EVERY_MS, GUARD_MS, PRESSES, Hand
from browser.turns import first_of
from browser.ways import WIDTHS
from tapisvert.engine.sheet_file import with_changes
from tapisvert.sheets import load
from tiers import long

STUD = "casino-stud"
FAVOURITE = ".favourites .favourite:not(.save)"
# A black jack against a six: the round is settled by the deal (one hand).
NATURAL = "As Kd 6h Tc 5d"


def keep(page: Page, **kept: object) -> None:
    """Store values as the page does, and load it again."""
    told = {name: json.dumps(value) for name, value in kept.items()}
    page.evaluate("(kept) => Object.assign(localStorage, kept)", told)
    page.reload()
    page.wait_for_selector("main[data-phase=bet][data-ready]")


def favourites(seat: Seat, *bets: Mapping[str, int]) -> None:
    keep(seat.page, favourites={seat.game: bets}, settings={"comforts": "on"})
    seat.page.wait_for_selector(".favourites")


def deals(requests: list[str]) -> int:
    return sum(url.endswith("/api/v1/rounds") for url in requests)


# The pure parts ----------------------------------------------------------------------------------

CASES = """
whyNot([], {}) | "empty"
whyNot([], {ante: 0}) | "empty"
whyNot([], {ante: 500}) | ""
whyNot([{ante: 500}], {ante: 500, bonus: 0}) | "known"
whyNot([{ante: 500}], {ante: 500, bonus: 100}) | ""
whyNot([1, 2, 3, 4, 5].map((ante) => ({ante})), {ante: 6}) | "full"
withOne([{ante: 1}], {ante: 2}) | [{"ante": 1}, {"ante": 2}]
withOne([{ante: 1}], {ante: 1}) | [{"ante": 1}]
without([{ante: 1}, {ante: 2}], {ante: 1}) | [{"ante": 2}]
same({}, {ante: 0}) | true
same({ante: 1}, {ante: 1, bonus: 2}) | false
recall(stud, {}, {ante: 500, bonus: 100}, 600).bets | {"ante": 500, "bonus": 100}
recall(stud, {ante: 100}, {ante: 500}, 600).bets | {"ante": 500}
recall(stud, {ante: 100}, {ante: 500, bonus: 200}, 600).bets | {"ante": 100}
recall(stud, {}, {ante: 500, bonus: 200}, 600).notice.key | "bet.no-funds"
recall(stud, {}, {ante: 500, bonus: 200}, 600).notice.args | {"needed": 700, "funds": 600}
recall(stud, {ante: 100}, {ante: 99900}, 9e6).bets | {"ante": 100}
recall(stud, {}, {ante: 99900}, 9e6).notice.key | "favourite.limits"
recall(stud, {}, {ante: 550}, 9e6).notice.key | "favourite.limits"
recall(stud, {}, {bonus: 500}, 9e6).notice.key | "favourite.limits"
recall(stud, {}, {ante: 500, other: 500}, 9e6).notice.key | "favourite.limits"
recall(ultimate, {}, {ante: 500, blind: 500}, 9e6).bets | {"ante": 500, "blind": 500}
recall(ultimate, {}, {ante: 500, blind: 400}, 9e6).notice.key | "favourite.limits"
recall(ultimate, {}, {ante: 500}, 9e6).notice.key | "favourite.limits"
chips(stud) | [100, 500, 2500, 10000]
chips(stud, [500, 10000]) | [500, 10000]
chips(stud, [777]) | [100, 500, 2500, 10000]
"""
PURE = """async () => {
  const base = document.querySelector('script[type=module][src]').src.replace(/js[/]app[.]js$/, '');
  const {whyNot, withOne, without, recall} = await import(`${base}js/favourites.js`);
  const {same, chips} = await import(`${base}js/bets.js`);
  const spots = async (game) => (await (await fetch(`/api/v1/games/${game}`)).json()).spots;
  const [stud, ultimate] = await Promise.all([spots('casino-stud'), spots('ultimate')]);
  return [BODY];
}"""


def test_favourites_and_chips_are_checked_like_bets(house: Served, visit: Visiting) -> None:
    cases = [line.split(" | ") for line in CASES.strip().splitlines()]
    page = visit(house.url).page
    found = page.evaluate(PURE.replace("BODY", ",\n".join(asked for asked, _ in cases)))
    wrong = [
        f"{asked}: {was}, not {wanted}"
        for (asked, wanted), was in zip(cases, found, strict=True)
        if was != json.loads(wanted)
    ]
    assert wrong == []


# Rebet and deal ----------------------------------------------------------------------------------


def test_rebet_and_deal_deals_once_however_often_it_is_pressed(sit: Sit) -> None:
    seat = sit(NATURAL, "blackjack")
    asked: list[str] = []
    seat.page.on("request", lambda request: asked.append(request.url))
    seat.bet({"hand-1": 10_00})
    seat.deal("settled")
    seat.page.clock.install()
    seat.page.clock.pause_at(seat.page.evaluate("Date.now()") / 1000 + 5)
    assert deals(asked) == 1
    for _ in range(PRESSES):
        seat.page.keyboard.press("a")
        if deals(asked) > 1:
            seat.page.wait_for_selector("main[data-phase=settled]")
        seat.page.clock.run_for(EVERY_MS)
    assert deals(asked) == 2
    seat.page.clock.run_for(GUARD_MS)
    with seat.page.expect_request("**/api/v1/rounds"):
        seat.page.keyboard.press("a")


@long
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("game", GAMES)
def test_presses_where_rebet_and_deal_was_decide_nothing(
    known_tables: Served, visit: Visiting, game: str, width: int
) -> None:
    player = Hand(visit(known_tables.url, width=width), game, known_tables.url)
    player.play_round()
    before = deals(player.made.requests)
    again = player.centre(".acts .again")
    player.go(again)
    for number in range(PRESSES + 1):
        player.press(again)
        if number == 0:
            player.page.wait_for_selector("main:not([data-phase=settled])")
            player.page.wait_for_selector("main:not([data-phase=bet])")
        player.pass_time(EVERY_MS)
    player.nothing_decided()
    assert deals(player.made.requests) == before + 1


@long
def test_rebet_and_deal_without_the_money_for_it_says_so_and_deals_nothing(sit: Sit) -> None:
    sheet = with_changes(
        load(STUD), {"spots.ante.max_cents": 400_00, "spots.bonus.max_cents": 400_00}
    )
    # The house wins 400 and 800: 200 less than the last bet is left of a guest's 1,000? None is.
    seat = sit("Ah Kd 9c 5s 3d Ac As 9h 5d 3c", STUD, "en", sheet=sheet)
    seat.lay({"ante": 300_00, "bonus": 300_00})
    seat.deal()
    seat.take("fold", "settled")
    left = seat.wallet()["balance_cents"]
    assert left < 600_00
    asked: list[str] = []
    seat.page.on("request", lambda request: asked.append(request.url))
    seat.press(".acts .again")
    seat.wait("bet")
    assert seat.message() == seat.say("bet.no-funds", needed=600_00, funds=left)
    assert seat.chips() == {}
    assert deals(asked) == 0


# Undo --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", first_of(GAMES, "ultimate"))
def test_undo_goes_back_chip_by_chip_to_the_empty_table(sit: Sit, game: str) -> None:
    seat = sit(ROUNDS[game].deck, game)
    states: list[Any] = [seat.chips()]
    spot = f".spot.{next(iter(ROUNDS[game].stakes))}"
    for key in ("1", "2", "3"):
        seat.page.keyboard.press(key)
        seat.press(spot)
        states.append(seat.chips())
    seat.page.keyboard.press("b")
    states.append(seat.chips())
    seat.page.keyboard.press("x")
    states.append(seat.chips())
    assert states[0] == states[-1] == {} != states[-2]
    assert len({json.dumps(state) for state in states[:-1]}) == len(states) - 1
    for before in reversed(states[:-1]):
        seat.page.keyboard.press("z")
        assert seat.chips() == before
    assert seat.page.locator("[aria-keyshortcuts=Z]").is_disabled()


# Favourite bets ----------------------------------------------------------------------------------


@long
@pytest.mark.parametrize("width", WIDTHS)
def test_a_favourite_is_saved_recalled_and_forgotten(sit: Sit, width: int) -> None:
    seat = sit(ROUNDS[STUD].deck, STUD, "en", width)
    page = seat.page
    seat.bet({"ante": 10_00, "bonus": 5_00})
    saved = seat.chips()
    seat.press(".chip.other")
    seat.press("dialog.amount > .inside > .act")
    seat.press("dialog.chips .kept > p .act")
    expect(page.locator("dialog.chips .kept li")).to_have_count(1)
    assert page.locator("dialog.chips .kept > p .act").is_disabled()  # it is one already
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    seat.press("[aria-keyshortcuts=X]")
    assert seat.chips() == {}
    seat.press(FAVOURITE)
    assert seat.chips() == saved
    seat.press("[aria-keyshortcuts=Z]")  # a favourite is undone like a chip
    assert seat.chips() == {}
    seat.bet({"ante": 25_00})
    seat.press(".favourite.save")
    page.reload()
    page.wait_for_selector("main[data-phase=bet][data-ready]")
    expect(page.locator(FAVOURITE)).to_have_count(2)
    page.keyboard.press("6")
    assert seat.chips() == saved
    page.keyboard.press("7")
    assert seat.chips() == {"ante": "25"}
    seat.deal()
    assert page.locator(FAVOURITE).count() == 0
    page.keyboard.press("6")  # no key both bets and decides
    assert page.locator("main").get_attribute("data-phase") == "decide"


@long
def test_a_favourite_beyond_balance_or_limits_is_refused_in_a_sentence(sit: Sit) -> None:
    sheet = with_changes(load(STUD), {"spots.ante.max_cents": 2_000_00})
    seat = sit(ROUNDS[STUD].deck, STUD, "fr", sheet=sheet)
    favourites(seat, {"ante": 1_500_00}, {"ante": 5_000_00}, {"ante": 10_00, "bonus": 5_00})
    seat.page.keyboard.press("8")
    placed = seat.chips()
    assert placed == {"ante": "10", "bonus": "5"}
    seat.page.keyboard.press("6")
    assert seat.message() == seat.say("bet.no-funds", needed=1_500_00, funds=1_000_00)
    assert seat.chips() == placed
    seat.page.keyboard.press("7")
    assert seat.message() == seat.say("favourite.limits", cents=5_000_00)
    assert seat.chips() == placed


@long
def test_broken_favourites_do_not_break_the_table(sit: Sit) -> None:
    seat = sit(ROUNDS[STUD].deck, STUD)
    seat.page.evaluate("localStorage.favourites = '{oops'; localStorage.trays = 'null'")
    keep(seat.page, settings={"comforts": "on"})
    seat.bet({"ante": 10_00})
    assert seat.chips() == {"ante": "10"}


# The tray ----------------------------------------------------------------------------------------


@long
def test_the_tray_holds_the_chosen_chips_at_every_table(sit: Sit) -> None:
    seat = sit(ROUNDS[STUD].deck, STUD, "en")
    page = seat.page
    open_panel(page, "chips")
    for cents in (1_00, 25_00):
        page.uncheck(f"[name=tray][value='{cents}']")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert seat.texts(".chips .chip") == ["5", "100"]
    page.keyboard.press("2")
    seat.press(".spot.ante")
    assert seat.chips() == {"ante": "100"}
    page.goto(page.url.replace(STUD, "pai-gow"))
    page.wait_for_selector("main[data-phase=bet][data-ready]")
    expect(page.locator(".chips .chip")).to_have_text(["5", "100"])
