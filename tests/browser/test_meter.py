"""The jackpot in the browser: meter, age, win announcement; none for play money."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.asking import LOOK
from browser.conftest import Visiting
from browser.seats import Seat
from browser.served import serving
from browser.tables import Language, axe, plain, sign_in
from houses import make_house
from rounds.house_with_operator import Funded, act, keeper_of
from rounds.house_with_operator import Time as Times
from rounds.house_with_pot import CENT, GAME, HANDS, PART, START, dealt, meter, potted
from tapisvert.rounds import PlayerService
from tapisvert.rounds.player_service import system_clock
from tapisvert.words import catalogue
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py


class Casino:
    """A house with a pot, and a browser in it."""

    def __init__(self, house: PlayerService, url: str, visit: Visiting) -> None:
        self.house, self.url, self._visit = house, url, visit

    def come(
        self,
        language: Language = "en",
        width: int = 1280,
        currency: str = "CAD",
        cents: int = 1_000_000,
    ) -> Page:
        """Sign in as a real-money player through the settings of the page."""
        player = Funded(self.house, cents, currency)
        made = self._visit(self.url, language=language, width=width)
        made.may_fail("/jackpots/stream")  # a page that is left breaks it off
        page = made.page
        page.wait_for_selector(".door")
        sign_in(page, str(player.token))
        page.wait_for_selector(".door .meter")
        return page


@pytest.fixture
def casino(tmp_path: Path, visit: Visiting, houses: ExitStack) -> Casino:
    house = potted(tmp_path / "tapis.db")
    house.clock = system_clock
    keeper_of(house, Times()).fold()
    return Casino(house, houses.enter_context(serving(house)), visit)


def reload_until_told(page: Page) -> None:
    """Load the page again, and wait until the stream has told of the pots: news come after it."""
    told: list[object] = []
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.eventSourceMessageReceived", lambda event: told.append(event))
    page.reload()
    while not told:
        page.wait_for_timeout(20)


def shown(page: Page) -> str:
    return plain(page.locator(".meter b").inner_text())


@pytest.mark.parametrize(("language", "width"), [("fr", 1280), ("en", 360)])
def test_a_player_sees_the_pot_and_its_age_in_lobby_and_table(
    casino: Casino, language: Language, width: int
) -> None:
    page, words = casino.come(language, width), catalogue(language)
    assert shown(page) == plain(words.money(2_000_000))
    assert axe(page) == []
    page.goto(f"{casino.url}/table/{GAME}")
    page.wait_for_selector(".felt .meter")
    assert shown(page) == plain(words.money(2_000_000))
    told = plain(page.locator(".felt .meter").inner_text())
    if width > 600:  # a phone has no room for the time
        at = plain(words.write("meter.as-of", {"at": ""}))
        assert at in told
    assert axe(page) == []
    assert page.evaluate(LOOK, True) == []


def test_what_others_stake_makes_it_grow_on_every_screen(casino: Casino) -> None:
    page = casino.come()
    other = Funded(casino.house, 1_000_000)
    dealt(other, "nothing")
    keeper_of(casino.house, Times()).fold()
    expect(page.locator(".meter b")).to_contain_text(".20")
    assert shown(page) == plain(catalogue("en").money(meter(casino.house).amount_cents))


@pytest.mark.parametrize("where", ["/", f"/table/{GAME}", "/history"])
def test_that_it_was_won_is_said_on_every_open_screen(casino: Casino, where: str) -> None:
    page = casino.come()
    page.goto(casino.url + where)
    page.wait_for_selector("main.page, main[data-ready]")
    reload_until_told(page)
    other = Funded(casino.house, 1_000_000)
    reply = dealt(other, "royal-flush")
    (line,) = [line for line in reply.round.lines if line.bet == "royal"]
    page.wait_for_selector(".banner.won")
    words = catalogue("en")
    now = meter(casino.house).amount_cents
    told = {"amount": words.money(line.returned_cents), "pot": words.money(now)}
    assert plain(page.locator(".banner.won span").inner_text()) == plain(
        words.write("meter.won", told)
    )
    page.locator(".banner.won button").click()
    page.wait_for_selector(".banner.won", state="detached")


@pytest.mark.parametrize(("language", "width"), [("fr", 1280), ("en", 360)])
def test_the_winner_is_told_the_amount_at_the_moment_of_the_win(
    tmp_path: Path, visit: Visiting, language: Language, width: int
) -> None:
    house = make_house(tmp_path / "tapis.db", HANDS["royal-flush"], clock=system_clock)
    act(house, lambda operator: operator.open_jackpot(GAME, "CAD"))
    keeper_of(house, Times()).fold()
    with serving(house) as url:
        page = Casino(house, url, visit).come(language, width)
        page.goto(f"{url}/table/{GAME}")
        page.wait_for_selector(".felt .meter")  # the stream is open: it will tell of the win
        seat = Seat(page, GAME, language)
        seat.bet({"hand-1": 5_00, "hand-2": 5_00, "royal": 1_00})
        seat.deal()
        won_cents = (START + PART) // CENT
        told = seat.say("event.claimed", cents=won_cents)
        assert seat.money(won_cents) in told
        assert seat.text(".message strong") == told
        expect(page.locator("#polite")).to_contain_text(seat.money(won_cents))
        page.wait_for_selector(".banner.won")  # the news do not take the words from the table
        expect(page.locator("#polite")).to_contain_text(
            catalogue(language).write("event.claimed", {"cents": won_cents}, GAME)
        )
        assert page.evaluate(LOOK, True) == []


def test_a_figure_that_has_grown_old_says_so(casino: Casino) -> None:
    page = casino.come()
    page.evaluate(
        "() => { const real = performance.now.bind(performance);"
        " performance.now = () => real() + 31_000; }"
    )
    page.wait_for_selector(".meter.stale")
    assert "last updated at" in page.locator(".meter").inner_text()


def test_a_pot_that_is_closed_says_so(casino: Casino) -> None:
    page = casino.come()
    act(
        casino.house,
        lambda operator: operator.stop(f"jackpot:{GAME}", "a figure is checked"),
    )
    page.wait_for_selector(".meter.closed")


def test_play_money_sees_a_demonstration_and_never_the_pot(casino: Casino, visit: Visiting) -> None:
    made = visit(casino.url, language="en")
    page = made.page
    page.goto(f"{casino.url}/table/{GAME}")
    page.wait_for_selector(".felt .meter")
    dealt(Funded(casino.house, 1_000_000), "royal-flush")
    assert "Demonstration" in page.locator(".meter").inner_text()
    assert not [asked for asked in made.requests if "jackpots" in asked]


def test_a_player_without_real_money_is_sent_to_the_cashier_and_offered_no_play_money(
    casino: Casino,
) -> None:
    page = casino.come("en", cents=50)
    page.goto(f"{casino.url}/table/{GAME}")
    seat = Seat(page, GAME, "en")
    assert seat.text(".message") == seat.say("money.none-left")
    assert page.locator(".acts button, .chip").count() == 0


def test_amounts_are_in_the_player_s_currency(casino: Casino) -> None:
    act(casino.house, lambda operator: operator.set_rate(GAME, "EUR", "1.5"))
    page: Any = casino.come("fr", currency="EUR")
    assert plain(page.locator(".figures dd").first.inner_text()) == "10 000,00 €"


@pytest.mark.parametrize(
    ("language", "pot", "rate", "after"),
    [
        ("fr", "13 605,44 €", "1 EUR = 1,4700 CAD", "13 605,44 €"),
        ("en", "€13,605.44", "1 EUR = 1.4700 CAD", "€13,605.44"),
    ],
)
def test_a_player_of_another_currency_sees_the_pot_converted_and_at_what_rate(
    casino: Casino, language: Language, pot: str, rate: str, after: str
) -> None:
    act(casino.house, lambda operator: operator.set_rate(GAME, "EUR", "1.4700"))
    page = casino.come(language, currency="EUR")
    for where in ("/", f"/table/{GAME}"):
        page.goto(casino.url + where)
        page.wait_for_selector(".meter .rate")
        assert shown(page) == pot
        assert plain(page.locator(".meter .rate").inner_text()) == rate
        assert axe(page) == []
    dealt(Funded(casino.house, 1_000_000), "royal-flush")
    page.wait_for_selector(".banner.won")
    # 20,000.20 dollars were won; the next pot starts with 20,000.00.
    won = {"amount": pot.replace("05,44", "05,57").replace("05.44", "05.57"), "pot": after}
    words = catalogue(language)
    assert plain(page.locator(".banner.won span").inner_text()) == plain(
        words.write("meter.won", won)
    )


def test_a_pot_without_a_rate_for_the_player_says_so(casino: Casino) -> None:
    page = casino.come("en", currency="JPY")
    assert shown(page) == "$20,000.00"
    assert plain(page.locator(".meter .rate").inner_text()) == "in CAD; no rate for JPY"
    page.goto(f"{casino.url}/help/{GAME}")
    told = page.locator(".help .inside")
    expect(told).to_contain_text("no rate for JPY: Royal Poker is not offered to you")


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_help_tells_the_conversion_and_why_no_return_is_counted(
    casino: Casino, language: Language
) -> None:
    act(casino.house, lambda operator: operator.set_rate(GAME, "EUR", "1.4700"))
    page, words = casino.come(language, currency="EUR"), catalogue(language)
    page.goto(f"{casino.url}/help/{GAME}")
    told = page.locator(".help .inside")
    rate = "1,4700" if language == "fr" else "1.4700"
    args = {"currency": "EUR", "pot": "CAD", "rate": rate}
    for key in ("conversion.rate", "conversion.return"):
        expect(told).to_contain_text(words.write(key, args))
    assert axe(page) == []
    page.goto(f"{casino.url}/help/casino-stud")
    page.wait_for_selector(".help .inside .notices")
    assert words.write("conversion.title") not in told.inner_text()


def test_in_the_pot_s_own_currency_nothing_is_converted(casino: Casino) -> None:
    act(casino.house, lambda operator: operator.set_rate(GAME, "EUR", "1.4700"))
    page = casino.come("en")
    assert (shown(page), page.locator(".meter .rate").count()) == ("$20,000.00", 0)
    page.goto(f"{casino.url}/help/{GAME}")
    page.wait_for_selector(".help .inside .notices")
    title = catalogue("en").write("conversion.title")
    assert title not in page.locator(".help .inside").inner_text()


def test_a_wrong_token_is_refused_where_it_was_typed(casino: Casino, visit: Visiting) -> None:
    made = visit(casino.url, language="en")
    made.may_fail("/sessions")
    page = made.page
    page.wait_for_selector(".door")
    sign_in(page, "nobody's")
    expect(page.locator("input[name=token]:invalid")).to_have_count(1)
    said = page.locator("input[name=token]").evaluate("(field) => field.validationMessage")
    assert said == "Code not recognized."
