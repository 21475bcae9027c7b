"""Every table at every window size: cards, question and buttons visible together, uncovered.

A round is played once; in each state without animation the window gets every size. `make test`
tries some sizes, `make browser-all` all.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Sit, Visiting
from browser.seats import ROUNDS, Seat
from browser.served import Served
from browser.sizing import ACTS, BAR, CHOSEN, IN_VIEW, INSCRIPTION
from browser.tables import GAMES, Language
from browser.turns import ALL, first_of
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py

SIZES = (
    *((320, 256), (320, 568), (360, 640), (360, 740), (390, 664), (412, 915)),  # 320x256: 400 %
    *((568, 320), (640, 360), (667, 375), (740, 360), (844, 390), (932, 430)),  # 640x360: 200 %
    *((768, 1024), (820, 1180), (1024, 600), (1024, 768), (1100, 640), (1280, 720)),
    *((1280, 800), (1366, 560), (1366, 680), (1440, 900), (1920, 1080)),
)
SOME = ((320, 256), (360, 640), (640, 360), (844, 390), (820, 1180), (1366, 680))
PLACES = ((1280, 800), (360, 740), (844, 390))  # where Deal and the decisions are held apart
WIDTHS = range(320, 1101, 10 if ALL else 65)
CONTRAST = 4.5
Size = tuple[int, int]
each_language = pytest.mark.parametrize("language", ["fr", "en"])


def resize(page: Page, size: Size) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def roomy(width: int, height: int) -> bool:
    """Return whether everything must be visible at once: from 640x360 or 360x640 up."""
    return (width >= 640 and height >= 360) or (width >= 360 and height >= 640)


def look(seat: Seat, state: str, sizes: Iterable[Size], found: dict[str, list[str]]) -> None:
    """Record what is not in view in windows of these sizes: the faults, and where they were."""
    for size in sizes:
        resize(seat.page, size)
        faults: list[str] = seat.page.evaluate(IN_VIEW, not roomy(*size))
        if seat.game == "blackjack" and not seat.page.locator(".meter b").is_visible():
            faults.append("the jackpot is out of sight")
        for fault in faults:
            found.setdefault(fault, []).append(f"{state} {size[0]}x{size[1]}")
    resize(seat.page, (1280, 800))


@each_language
@pytest.mark.parametrize("game", first_of(GAMES, "high-card-flush"))
def test_cards_question_and_buttons_are_in_view_together_in_every_window(
    sit: Sit, game: str, language: Language
) -> None:
    found: dict[str, list[str]] = {}
    seat, sizes = sit(ROUNDS[game].deck, game, language), SIZES if ALL else SOME
    expect(seat.page.locator(".ask")).to_be_visible()
    look(seat, "empty", sizes, found)
    for state in seat.play(ROUNDS[game]):
        look(seat, state, sizes, found)
    assert not found, "\n".join(f"{fault} [{'; '.join(at)}]" for fault, at in found.items())


Box = list[float]  # left, top, right, bottom


def decisions_where_deals_lay(seat: Seat, deals: str) -> list[tuple[Size, Box, Box]]:
    """Play a round; return the decisions that lie where a button that deals lay before or after."""
    going_on: dict[Size, list[Box]] = {size: [] for size in PLACES}
    decisions: dict[Size, list[Box]] = {size: [] for size in PLACES}
    for state in seat.play(ROUNDS[seat.game]):
        deciding = state.startswith("decide")
        for size in PLACES:
            resize(seat.page, size)
            found = seat.page.evaluate(ACTS, ".option" if deciding else deals)
            assert found, f"no button in {state} at {size}"
            (decisions if deciding else going_on)[size] += found
        resize(seat.page, (1280, 800))
    return [
        (size, one, other)
        for size in PLACES
        for one in decisions[size]
        for other in going_on[size]
        if max(one[0], other[0]) < min(one[2], other[2])
        and max(one[1], other[1]) < min(one[3], other[3])
    ]


@pytest.mark.parametrize("game", GAMES)
def test_no_decision_lies_where_deal_or_repeat_lay(sit: Sit, game: str) -> None:
    assert decisions_where_deals_lay(sit(ROUNDS[game].deck, game), ".primary") == []


@each_language
def test_the_bar_fits_from_the_smallest_phone_to_the_desk(
    house: Served, visit: Visiting, language: Language
) -> None:
    page = visit(house.url, language=language).page
    page.wait_for_selector(".door")
    found = []
    for table in ("", *GAMES):
        if table:
            page.goto(house.table(game=table))
            page.wait_for_selector("main[data-phase=bet][data-ready]")
        page.evaluate("document.fonts.ready")
        for width in WIDTHS:
            resize(page, (width, 800))
            found += [f"{table or 'lobby'} {width}: {fault}" for fault in page.evaluate(BAR)]
    assert found == []


@each_language
def test_the_inscriptions_are_whole_and_can_be_read(
    house: Served, visit: Visiting, language: Language
) -> None:
    page = visit(house.url, language=language).page
    for game in GAMES:
        page.goto(house.table(game=game))
        page.wait_for_selector(".arc text")
        page.evaluate("document.fonts.ready")
        text, room, contrast = page.evaluate(INSCRIPTION)
        assert text <= room, game
        assert contrast >= CONTRAST, game


@pytest.mark.parametrize(("game", "chosen"), [
    ("pai-gow", ".pickable[aria-pressed=true]"),
    ("high-card-flush", ".zone.player .lifted"),
    ("blackjack", ".zone.active"),
])  # fmt: skip
def test_forced_colours_show_what_is_chosen(sit: Sit, game: str, chosen: str) -> None:
    seat = sit(ROUNDS[game].deck, game)
    seat.page.emulate_media(forced_colors="active")
    seat.bet(ROUNDS[game].stakes)
    seat.deal()
    marked, others = seat.page.evaluate(CHOSEN, chosen)
    assert marked
    assert all(width >= 3 for width in marked)
    assert not any(others)


def test_a_ledger_that_is_cut_says_so_and_is_read_with_the_keyboard(sit: Sit) -> None:
    seat = sit(ROUNDS["blackjack"].deck, "blackjack")
    for _ in seat.play(ROUNDS["blackjack"]):
        pass
    resize(seat.page, (360, 640))
    account = seat.page.locator(".account")
    hidden = "(el) => el.scrollHeight - el.clientHeight - el.scrollTop"
    assert account.evaluate(hidden) > 1
    # What is local moves with the lines: it covers the glow of the edge once the last one is here.
    attached = account.evaluate("(el) => getComputedStyle(el).backgroundAttachment")
    assert attached.split(", ")[:2] == ["local", "scroll"]
    seat.go_to(".account")
    seat.page.keyboard.press("End")
    last = seat.page.locator(".ledger tr").last
    seat.page.wait_for_function(
        "() => { const all = document.querySelector('.account');"
        " return all.scrollHeight - all.clientHeight - all.scrollTop <= 1; }"
    )
    expect(last).to_be_in_viewport(ratio=0.95)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1366, 768)])
@each_language
def test_the_lobby_shows_all_tables_on_a_desk(
    house: Served, visit: Visiting, language: Language, width: int, height: int
) -> None:
    page = visit(house.url, language=language, width=width, height=height).page
    page.wait_for_selector(".door")
    for door in page.locator(".door").all():
        expect(door).to_be_in_viewport(ratio=1)
    assert page.locator(".door").count() == len(GAMES)
