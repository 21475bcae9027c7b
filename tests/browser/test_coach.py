"""The coach in the browser: off, warning or always shown; play continues without it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from browser.asking import TWO_FRAMES, until_advised
from browser.coaching import FIRST, KINGS, Absent
from browser.tables import Language, axe, open_panel, plain
from browser.turns import first_of
from tapisvert.coach.advice import advise
from tapisvert.words import catalogue
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py


def values(page: Page) -> dict[str, str]:
    """Return the coach's table: the value of each option, by its name."""
    page.wait_for_selector(".coach tbody tr", state="attached")
    found: dict[str, str] = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('.side .coach tbody tr')].map("
        "(row) => [row.querySelector('th span').textContent, row.querySelector('b').textContent]))"
    )
    return found


def written(value: float, decimal: str = ".") -> str:
    sign = "−" if value < 0 else "+"
    return sign + f"{abs(value):.4f}".replace(".", decimal)


def test_always_speaking_he_says_what_each_choice_is_worth(coached: Any) -> None:
    player, _ = coached("always")
    player.deal()
    worth = advise(KINGS).options
    found = values(player.page)
    assert found == {"Play": written(worth["play"]), "Fold": written(worth["fold"])}
    best = player.page.locator(".acts .option.best")
    assert plain(best.inner_text()).startswith("Play")
    assert written(worth["play"]) in plain(best.inner_text())
    assert player.page.locator(".coach tr.best em").inner_text() == "best"
    expect(player.page.locator("#polite")).to_contain_text("The coach would choose: Play")


@pytest.mark.parametrize("game", FIRST)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_round_goes_on_after_he_has_spoken(coached: Any, game: str, language: Language) -> None:
    """An answer names options of its own question only; the next question has other options."""
    player, _ = coached("always", game, language)
    player.deal()
    while player.page.locator("main.table").get_attribute("data-phase") == "decide":
        values(player.page)
        player.page.locator(".acts .option:enabled").last.click()
        player.page.wait_for_selector(":is(.decide, .settled)[data-ready]")


def test_what_choices_cost_is_kept_and_added_up(coached: Any) -> None:
    player, _ = coached("always")
    player.deal()
    values(player.page)
    player.choose(1)  # folds kings
    worth = advise(KINGS).options
    lost = worth["play"] - worth["fold"]
    shown = player.page.locator(".side .coach .figures").inner_text()
    assert written(-lost) in plain(shown)
    assert catalogue("en").money(round(500 * lost)) in plain(shown)
    kept = player.page.evaluate("JSON.parse(localStorage.getItem('session')).mistakes")
    assert kept == pytest.approx(500 * lost, abs=1e-6)


def test_warning_he_holds_a_costly_choice_back_until_the_player_is_sure(coached: Any) -> None:
    player, _ = coached("warn")
    page = player.page
    player.deal()
    until_advised(page)
    assert page.locator(".coach table").count() == 0
    page.locator(".acts .option").nth(1).click()
    page.wait_for_selector("dialog.costly")
    told = plain(page.locator("dialog.costly").inner_text())
    worth = advise(KINGS).options
    lost = worth["play"] - worth["fold"]
    assert lost > 1
    price = catalogue("en").money(round(500 * lost))
    assert f"Fold: this choice costs {price} on average ({lost:.1f} times your bet)." in told
    assert "Best choice: Play." in told
    page.locator("dialog.costly .primary").click()  # choose again
    page.wait_for_selector("dialog", state="detached")
    player.wait("decide")
    page.locator(".acts .option").nth(1).click()
    page.wait_for_selector("dialog.costly")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    player.wait("decide")
    page.locator(".acts .option").nth(1).click()
    page.wait_for_selector("dialog.costly")
    page.locator("dialog.costly .acts .act").nth(1).click()  # anyway
    player.wait("settled")


def test_the_best_choice_is_never_held_back_and_the_player_may_ask_for_quiet(coached: Any) -> None:
    player, _ = coached("warn")
    page = player.page
    player.deal()
    until_advised(page)
    page.locator(".acts .option").nth(0).click()
    player.wait("settled")
    page.keyboard.press("r")
    player.wait("bet")
    player.deal()
    until_advised(page)
    page.locator(".acts .option").nth(1).click()
    page.wait_for_selector("dialog.costly")
    page.locator("dialog.costly .pick").click()
    page.locator("dialog.costly .primary").click()
    page.wait_for_selector("dialog", state="detached")
    page.locator(".acts .option").nth(1).click()
    player.wait("settled")


def test_switched_off_he_is_not_asked_and_not_fetched(coached: Any) -> None:
    player, coach = coached("off")
    player.deal()
    player.choose(0)
    assert coach.asked == []
    assert player.page.locator(".coach").count() == 0
    fetched = player.page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    assert not [name for name in fetched if "coach.js" in name]


def test_a_question_may_pass_before_the_house_hears_who_asks_for_its_advice(coached: Any) -> None:
    player, _ = coached("always")
    held: list[Route] = []
    player.page.route("**/advice", lambda route: held.append(route))
    with player.page.expect_request("**/advice"):
        player.deal()
    player.choose(0)
    with player.page.expect_response("**/advice") as told:
        held[0].continue_()
    assert told.value.json()["code"] == "round/ended"
    assert player.page.locator(".coach :is(tbody, .warming)").count() == 0


def test_about_a_question_that_has_passed_he_is_not_asked(coached: Any) -> None:
    player, _ = coached("always")
    held: list[Route] = []
    requests: list[str] = []
    player.page.on("request", lambda request: requests.append(request.url))
    player.page.route("**/coach?game=*", lambda route: held.append(route))
    with player.page.expect_request("**/coach?game=*"):
        player.deal()
    player.choose(0)
    with player.page.expect_response("**/coach?game=*"):
        held[0].continue_()
    player.page.evaluate(TWO_FRAMES)
    assert [url for url in requests if url.endswith("/advice")] == []


def test_without_the_coach_play_goes_on(coached: Any) -> None:
    player, coach = coached("always", coach=Absent())
    player.deal()
    player.page.wait_for_selector(".side .coach .warming")
    assert player.page.locator(".banner").count() == 0
    player.choose(0)
    assert coach.asked == []


@pytest.mark.parametrize("game", first_of(FIRST, "casino-stud"))
@pytest.mark.parametrize(("language", "width"), [("fr", 1280), ("en", 360)])
def test_at_every_table_values_fit_and_axe_is_silent(
    coached: Any, game: str, language: Language, width: int
) -> None:
    player, _ = coached("always", game, language, width)
    page = player.page
    player.deal()
    until_advised(page)
    assert axe(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    open_panel(page, "coach")
    page.wait_for_selector("dialog.coach .coach tbody tr")
    assert axe(page) == []
    width_of = "document.querySelector('dialog').{}Width"
    assert page.evaluate(width_of.format("scroll")) <= page.evaluate(width_of.format("client"))


def test_a_cost_is_told_in_percent_of_the_bet_and_from_the_whole_of_it_on_in_times(
    coached: Any,
) -> None:
    told = {0.0012: "0.12%", 0.005: "0.50%", 0.0512: "5.1%", 0.97: "97.0%"}
    told = {cost: f"{part} of your bet" for cost, part in told.items()}
    told |= {1.0: "1.0 times your bet", 1.6565: "1.7 times your bet"}
    player, _ = coached("always")
    found = player.page.evaluate(
        """async (costs) => {
          const app = document.querySelector('script[type=module][src]').src;
          const { ofStake } = await import(app.replace(/app[.]js$/, 'views/values.js'));
          return costs.map((cost) => ofStake(cost));
        }""",
        list(told),
    )
    assert found == list(told.values())
