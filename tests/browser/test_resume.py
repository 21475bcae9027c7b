"""No round is lost by a reload, a closed page, two tabs, a lost session or an empty wallet."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Visiting
from browser.cutting import GAME, Books, shown, truth, until
from browser.served import Served
from browser.tables import DOOR, TABLE, Player, Visit, plain
from browser.turns import first_of
from houses import HOUSE_WINS, PLAYER_WINS
from tapisvert.sheets import load, with_changes
from tapisvert.words import catalogue
from tiers import long

WORDS, ENGLISH = catalogue("fr"), catalogue("en")
BETS = {"ante": 500, "bonus": 500}
DEAR = with_changes(load(GAME), {"spots.ante.max_cents": 10_000_000})
PHASES, SESSION = ("bet", "decide", "settled"), "tapis_session"


class Guest(Player):
    """A guest at the table, and the house's records of the guest."""

    def __init__(self, made: Visit) -> None:
        super().__init__(made.page)
        self.made, self.house = made, made.url.removesuffix(TABLE)
        self.books = Books(made.page, self.house)

    def reach(self, phase: str) -> None:
        """Play up to a phase, with chips on the table."""
        self.bet(BETS)
        if phase != "bet":
            self.deal()
        if phase == "settled":
            self.choose(0)
        self.wait(phase)

    def check(self, phase: str, page: Page | None = None) -> None:
        """Compare the page, or that of another tab, with the house."""
        page = page or self.page
        page.wait_for_selector(f"main[data-phase={phase}][data-ready]")
        assert shown(page) == truth(self.books, WORDS, BETS if phase == "bet" else None)

    def second_tab(self, phase: str) -> Page:
        """Open the table in another tab."""
        page = self.page.context.new_page()
        page.goto(self.page.url)
        page.wait_for_selector(f"main[data-phase={phase}][data-ready]")
        return page

    def choose_elsewhere(self, option: str) -> None:
        """Answer the open question as the same player, outside this page."""
        [waiting] = self.books.get("/rounds?status=open")["rounds"]
        path = f"{self.house}/api/v1/rounds/{waiting['id']}/choices"
        headers, data = {"Idempotency-Key": "elsewhere"}, {"step": 0, "choice": option}
        assert self.page.context.request.post(path, data=data, headers=headers).ok

    def staked(self) -> list[tuple[str, int]]:
        """Return the stakes in the house's records, oldest first."""
        found = self.books.all("/wallet/transfers", "transfers")
        taken = [each for each in reversed(found) if each["reason"] == "stake"]
        return [(each["bet"], -each["cents"]) for each in taken]


@pytest.fixture
def guest(house: Served, visit: Visiting) -> Guest:
    return Guest(visit(house.table(PLAYER_WINS)))


def told(page: Page) -> str:
    """Return the text in the middle of the table."""
    return plain(page.locator(".message").inner_text())


def words(key: str, **args: Any) -> str:
    return plain(WORDS.write(key, args, GAME))


@pytest.mark.parametrize("phase", first_of(PHASES, "decide"))
def test_a_reload_gives_the_same_table_in_every_phase(guest: Guest, phase: str) -> None:
    guest.reach(phase)
    before = shown(guest.page)
    guest.page.reload()
    guest.check(phase)
    assert shown(guest.page) == before
    assert len(guest.books.all("/rounds", "rounds")) == (phase != "bet")
    if phase == "decide":
        assert words("resume.open") in told(guest.page)
        expect(guest.page.locator("#polite")).to_contain_text(WORDS.write("resume.open"))


@long
def test_a_round_left_for_the_lobby_waits_there_with_its_time_and_its_money(guest: Guest) -> None:
    guest.reach("decide")
    guest.page.click(".brand")
    for _ in ("as the page goes on", "as a new page"):
        door = guest.page.locator(DOOR)
        expect(door.locator(".badge")).to_have_text(words("lobby.resume", left="29 jours"))
        expect(door.locator(".act")).to_have_text(words("lobby.go-on"))
        expect(guest.page.locator(".figures")).to_contain_text(f"{words('lobby.held')}10,00 $")
        expect(guest.page.locator(".figures")).to_contain_text(f"{words('hud.balance')}990,00 $")
        guest.page.reload()
    guest.page.click(DOOR)
    guest.check("decide")
    assert words("resume.open") in told(guest.page)


@long
@pytest.mark.parametrize("fresh", [True, False], ids=["new page", "same page"])
def test_a_round_that_ended_unseen_is_told_in_the_lobby_and_shown_at_the_table_once(
    guest: Guest, fresh: bool
) -> None:
    guest.reach("decide")
    guest.page.click(".brand")
    guest.page.locator(".badge").wait_for()
    guest.choose_elsewhere("play")
    guest.page.click(".foot a[href='/history']")
    guest.page.click(".brand")
    if fresh:
        guest.page.reload()
    expect(guest.page.locator(".badge")).to_have_text(words("lobby.ended"))
    balance = plain(WORDS.money(guest.wallet()["balance_cents"]))
    expect(guest.page.locator(".figures")).to_contain_text(f"{words('hud.balance')}{balance}")
    expect(guest.page.locator(".figures")).not_to_contain_text(words("lobby.held"))
    guest.page.click(DOOR)
    guest.check("settled")
    assert words("resume.ended") in told(guest.page)
    until(lambda: not guest.books.get("/rounds?status=unseen")["rounds"], "not marked as seen")
    guest.page.click(".brand")
    guest.page.locator(DOOR).wait_for()
    expect(guest.page.locator(".badge")).to_have_count(0)


@long
def test_back_and_forward_lead_through_the_views_and_keep_the_round(guest: Guest) -> None:
    guest.page.goto(guest.house)
    guest.page.click(DOOR)
    guest.bet(BETS)
    guest.page.go_back()
    guest.page.locator(DOOR).wait_for()
    guest.page.go_forward()
    guest.check("bet")
    guest.deal()
    guest.page.go_back()
    guest.page.locator(".badge").wait_for()
    guest.page.go_forward()
    guest.check("decide")


@long
@pytest.mark.parametrize("phase", PHASES)
def test_another_language_in_the_middle_of_a_round_changes_the_words_and_nothing_else(
    guest: Guest, phase: str
) -> None:
    guest.reach(phase)
    free = guest.page.locator(".acts button:enabled").count()
    guest.page.click("header button[lang=en]")
    expect(guest.page.locator("html")).to_have_attribute("lang", "en")
    guest.page.wait_for_load_state("networkidle")
    assert shown(guest.page) == truth(guest.books, ENGLISH, BETS if phase == "bet" else None)
    assert guest.page.locator(".acts button:enabled").count() == free


@long
def test_another_language_leaves_no_word_of_the_first(guest: Guest) -> None:
    clock = re.compile(r"\d\d:\d\d:\d\d")
    guest.reach("decide")
    guest.page.reload()  # the table says that the round goes on
    guest.wait("decide")
    guest.page.click("header button[lang=en]")
    expect(guest.page.locator("html")).to_have_attribute("lang", "en")
    guest.page.wait_for_load_state("networkidle")
    switched = clock.sub("", guest.page.locator("#app").inner_text())
    guest.page.reload()  # the same page, made in the other language from the start
    guest.wait("decide")
    assert switched == clock.sub("", guest.page.locator("#app").inner_text())


def test_of_two_tabs_that_decide_one_does_and_the_other_tells_the_truth(guest: Guest) -> None:
    guest.made.may_fail("/choices")
    guest.reach("decide")
    other = guest.second_tab("decide")
    guest.choose(0)
    other.locator(".acts .option").last.click()
    guest.check("settled", other)
    assert words("error.round/stale_step") in told(other)
    expect(other.locator("#assertive")).to_have_text(WORDS.write("error.round/stale_step"))
    assert guest.staked() == [("ante", 500), ("bonus", 500), ("play", 1000)]


@long
def test_a_tab_that_is_looked_at_again_shows_what_the_other_did(guest: Guest) -> None:
    guest.reach("decide")
    other = guest.second_tab("decide")
    guest.choose(0)
    other.evaluate("document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))")
    guest.check("settled", other)


@long
def test_of_two_tabs_that_deal_from_one_seat_one_deals_and_both_show_it(guest: Guest) -> None:
    guest.made.may_fail("/rounds")
    tabs = (guest.page, guest.second_tab("bet"))
    for page in tabs:
        Player(page).bet(BETS)
        page.locator(".acts .primary:enabled").wait_for()
    for page in tabs:  # at once: neither waits for the other
        page.evaluate("document.querySelector('.acts .primary').click()")
    for page in tabs:
        guest.check("decide", page)
    assert sorted(words("error.round/already_open") in told(page) for page in tabs) == [False, True]
    assert guest.staked() == [("ante", 500), ("bonus", 500)]


@long
def test_a_tab_whose_seat_was_played_elsewhere_keeps_its_chips_and_goes_on(guest: Guest) -> None:
    guest.made.may_fail("/rounds")
    other = Player(guest.second_tab("bet"))
    other.bet(BETS)
    guest.reach("settled")
    other.deal(then="bet")
    expect(other.page.locator(".message")).to_contain_text(WORDS.write("error.seat/unknown"))
    wanted = truth(guest.books, WORDS, BETS) | {"message": words("error.seat/unknown")}
    assert shown(other.page) == wanted
    other.deal()
    guest.check("decide", other.page)
    assert len(guest.books.all("/rounds", "rounds")) == 2


@pytest.mark.parametrize("then", first_of([*PHASES, "lobby", "history"], "decide"))
def test_a_player_whose_session_is_gone_is_a_fresh_guest(guest: Guest, then: str) -> None:
    guest.made.may_fail("/api/v1/")
    guest.reach("decide" if then in ("lobby", "history") else then)
    guest.page.context.clear_cookies(name=SESSION)
    if then == "settled":
        guest.page.click('.acts [aria-keyshortcuts="R"]')
    if then == "lobby":
        guest.page.click(".brand")
    elif then == "history":
        guest.page.keyboard.press("L")
    else:
        guest.page.locator(".acts button:enabled").last.click()
    until(lambda: SESSION in str(guest.page.context.cookies()), "nobody came in")
    if then in ("lobby", "history"):
        guest.page.goto(guest.house + TABLE)
    guest.wait("bet")
    assert guest.wallet() == {"currency": "FUN", "balance_cents": 100_000, "held_cents": 0}
    chips = BETS if then in ("bet", "settled") else {}
    assert shown(guest.page) == truth(guest.books, WORDS, chips)


@long
def test_a_player_who_cannot_go_on_gets_more_play_money_also_in_the_middle_of_a_round(
    house: Served, visit: Visiting
) -> None:
    guest = Guest(visit(house.table(HOUSE_WINS, sheet=DEAR)))
    more = guest.page.get_by_role("button", name=WORDS.write("act.more-money"))
    guest.bet({"ante": 100_000})
    guest.deal()
    for balance in (0, 100_000):  # the play bet takes 2,000.00
        guest.check("decide")
        assert guest.wallet()["balance_cents"] == balance
        assert shown(guest.page)["options"][0][1:] == [words("option.dear", cents=200_000), True]
        more.click()
        given = words("money.more-given", cents=balance + 100_000)
        expect(guest.page.locator(".message")).to_contain_text(given)
    guest.check("decide")
    expect(more).to_have_count(0)
    guest.choose(0)
    guest.check("settled")
    guest.page.click('.acts [aria-keyshortcuts="X"]')
    assert guest.wallet()["balance_cents"] == 0
    more.click()
    expect(guest.page.locator(".balance dd")).to_have_text(WORDS.money(100_000))
    expect(more).to_have_count(0)
    guest.bet(BETS)
    guest.deal()
    guest.check("decide")


@long
@pytest.mark.parametrize(
    ("path", "said"),
    [("/table/nothing", "page.no-table"), ("/r/xyz", "error.round/unknown"),
     ("/fair/xyz", "error.round/unknown")],
)  # fmt: skip
def test_an_address_that_leads_nowhere_says_so_and_shows_the_way(
    house: Served, visit: Visiting, path: str, said: str
) -> None:
    made = visit(house.url + path)
    made.may_fail("/api/v1/")
    expect(made.page.locator("main")).to_contain_text(words(said, round_id="xyz"))
    made.page.click("main a[href='/']")
    made.page.locator(DOOR).wait_for()
