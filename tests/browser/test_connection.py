"""Random real disconnections: the page reports them, waits, and repeats no command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from random import Random

import pytest
from playwright.sync_api import Response, Route, expect

from browser.conftest import Visiting
from browser.cutting import IN_FLIGHT, NEW_KEYS, Books, Line, shown, truth, until
from browser.served import Decks, Served
from browser.tables import DOOR, TABLE, Player, Visit
from browser.test_rounds import Choice, Round
from browser.turns import first_of
from tapisvert.cards import STANDARD, text
from tapisvert.words import catalogue
from tiers import long

FEW_CUTS, CUTS = 8, 20  # two hundred at all tables: test_cuts.py, `make browser-all`
SEED = 20_261_115
WORDS = catalogue("fr")
LOST = WORDS.write("net.lost")
OFFLINE = "dispatchEvent(new Event('offline'))"
ONLINE = "dispatchEvent(new Event('online'))"
# Records every text of the assertive region, repeated ones included.
LISTEN = """() => { window.heard = []; const region = document.getElementById('assertive');
  new MutationObserver(() => { if (region.textContent) heard.push(region.textContent); })
    .observe(region, {childList: true, characterData: true, subtree: true}); }"""


def settled(
    hands: dict[str, list[str]], stakes: dict[str, int], choice: Choice
) -> Iterator[tuple[str, str, int]]:
    """Yield the expected transfers of a round by the rules; a lost stake has one transfer."""
    shown = [*hands["player"], *(card for card in hands["house"] if card != "??")]
    others = [each for card in STANDARD if (each := text(card)) not in shown]  # after a fold
    deck = " ".join([*shown, *others][:10])
    for line in Round(deck, choice, stakes["ante"], stakes.get("bonus", 0)).lines():
        yield line.bet, "stake", -line.staked
        if line.returned:
            yield line.bet, "return", line.staked
        if line.returned > line.staked:
            yield line.bet, "win", line.returned - line.staked


class Robot:
    """Plays from a seed, on a line that is cut from the same seed."""

    def __init__(self, made: Visit, line: Line, books: Books) -> None:
        self.page, self.line, self.books = made.page, line, books
        self.chance = Random(SEED)
        self.done: list[tuple[dict[str, int], Choice]] = []  # stakes and choice of every round
        self.refused: list[str] = []
        self.outages = 0
        made.may_fail("/api/v1/", "/static/")
        self.player = Player(made.page)
        made.page.on("response", self._look)
        made.page.evaluate(LISTEN)

    def _look(self, answer: Response) -> None:
        if answer.status >= 400:
            self.refused.append(f"{answer.status} {answer.url}")

    def play(self, cuts: int) -> None:
        """Play whole rounds until the line was cut this many times."""
        bets: dict[str, int] = {}
        while self.line.cuts.total() < cuts:
            bets = bets or self.place()
            self.idle()
            self.check(bets)
            self.act(".acts .primary", "/rounds")
            self.check()
            option: Choice = self.chance.choice(("play", "play", "fold"))
            if self.page.locator(".acts .option").last.is_disabled():
                option = "play"  # a royal flush
            self.act(f".acts .option >> nth={('play', 'fold').index(option)}", "/choices", "/seen")
            self.done.append((bets, option))
            self.check()
            again = self.chance.random() < 0.5
            self.page.click(f'.acts [aria-keyshortcuts="{"R" if again else "X"}"]')
            bets = bets if again else {}

    def place(self) -> dict[str, int]:
        """Place chips on the spots."""
        bets = {"ante": self.chance.randint(1, 6) * 100}
        if bonus := self.chance.randint(0, 2) * 100:
            bets["bonus"] = bonus
        self.player.bet(bets)
        return bets

    def idle(self) -> None:
        """Sometimes lose the connection while idle; the browser reports it."""
        if self.chance.random() < 0.35:
            heard = self.heard()
            self.line.cut(self.chance.choice(("refused", *IN_FLIGHT)), "/health")
            self.page.evaluate(OFFLINE)
            self.endure("/health", heard)

    def act(self, button: str, *paths: str) -> None:
        """Press a button; usually cut the line at one of its requests."""
        path, heard = self.chance.choice(paths), self.heard()
        cut = self.chance.random() < 0.85
        if cut:
            kinds = ("refused", *IN_FLIGHT) if path == paths[0] else IN_FLIGHT
            self.line.cut(self.chance.choice(kinds), path)
        self.page.click(button)
        if cut:
            self.endure(path, heard, locked=path == paths[0])

    def endure(self, path: str, heard: int, *, locked: bool = False) -> None:
        """Wait for the cut, check the banner, and reconnect; sometimes cut again."""
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
        self.outages += 1

    def heard(self) -> int:
        """Return how often the assertive region announced a lost connection."""
        told: list[str] = self.page.evaluate("heard")
        assert set(told) <= {LOST}, told
        return len(told)

    def check(self, bets: dict[str, int] | None = None) -> None:
        """Compare the page with the house."""
        self.page.locator("main.table[data-ready]").wait_for()
        assert shown(self.page) == truth(self.books, WORDS, bets)


@pytest.fixture
def robot(house: Served, visit: Visiting) -> Iterator[Robot]:
    """Seat a robot at a table whose line can be cut; the decks are the same in every run."""
    house.shuffle = Decks(str(SEED))
    with closing(Line(house.url, SEED)) as line:
        made = visit(line.url + TABLE)
        yield Robot(made, line, Books(made.page, house.url))
        made.page.goto("about:blank")  # what the page still asks is of no interest


@pytest.mark.parametrize("cuts", first_of([FEW_CUTS, CUTS]))
def test_the_connection_cut_again_and_again_loses_nothing_and_does_nothing_twice(
    robot: Robot, cuts: int
) -> None:
    robot.play(cuts)
    assert robot.refused == []
    ids = [each["id"] for each in reversed(robot.books.all("/rounds", "rounds"))]
    recalls = [robot.books.get(f"/rounds/{each}/recall") for each in ids]
    rounds = [each["round"] for each in recalls]
    done = [(each["round"]["stakes"], *each["choices"]) for each in recalls]
    assert done == robot.done
    expected = sorted(
        (told["id"], *transfer)
        for told, (stakes, choice) in zip(rounds, robot.done, strict=True)
        for transfer in settled(told["hands"], stakes, choice)
    )
    grant, *transfers = reversed(robot.books.all("/wallet/transfers", "transfers"))
    assert (grant["reason"], grant["cents"]) == ("grant", 100_000)
    assert expected == sorted(
        (each["round_id"], each["bet"], each["reason"], each["cents"]) for each in transfers
    )
    balance = 100_000 + sum(cents for *_, cents in expected)
    wallet = {"currency": "FUN", "balance_cents": balance, "held_cents": 0}
    assert robot.books.get("/wallet") == wallet
    keys = {key for _, key in robot.line.commands}
    assert len(keys) == 2 * len(rounds)  # one deal and one choice for each
    assert len(robot.line.commands) > len(keys)
    assert set(robot.line.cuts) == {"refused", *IN_FLIGHT}


@long
def test_a_new_key_for_every_try_would_be_noticed(robot: Robot) -> None:
    robot.page.evaluate(NEW_KEYS)
    with pytest.raises(AssertionError, match="déjà une partie en cours"):
        robot.play(CUTS)
    assert robot.refused


@pytest.mark.parametrize("phase", first_of(["decide", "bet", "settled"]))
def test_while_the_connection_is_lost_every_action_is_locked(robot: Robot, phase: str) -> None:
    robot.place()
    if phase != "bet":
        robot.player.deal()
    if phase == "settled":
        robot.player.choose(0)
    robot.player.wait(phase)
    before = shown(robot.page)
    robot.line.cut("refused")
    robot.page.evaluate(OFFLINE)
    expect(robot.page.locator(".banner")).to_have_text(LOST)
    expect(robot.page.locator(".acts button:enabled")).to_have_count(0)
    robot.line.back()
    robot.player.wait(phase)
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
    robot.player.wait("decide")
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
    robot.player.wait("bet")
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
