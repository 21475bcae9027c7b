"""Nothing a player does to the page loses a round: reload, leave, two tabs, no session, no money."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Serve, Visiting
from browser.cutting import GAME, Books, shown, truth
from browser.tables import Visit
from houses import HOUSE_WINS, PLAYER_WINS
from tapisvert.sheets import load, with_changes
from tapisvert.words import catalogue

WORDS, ENGLISH = catalogue("fr"), catalogue("en")
BETS = {"ante": 500, "bonus": 500}
DEAR = with_changes(load(GAME), {"spots.ante.max_cents": 10_000_000})
PHASES = ("bet", "decide", "settled")


class Guest:
    """A guest at the table, and the house's own books about them."""

    def __init__(self, made: Visit, house: str) -> None:
        self.made, self.page, self.house = made, made.page, house
        self.books = Books(made.page, house)
        self.stands("bet")

    def stands(self, phase: str, page: Page | None = None) -> None:
        """Wait until a phase is there and the player may act."""
        (page or self.page).locator(f"main.{phase}[data-ready]").wait_for()

    def place(self, page: Page | None = None) -> None:
        """Put a chip of five on ante and bonus."""
        for bet in BETS:
            (page or self.page).click(f".spot.{bet}")

    def reach(self, phase: str) -> None:
        """Play up to a phase, with chips on the table."""
        self.place()
        if phase != "bet":
            self.page.click(".acts .primary")
            self.stands("decide")
        if phase == "settled":
            self.page.click(".acts .option:nth-of-type(1)")
            self.stands("settled")

    def check(self, phase: str, page: Page | None = None) -> None:
        """Hold the page against the house."""
        self.stands(phase, page)
        bets = BETS if phase == "bet" else None
        assert shown(page or self.page) == truth(self.books, WORDS, bets)

    def second_tab(self) -> Page:
        """Open the table in another tab."""
        page = self.page.context.new_page()
        page.goto(self.page.url)
        return page

    def choose(self, option: str) -> None:
        """Answer the open question from elsewhere, as the same player."""
        [waiting] = self.books.get("/rounds?status=open")["rounds"]
        answer = self.page.context.request.post(
            f"{self.house}/api/v1/rounds/{waiting['id']}/choices",
            data={"step": 0, "choice": option},
            headers={"Idempotency-Key": "elsewhere"},
        )
        assert answer.ok

    def staked(self) -> list[Any]:
        """Return what the house took, bet by bet, oldest first."""
        found = self.books.all("/wallet/transfers", "transfers")
        return [(each["bet"], -each["cents"]) for each in reversed(found)
                if each["reason"] == "stake"]  # fmt: skip


@pytest.fixture
def guest(serve: Serve, visit: Visiting) -> Guest:
    house = serve(PLAYER_WINS)
    return Guest(visit(f"{house}/table/{GAME}"), house)


def told(page: Page) -> str:
    """Return what stands below the message of the table."""
    return " ".join(page.locator(".message").inner_text().split())


def words(key: str, **args: Any) -> str:
    return " ".join(WORDS.write(key, args, GAME).split())


# Reload and leave -----------------------------------------------------------------------------


@pytest.mark.parametrize("phase", PHASES)
def test_a_reload_gives_the_same_table_in_every_phase(guest: Guest, phase: str) -> None:
    guest.reach(phase)
    before = shown(guest.page)
    guest.page.reload()
    guest.check(phase)
    assert shown(guest.page) == before
    if phase == "decide":
        assert words("resume.open") in told(guest.page)
        expect(guest.page.locator("#polite")).to_contain_text(WORDS.write("resume.open"))
    assert len(guest.books.all("/rounds", "rounds")) == PHASES.index(phase, 0) // 1 > 0 or (
        phase == "bet"
    )


def test_a_round_left_for_the_lobby_waits_there_with_its_time_and_its_money(guest: Guest) -> None:
    guest.reach("decide")
    guest.page.click(".brand")
    for _ in ("as the page goes on", "as a new page"):
        door = guest.page.locator(".door")
        expect(door.locator(".badge")).to_have_text(words("lobby.resume", left="29 jours"))
        expect(door.locator(".act")).to_have_text(words("lobby.go-on"))
        figures = " ".join(guest.page.locator(".figures").inner_text().split())
        assert f"{words('lobby.held')} 10,00 $" in figures
        assert f"{words('hud.balance')} 990,00 $" in figures
        guest.page.reload()
    guest.page.click(".door")
    guest.check("decide")
    assert words("resume.open") in told(guest.page)


@pytest.mark.parametrize("fresh", [True, False], ids=["new page", "same page"])
def test_a_round_that_ended_unseen_is_told_in_the_lobby_and_shown_at_the_table_once(
    guest: Guest, fresh: bool
) -> None:
    guest.reach("decide")
    guest.page.click(".brand")
    guest.page.locator(".badge").wait_for()
    guest.choose("play")
    guest.page.click("text=" + words("view.history"))
    guest.page.click(".brand")
    if fresh:
        guest.page.reload()
    expect(guest.page.locator(".badge")).to_have_text(words("lobby.ended"))
    figures = guest.page.locator(".figures").first
    expect(figures).not_to_contain_text(words("lobby.held"))
    expect(figures).to_contain_text(WORDS.money(guest.books.get("/wallet")["balance_cents"]))
    guest.page.click(".door")
    guest.check("settled")
    assert words("resume.ended") in told(guest.page)
    guest.page.click(".brand")
    guest.page.locator(".door").wait_for()
    assert guest.books.get("/rounds?status=unseen")["rounds"] == []
    expect(guest.page.locator(".badge")).to_have_count(0)


def test_back_and_forward_lead_through_the_views_and_keep_the_round(guest: Guest) -> None:
    guest.page.goto(guest.house)
    guest.page.click(".door")
    guest.stands("bet")
    guest.place()
    guest.page.go_back()
    guest.page.locator(".door").wait_for()
    guest.page.go_forward()
    guest.check("bet")
    guest.page.click(".acts .primary")
    guest.check("decide")
    guest.page.go_back()
    guest.page.locator(".badge").wait_for()
    guest.page.go_forward()
    guest.check("decide")


@pytest.mark.parametrize("resumed", [False, True], ids=["dealt", "resumed"])
def test_another_language_in_the_middle_of_a_round_changes_the_words_and_nothing_else(
    guest: Guest, resumed: bool
) -> None:
    guest.reach("decide")
    if resumed:
        guest.page.reload()
        guest.stands("decide")
    guest.page.click("header button[lang=en]")
    expect(guest.page.locator("html")).to_have_attribute("lang", "en")
    assert shown(guest.page) == truth(guest.books, ENGLISH)
    clock = re.compile(r"\d\d:\d\d:\d\d")
    switched = clock.sub("", guest.page.locator("#app").inner_text())
    if not resumed:
        guest.page.click(".acts .option:nth-of-type(1)")
        guest.stands("settled")
        assert shown(guest.page) == truth(guest.books, ENGLISH)
        return
    guest.page.reload()  # the whole page by the server, in the new language
    guest.stands("decide")
    assert switched == clock.sub("", guest.page.locator("#app").inner_text())


# Two tabs --------------------------------------------------------------------------------------


def test_of_two_tabs_that_decide_one_does_and_the_other_tells_and_shows_the_truth(
    guest: Guest,
) -> None:
    guest.made.may_fail("/choices")
    guest.reach("decide")
    other = guest.second_tab()
    guest.check("decide", other)
    guest.page.click(".acts .option:nth-of-type(1)")
    guest.check("settled")
    other.click(".acts .option:nth-of-type(2)")
    guest.check("settled", other)
    assert words("error.round/ended") in told(other)
    expect(other.locator("#assertive")).to_have_text(WORDS.write("error.round/ended"))
    assert guest.staked() == [("ante", 500), ("bonus", 500), ("play", 1000)]


def test_a_tab_that_is_looked_at_again_shows_what_the_other_did(guest: Guest) -> None:
    guest.reach("decide")
    other = guest.second_tab()
    guest.stands("decide", other)
    guest.page.click(".acts .option:nth-of-type(1)")
    guest.check("settled")
    other.evaluate("dispatchEvent(new Event('visibilitychange'))")
    guest.check("settled", other)


def test_of_two_tabs_that_deal_from_one_seat_one_deals_and_both_show_the_round(
    guest: Guest,
) -> None:
    guest.made.may_fail("/rounds")
    other = guest.second_tab()
    guest.stands("bet", other)
    for page in (guest.page, other):
        guest.place(page)
        guest.stands("bet", page)
    for page in (guest.page, other):  # at once: neither waits for the other
        page.evaluate("document.querySelector('.acts .primary').click()")
    for page in (guest.page, other):
        guest.check("decide", page)
    said = [words("error.round/already_open") in told(page) for page in (guest.page, other)]
    assert sorted(said) == [False, True]
    assert guest.staked() == [("ante", 500), ("bonus", 500)]


def test_a_tab_whose_seat_was_played_elsewhere_keeps_its_chips_and_deals_the_next(
    guest: Guest,
) -> None:
    guest.made.may_fail("/rounds")
    other = guest.second_tab()
    guest.stands("bet", other)
    guest.place(other)
    guest.reach("settled")
    guest.stands("bet", other)
    other.click(".acts .primary")
    expect(other.locator(".message")).to_contain_text(WORDS.write("error.seat/unknown"))
    guest.stands("bet", other)
    assert shown(other) == truth(guest.books, WORDS, BETS) | {
        "message": words("error.seat/unknown")
    }
    other.click(".acts .primary")
    guest.check("decide", other)
    assert len(guest.books.all("/rounds", "rounds")) == 2


# No session, no money, no such thing -----------------------------------------------------------


@pytest.mark.parametrize("then", [*PHASES, "lobby", "history"])
def test_a_player_whose_session_is_gone_is_a_fresh_guest(guest: Guest, then: str) -> None:
    guest.made.may_fail("/api/v1/")
    guest.reach("decide" if then in ("lobby", "history") else then)
    guest.page.context.clear_cookies(name="tapis_session")
    match then:
        case "bet" | "decide":
            guest.page.click(".acts button >> nth=-1")
        case "settled":
            guest.page.click('.acts [aria-keyshortcuts="R"]')
            guest.page.click(".acts .primary")
        case "lobby":
            guest.page.click(".brand")
            guest.page.click(".door")
        case "history":
            guest.page.keyboard.press("L")
            guest.page.click(".brand")
            guest.page.click(".door")
    expect(guest.page.locator(".balance dd")).to_have_text(re.compile(r"^1\s000,00\s\$$|^99"))
    guest.stands("bet")
    balance = guest.books.get("/wallet")
    assert balance == {"currency": "FUN", "balance_cents": 100_000, "held_cents": 0}


def test_a_player_who_cannot_go_on_gets_more_play_money_also_in_the_middle_of_a_round(
    serve: Serve, visit: Visiting
) -> None:
    house = serve(HOUSE_WINS, sheet_of=lambda _: DEAR)
    guest = Guest(visit(f"{house}/table/{GAME}"), house)
    more = guest.page.get_by_role("button", name=WORDS.write("act.more-money"))
    guest.page.locator(".chip[role=radio]").last.click()
    for _ in range(2):
        guest.page.click(".spot.ante")
    guest.page.click(".acts .primary")
    for balance in (0, 100_000):  # the play bet takes 2,000.00
        guest.check("decide")
        assert guest.books.get("/wallet")["balance_cents"] == balance
        assert shown(guest.page)["options"][0][1:] == [words("option.dear", cents=200_000), True]
        more.click()
        expect(guest.page.locator(".message")).to_contain_text(words("money.more-given"))
    guest.check("decide")
    expect(more).to_have_count(0)
    guest.page.click(".acts .option:nth-of-type(1)")
    guest.check("settled")
    guest.page.click('.acts [aria-keyshortcuts="X"]')
    guest.stands("bet")
    assert guest.books.get("/wallet")["balance_cents"] == 0
    more.click()
    expect(guest.page.locator(".balance dd")).to_have_text(WORDS.money(100_000))
    expect(more).to_have_count(0)
    guest.page.click(".spot.ante")
    assert guest.books.get("/wallet")["balance_cents"] == 100_000


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/table/nothing", "request/unknown_game"),
        ("/r/xyz", "round/unknown"),
        ("/fair/xyz", "round/unknown"),
    ],
)
def test_an_address_that_leads_nowhere_says_so_and_shows_the_way(
    serve: Serve, visit: Visiting, path: str, said: str
) -> None:
    made = visit(serve() + path)
    made.may_fail("/api/v1/", "/tables/nothing.js")
    name = path.rpartition("/")[2]
    sentence = WORDS.write(f"error.{said}", {"round_id": name, "game": name})
    expect(made.page.locator("main")).to_contain_text(sentence)
    made.page.click(".brand")
    made.page.locator(".door").wait_for()
