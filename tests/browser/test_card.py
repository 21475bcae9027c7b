"""The strategy card at the table and on paper, and why the coach advises so."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.coaching import FIRST, KINGS
from browser.conftest import Sit
from browser.served import Served
from browser.tables import Language, axe, plain
from browser.turns import first_of
from tapisvert.coach.advice import advise
from tapisvert.lab import chart_store
from tapisvert.sheets import load, with_changes
from tapisvert.strategies import card_store
from tapisvert.words import catalogue
from tiers import long


def kept_beside(page: Page) -> None:
    """Open the card by its key and keep it beside the table."""
    page.keyboard.press("v")
    page.wait_for_selector("dialog .rule-card li")
    page.locator("dialog .rule-card button.act").click()
    page.wait_for_selector(".side .rule-card li")


def test_the_card_beside_the_table_lights_up_the_rule_and_the_coach_says_why(coached: Any) -> None:
    player, _ = coached("always")
    kept_beside(player.page)
    assert axe(player.page) == []
    player.deal()
    lit = player.page.locator(".side .rule-card li[aria-current=true]")
    expect(lit).to_contain_text("A-K-Q or better")
    lost = round(500 * (advise(KINGS).options["play"] - advise(KINGS).options["fold"]))
    told = f"A-K-Q or better: play; “fold” costs {catalogue('en').money(lost)} on average."
    expect(player.page.locator(".side .coach .why").first).to_have_text(told)
    player.choose(1)  # folds kings
    expect(player.page.locator(".side .coach .why").last).to_contain_text("You chose “fold”")
    expect(lit).to_have_count(0)


# Nothing but a king in the hand: by its number of unknown cards that win the card raises, and a
# fold is better.
WRONG = "3c Kh  9s 2s  6c 8h Td 5d Jh"
PLACES = """() => {
  const [side, list, lit] = ['.side', '.side .list', '.side .now'].map((each) =>
    document.querySelector(each));
  const at = (each) => each.getBoundingClientRect();
  return [side.scrollTop, at(lit).top >= at(list).top, at(lit).top < at(side).bottom - 40];
}"""


def test_a_lit_rule_says_that_another_choice_is_better_and_the_coach_stays_in_sight(
    coached: Any, known_tables: Served
) -> None:
    known_tables.known["ultimate"] = WRONG
    player, _ = coached("always", "ultimate")
    kept_beside(player.page)
    player.deal()
    lit = player.page.locator(".side .rule-card li.now")
    for _ in range(2):
        expect(lit).to_have_count(1)
        with player.page.expect_response("**/advice"):
            player.page.locator(".acts .option").first.click()  # checks
        player.wait("decide")
    why = player.page.locator(".side .coach .why").first
    expect(why).to_contain_text("The strategy card says")
    expect(lit.locator(".against")).to_have_text(why.inner_text())
    assert player.page.evaluate(PLACES) == [0, True, True]


# The first cards, the choices, and the lit cell of the chart at every question: its text and the
# headings of its row and column. A total of ten or eleven in three cards cannot be doubled as its
# cell says; a total of 20 that is no pair has no row.
LIT: list[tuple[str, str, list[str], list[tuple[str, str, str] | None]]] = [
    ("blackjack", "Th 6s  9d 2c  4d", ["hit"], [("H", "hard 16", "9"), None]),
    ("blackjack", "8h 8s  Kd 9c  3c 2d", ["split", "stand"],
     [("P", "a pair of eights", "10"), ("D", "hard 11", "10"), ("H", "hard 10", "10")]),
    ("blackjack", "5h 2s  6d 9c  4c 6s", ["hit", "hit"],
     [("H", "hard 7", "6"), None, ("S", "hard 17", "6")]),
    ("blackjack", "Th 5s  Ad 9c", ["decline"], [None, ("H", "hard 15", "A")]),
    ("ultimate", "Qs Qd  9c 8c  2c 3h 4h 7s 8s", ["check", "check"],
     [("4×", "Q", "Q"), None, None]),
    ("ultimate", "5d Kd  9c 8c  2c 3h 4h 7s 8s", [], [("4×", "K", "5")]),
    ("ultimate", "2d 9s  Kc 8c  2c 3h 4h 7s 8s", [], [("", "2", "9")]),
]  # fmt: skip
CELL = """() => [...document.querySelectorAll('.side .chart td.now')].map((cell) => [
  [...cell.childNodes].map((part) => (part.nodeType === Node.TEXT_NODE ? part.data : '')).join(''),
  cell.parentElement.cells[0].textContent,
  cell.closest('table').rows[0].cells[cell.cellIndex].textContent,
  cell.getAttribute('aria-current')])"""


@pytest.mark.parametrize(("game", "deck", "choices", "cells"), LIT)
def test_the_cell_of_the_chart_that_applies_lights_up(
    sit: Sit, game: str, deck: str, choices: list[str], cells: list[tuple[str, str, str] | None]
) -> None:
    seat = sit(deck, game, "en")
    page = seat.page
    page.evaluate(
        "(game) => localStorage.setItem('settings', JSON.stringify({card: 'on', [game]: 'chart'}))",
        f"card-{game}",
    )
    page.reload()
    page.wait_for_selector(".side .chart td")
    assert page.evaluate(CELL) == []  # no question waits
    seat.press(f".spot.{FIRST[game]}")
    for choice, wanted in zip(["", *choices], cells, strict=True):
        with page.expect_response("**/advice"):
            seat.take(choice) if choice else seat.deal()
        expect(page.locator(".side .chart td.now")).to_have_count(1 if wanted else 0)
        found = [tuple(each) for each in page.evaluate(CELL)]
        assert found == ([(*wanted, "true")] if wanted else [])


@long
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("game", FIRST)
def test_the_page_has_every_length_and_fits(
    visit: Any, house: Served, game: str, language: Language
) -> None:
    for width in (1280, 360):
        page = visit(f"{house.url}/card/{game}", language=language, width=width).page
        card = card_store.find(load(game))
        assert card is not None
        page.wait_for_selector(".rule-card li")
        assert axe(page) == []
        names = page.locator(".lengths input").evaluate_all("all => all.map(one => one.value)")
        assert names == [each.name for each in card.cards] + ["chart"] * card.chart
        for each in card.cards:
            page.locator(f".lengths input[value={each.name}]").check(force=True)
            expect(page.locator(".rule-card li")).to_have_count(len(each.rules))
            shown = plain(page.locator(".rule-card").inner_text())
            assert all(plain(rule.says[language]) in shown for rule in each.rules)
        if card.chart:
            page.locator(".lengths input[value=chart]").check(force=True)
            page.wait_for_selector(".chart td")
            assert axe(page) == []
            assert chart_store.find(load(game)) is not None
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 0


@long
def test_a_table_by_other_figures_shows_no_card(sit: Sit) -> None:
    sheet = with_changes(load("casino-stud"), {"play.pays.flush": "6:1"})
    seat = sit(sheet=sheet, language="en")
    seat.page.keyboard.press("v")
    expect(seat.page.locator("dialog .rule-card")).to_contain_text("No strategy card")
    assert axe(seat.page) == []


@long
def test_on_paper_there_is_the_card_alone(visit: Any, house: Served) -> None:
    page = visit(f"{house.url}/card/casino-stud", language="fr").page
    page.wait_for_selector(".rule-card li")
    page.emulate_media(media="print")
    expect(page.locator(".rule-card li").first).to_be_visible()
    for hidden in (".bar", ".lengths", ".sheet .act"):
        expect(page.locator(hidden).first).to_be_hidden()


# What is wider than the paper, or cut by its own box.
CUT = """() => [...document.querySelectorAll('.sheet, .sheet *')].filter((part) => {
  const style = getComputedStyle(part), box = part.getBoundingClientRect();
  if (style.display === 'none' || !box.width || part.matches('.vh, .vh *')) return false;
  const inside = style.overflowX === 'visible' || part.scrollWidth <= part.clientWidth + 1;
  return box.right > innerWidth + 1 || box.left < -1 || !inside;
}).map((part) => `${part.tagName} ${part.className} ${part.textContent.trim().slice(0, 40)}`)"""
PAPER = {"A4": (186, 297), "Letter": (192, 279)}  # the width within the margins, in mm


def printed(page: Page, paper: str) -> int:
    """Print the page on this paper; return the number of sheets. Nothing may be cut."""
    width, _ = PAPER[paper]
    page.emulate_media(media="print")
    page.set_viewport_size({"width": int(width / 25.4 * 96), "height": 1000})
    assert page.evaluate(CUT) == []
    pdf = page.pdf(format=paper, prefer_css_page_size=False)
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1280, "height": 800})
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize(
    ("game", "language"),
    first_of([(game, language) for game in FIRST for language in ("fr", "en")], ("ultimate", "fr")),
)
def test_every_length_is_printed_whole_on_few_sheets(
    visit: Any, house: Served, game: str, language: Language
) -> None:
    page = visit(f"{house.url}/card/{game}", language=language).page
    page.wait_for_selector(".rule-card li")
    lengths = page.locator(".lengths input")
    for name in lengths.evaluate_all("all => all.map(one => one.value)"):
        page.locator(f".lengths input[value={name}]").check(force=True)
        page.wait_for_selector(".chart td" if name == "chart" else ".rule-card li")
        for paper in PAPER:
            sheets = printed(page, paper)
            assert 1 <= sheets <= 2, name
