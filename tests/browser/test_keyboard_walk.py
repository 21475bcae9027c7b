"""Pages of learning with the keyboard alone: Tab, Enter, Space, arrows and digits."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.addresses import expect_address
from browser.conftest import Visiting
from browser.playing import fold_kings
from browser.served import Served
from coach.present import Present
from tapisvert.words import catalogue
from tiers import long

STUD = "casino-stud"
ON = "(target) => document.activeElement?.matches(target) ?? false"
# The ring around what has the focus: an outline, or the shadow of a control that is hidden.
RING = """() => {
  const at = document.activeElement, seen = [at, at.nextElementSibling].filter(Boolean);
  return seen.some((el) => { const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(el);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none'; });
}"""
TABS_MAX = 60


def tab_to(page: Page, target: str) -> None:
    """Press Tab until an element has the focus; it must be seen there."""
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        if page.evaluate(ON, target):
            assert page.evaluate(RING), f"no ring around {target}"
            return
    raise AssertionError(f"Tab does not reach {target}")


@pytest.fixture
def walker(known_tables: Served, visit: Visiting) -> Any:
    """Return a page of a guest who has folded a pair of kings, and the URL of the house."""
    known_tables.coach = Present()
    made = visit(known_tables.url, language="en")
    fold_kings(made)
    return made.page, known_tables.url


def test_the_session_leads_to_the_question_and_a_digit_answers_it(walker: Any) -> None:
    page, url = walker
    page.goto(f"{url}/session")
    page.wait_for_selector(".session[data-ready]")
    tab_to(page, "a[href^='/again/']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".again[data-ready=asked]")
    page.keyboard.press("1")
    page.wait_for_selector(".again[data-ready=answered]")
    expect(page.locator(".message")).to_contain_text("“Play”: the best choice.")
    page.keyboard.press(" ")
    page.wait_for_selector(".again[data-ready=asked]")
    tab_to(page, ".acts .option:nth-child(2)")
    page.keyboard.press("Enter")
    page.wait_for_selector(".again[data-ready=answered]")
    expect(page.locator(".message")).to_contain_text("Best choice: “Play”.")
    tab_to(page, "a[href='/session']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".session[data-ready]")
    tab_to(page, "summary")
    page.keyboard.press("Enter")
    expect(page.locator("details p").first).to_be_visible()


@long
def test_rules_are_chosen_and_typed(walker: Any) -> None:
    page, url = walker
    page.goto(f"{url}/rules/{STUD}")
    page.wait_for_selector(".choices")
    tab_to(page, ".choices button")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-phase][data-ready]")
    page.goto(f"{url}/rules/{STUD}")
    page.wait_for_selector(".choices")
    tab_to(page, "textarea")
    page.keyboard.type("[play.pays]\nflush = 7:1")
    tab_to(page, ".own button")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-phase][data-ready]")
    own = catalogue("en").write("shell.own-rules")
    expect(page.locator(".facts .tag")).to_contain_text(own)


@long
def test_the_history_is_filtered(walker: Any) -> None:
    page, url = walker
    page.goto(f"{url}/history")
    page.wait_for_selector("tbody tr")
    tab_to(page, "select[name=game]")
    page.keyboard.type("Black")
    expect(page.locator("main [role=status]")).to_be_visible()
    expect_address(page, "?game=blackjack")
    page.keyboard.press("Home")  # every game
    page.wait_for_selector("tbody tr")
    tab_to(page, "input[name=from]")
    page.keyboard.type("12312031")  # month, day, year
    expect(page.locator("main [role=status]")).to_be_visible()
    expect_address(page, "from=2031-12-31")
    tab_to(page, "form.filter button")
    page.keyboard.press("Enter")
    page.wait_for_selector("tbody tr")
    expect_address(page, "/history")


@long
def test_the_length_of_a_card_is_chosen_by_arrows(walker: Any) -> None:
    page, url = walker
    page.goto(f"{url}/card/{STUD}")
    page.wait_for_selector(".rule-card li")
    tab_to(page, ".lengths input")
    for key, rules in (("ArrowRight", 4), ("ArrowRight", 5), ("ArrowLeft", 4), ("ArrowLeft", 3)):
        page.keyboard.press(key)
        expect(page.locator(".rule-card li")).to_have_count(rules)
        assert page.evaluate(ON, ".lengths input:checked")
