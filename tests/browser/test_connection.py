"""Random real disconnections: the page reports them, waits, and repeats no command.

After every cut the page must show the same as after a reload, which uses the house's data only. At
the end the house must have each of the player's commands once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from random import Random

import pytest
from playwright.sync_api import Response, Route, expect

from browser.conftest import Visiting
from browser.cutting import GAME, IN_FLIGHT, NEW_KEYS, Books, Line, shown, truth, until
from browser.seats import Seat
from browser.served import Served
from browser.tables import DOOR, GAMES, TABLE, Visit
from browser.turns import ALL, first_of
from tapisvert.words import catalogue
from tiers import long

FEW_CUTS, CUTS, ELSEWHERE = 8, 20, 40 if ALL else 3
GRANT = 1_000_00
WORDS = catalogue("fr")
LOST = WORDS.write("net.lost")
OFFLINE = "dispatchEvent(new Event('offline'))"
ONLINE = "dispatchEvent(new Event('online'))"
# Records every text of the assertive region, repeated ones included.
LISTEN = """() => { window.heard = []; const region = document.getElementById('assertive');
  new MutationObserver(() => { if (region.textContent) heard.push(region.textContent); })
    .observe(region, {childList: true, characterData: true, subtree: true}); }"""


class Robot:
    """Plays a game from a seed, on a line that is cut from the same seed."""

    def __init__(self, made: Visit, line: Line, books: Books, game: str) -> None:
        self.page, self.line, self.books, self.game = made.page, line, books, game
        self.chance = Random(game)
        self.done: list[tuple[dict[str, int], list[str]]] = []  # stakes and keys of every round
        self.refused: list[str] = []
        made.may_fail("/api/v1/", "/static/")
        self.seat = Seat(made.page, game)
        made.page.on("response", self._look)
        made.page.evaluate(LISTEN)

    def _look(self, answer: Response) -> None:
        self.refused += [f"{answer.status} {answer.url}"] if answer.status >= 400 else []

    def play(self, cuts: int) -> None:
        """Play whole rounds until the line was cut this many times."""
        bets: dict[str, int] = {}
        while self.line.cuts.total() < cuts or not self.done:
            bets, taken = bets or self.place(), list[str]()
            self.done.append((bets, taken))
            self.idle()
            self.press(".acts .primary", "/rounds")
            while self.page.locator("main").get_attribute("data-phase") == "decide":
                taken.append(self.decide())
            again = self.chance.random() < 0.5
            self.page.click(f'.acts [aria-keyshortcuts="{"R" if again else "X"}"]')
            self.seat.wait("bet")
            if not again and self.page.locator(".spot .stack").count():
                self.page.click('.acts [aria-keyshortcuts="X"]')  # a stake that was given back
            bets = bets if again else {}

    def place(self) -> dict[str, int]:
        """Place a dollar on the main bets and on some of the others."""
        bets: dict[str, int] = {}
        for spot in self.seat.takes():
            name, main = spot["id"], spot["main"] or spot["equals"]
            if not all(bets.get(each) for each in spot["requires"]):
                continue
            if main or self.chance.random() < 0.5:
                bets[name] = bets.get(spot["equals"], 1_00)
        self.seat.bet({bet: cents for bet, cents in bets.items() if bet != "blind"})
        return bets

    def key_of(self, choice: str) -> str:
        """Return the keyboard key of a choice; at Pai Gow, of the confirmation."""
        option = "confirm" if self.game == "pai-gow" else choice
        return self.seat.words.templates[f"{self.game}.key.{option}"]

    def decide(self) -> str:
        """Take one of the available options; return its key."""
        free = self.page.locator(".acts .option:enabled").all()
        key = self.chance.choice(free).get_attribute("aria-keyshortcuts") or ""
        paths = ("/choices", "/seen") if self.game == GAME else ("/choices",)  # one question
        self.press(f'.acts .option[aria-keyshortcuts="{key}"]:enabled', *paths)
        return key

    def idle(self) -> None:
        """Sometimes lose the connection while idle; the browser reports it."""
        if self.chance.random() < 0.35:
            before, heard = shown(self.page), self.heard()
            self.line.cut(self.chance.choice(("refused", *IN_FLIGHT)), "/health")
            self.page.evaluate(OFFLINE)
            self.endure("/health", heard)
            self.page.wait_for_selector("main[data-ready]")
            assert shown(self.page) == before

    def press(self, button: str, *paths: str) -> None:
        """Press a button; usually cut the line at one of its requests, sometimes twice."""
        self.page.wait_for_selector("main[data-ready]")
        path, heard = self.chance.choice(paths), self.heard()
        cut = self.chance.random() < 0.8
        if cut:
            kinds = ("refused", *IN_FLIGHT) if path == paths[0] else IN_FLIGHT
            self.line.cut(self.chance.choice(kinds), path)
        self.page.click(button)
        if cut:
            self.endure(path, heard, locked=path == paths[0])
        self.check()

    def endure(self, path: str, heard: int, *, locked: bool = False) -> None:
        """Wait for the cut, check banner and lock, and reconnect; sometimes cut again."""
        for more in range(self.chance.choice((0, 0, 0, 1, 2)), -1, -1):
            until(lambda: self.line.lost, f"{path} was not asked")
            assert self.page.locator(".banner").inner_text() == LOST  # waits for it
            assert not (locked and self.page.locator(".acts button:enabled").count())
            if more:
                self.line.cut(self.chance.choice(IN_FLIGHT), path)
            self.line.back()
            if self.chance.random() < 0.75:
                self.page.evaluate(ONLINE)
        self.page.locator(".banner").wait_for(state="hidden")
        until(lambda: self.heard() > heard, "the cut was not read aloud")  # in the next frame

    def heard(self) -> int:
        """Return how often the assertive region announced a lost connection."""
        told: list[str] = self.page.evaluate("heard")
        assert set(told) <= {LOST}, told
        return len(told)

    def check(self) -> None:
        """Compare the page with the house, and with itself after a reload."""
        self.page.wait_for_selector("main:is([data-phase=decide],[data-phase=settled])[data-ready]")
        seen = shown(self.page)
        if self.game == GAME:
            assert seen == truth(self.books, WORDS)
        self.page.reload()
        self.page.wait_for_selector(f"main[data-phase={seen['phase']}][data-ready]")
        assert shown(self.page) == seen
        self.page.evaluate(LISTEN)


@contextmanager
def seated(house: Served, visit: Visiting, game: str) -> Iterator[Robot]:
    with closing(Line(house.url, len(game))) as line:
        made = visit(f"{line.url}/table/{game}")
        yield Robot(made, line, Books(made.page, house.url), game)
        made.page.goto("about:blank")  # what the page still asks is of no interest


@pytest.fixture
def robot(house: Served, visit: Visiting) -> Iterator[Robot]:
    with seated(house, visit, GAME) as found:
        yield found


@pytest.mark.parametrize(
    ("game", "cuts"),
    first_of([(GAME, FEW_CUTS), (GAME, CUTS), *((game, ELSEWHERE) for game in GAMES)]),
)
def test_after_every_cut_the_table_is_what_it_was_and_nothing_was_done_twice(
    house: Served, visit: Visiting, game: str, cuts: int
) -> None:
    with seated(house, visit, game) as robot:
        robot.play(cuts)
        assert robot.refused == []
        ids = [each["id"] for each in reversed(robot.books.all("/rounds", "rounds"))]
        recalls = [robot.books.get(f"/rounds/{each}/recall") for each in ids]
        taken = [[robot.key_of(choice) for choice in each["choices"]] for each in recalls]
        stakes = [each["round"]["stakes"] for each in recalls]
        assert list(zip(stakes, taken, strict=True)) == robot.done
        expected = [
            (round_id, line["bet"], *moved)
            for round_id, each in zip(ids, recalls, strict=True)
            for line in each["round"]["lines"]
            for moved in moves(line["staked_cents"], line["returned_cents"])
        ]
        grant, *transfers = reversed(robot.books.all("/wallet/transfers", "transfers"))
        assert (grant["reason"], grant["cents"]) == ("grant", GRANT)
        assert sorted(expected) == sorted(
            (each["round_id"], each["bet"], each["reason"], each["cents"]) for each in transfers
        )
        wallet, net = robot.books.get("/wallet"), sum(cents for *_, cents in expected)
        assert wallet == {"currency": "FUN", "balance_cents": GRANT + net, "held_cents": 0}
        keys = {key for _, key in robot.line.commands}
        assert len(keys) == sum(1 + len(taken) for _, taken in robot.done)
        if cuts >= FEW_CUTS:
            assert len(robot.line.commands) > len(keys)
            assert set(robot.line.cuts) == {"refused", *IN_FLIGHT}


def moves(staked: int, returned: int) -> list[tuple[str, int]]:
    """Return the transfers of a bet; a lost stake has one."""
    back, won = min(staked, returned), max(0, returned - staked)
    return [("stake", -staked), *[("return", back)] * (back > 0), *[("win", won)] * (won > 0)]


def test_a_page_that_forgot_its_keys_would_be_noticed(robot: Robot) -> None:
    robot.page.evaluate(NEW_KEYS)
    robot.place()
    robot.line.cut("unanswered", "/rounds")
    robot.page.click(".acts .primary")
    until(lambda: robot.line.lost, "it was not asked")
    with robot.page.expect_response(lambda answer: answer.status == 409):  # round/already_open
        robot.line.back()
        robot.page.evaluate(ONLINE)


@pytest.mark.parametrize("phase", first_of(["decide", "bet", "settled"]))
def test_while_the_connection_is_lost_every_action_is_locked(robot: Robot, phase: str) -> None:
    robot.place()
    if phase != "bet":
        robot.seat.deal()
    if phase == "settled":
        robot.seat.choose(0)
    robot.seat.wait(phase)
    before = shown(robot.page)
    robot.line.cut("refused")
    robot.page.evaluate(OFFLINE)
    expect(robot.page.locator(".banner")).to_have_text(LOST)
    expect(robot.page.locator(".acts button:enabled")).to_have_count(0)
    robot.line.back()
    robot.seat.wait(phase)
    assert shown(robot.page) == before


@long
def test_chips_stay_where_they_are_while_a_deal_is_on_its_way(robot: Robot) -> None:
    robot.place()
    before = shown(robot.page)
    robot.line.cut("refused")
    robot.page.click(".acts .primary")
    expect(robot.page.locator(".banner")).to_have_text(LOST)
    robot.page.locator(".spot.ante").click(force=True)
    assert shown(robot.page) == before
    robot.line.back()
    robot.seat.wait("decide")
    robot.check()


def test_the_browsers_own_word_that_it_is_offline_is_told_and_taken_back(robot: Robot) -> None:
    robot.page.context.set_offline(True)
    for place in (".banner", "#assertive"):
        expect(robot.page.locator(place)).to_have_text(LOST)
    robot.page.context.set_offline(False)
    expect(robot.page.locator(".banner")).to_have_count(0)
    expect(robot.page.locator("#polite")).to_have_text(WORDS.write("net.back"))
    expect(robot.page.locator("#assertive")).to_have_text("")


def test_a_cut_that_nothing_tells_is_felt_by_the_pulse(robot: Robot) -> None:
    robot.page.clock.install()
    robot.page.reload()
    robot.seat.wait("bet")
    robot.line.cut("refused")
    robot.page.clock.fast_forward(15_000)
    expect(robot.page.locator(".banner")).to_have_text(LOST)
    robot.line.back()
    expect(robot.page.locator(".banner")).to_have_count(0)


@long
@pytest.mark.parametrize(
    ("here", "link", "there"), [(TABLE, ".brand", DOOR), ("/", DOOR, ".spot.ante")]
)
def test_a_view_that_is_wanted_while_the_connection_is_lost_comes_with_it(
    house: Served, visit: Visiting, here: str, link: str, there: str
) -> None:
    with closing(Line(house.url)) as line:
        made = visit(line.url + here)
        made.may_fail("/api/v1/", "/static/")
        made.page.locator(link).wait_for()
        line.cut("refused")
        made.page.click(link)
        expect(made.page.locator(".banner")).to_have_text(LOST)
        line.back()
        expect(made.page.locator(there)).to_be_visible()
        made.page.goto("about:blank")


def test_a_door_taken_before_the_guest_is_let_in_leads_to_the_table(
    house: Served, visit: Visiting
) -> None:
    """A page embeds the data of its first view; the lobby's is not enough for a table."""
    made, held = visit("about:blank"), list[Route]()
    made.page.route("**/api/v1/guests", lambda route: held.append(route))
    made.url = house.url
    with made.page.expect_request("**/api/v1/guests"):
        made.page.goto(made.url)
    made.page.click(DOOR)
    held[0].continue_()
    expect(made.page.locator(".spot.ante")).to_be_visible()
