"""Random disconnections at all five tables, after which the page recovers its state.

After every cut the page must show the same as after a reload, which uses the house's data only. At
the end the house must have each of the player's commands once. `make test` cuts a few times at each
table, `make browser-all` two hundred times in all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from random import Random

import pytest
from playwright.sync_api import Response

from browser.conftest import Visiting
from browser.cutting import IN_FLIGHT, NEW_KEYS, Books, Line, shown, until
from browser.seats import Seat
from browser.served import Served
from browser.tables import GAMES, Visit
from browser.turns import ALL
from tiers import long

CUTS = 40 if ALL else 3  # at each table
GRANT = 1_000_00


class Robot:
    """Plays a game from a seed, on a line that is cut from the same seed."""

    def __init__(self, made: Visit, line: Line, books: Books, game: str) -> None:
        self.page, self.line, self.books, self.game = made.page, line, books, game
        self.chance = Random(game)
        self.done: list[tuple[dict[str, int], list[str]]] = []
        self.refused: list[str] = []
        made.may_fail("/api/v1/", "/static/")
        self.seat = Seat(made.page, game)
        made.page.on("response", self._look)

    def _look(self, answer: Response) -> None:
        if answer.status >= 400:
            self.refused.append(f"{answer.status} {answer.url}")

    def play(self) -> None:
        """Play whole rounds until the line was cut often enough, during and before requests."""
        while self.line.cuts.total() < CUTS or not self.done:
            bets, taken = self.place(), list[str]()
            self.press(".acts .primary", "/rounds")
            while self.page.locator("main").get_attribute("data-phase") == "decide":
                taken.append(self.decide())
            self.done.append((bets, taken))
            self.page.click('.acts [aria-keyshortcuts="X"]')
            self.seat.wait("bet")
            if self.page.locator(".spot .stack").count():  # a stake given back is offered again
                self.page.click('.acts [aria-keyshortcuts="X"]')

    def place(self) -> dict[str, int]:
        """Place one or two dollars on the main bets and on some of the others."""
        bets: dict[str, int] = {}
        for spot in self.seat.takes():
            name, main = spot["id"], spot["main"] or spot["equals"]
            if not all(bets.get(each) for each in spot["requires"]):
                continue
            if main or self.chance.random() < 0.5:
                bets[name] = bets[spot["equals"]] if spot["equals"] else 1_00
        self.seat.bet({bet: cents for bet, cents in bets.items() if bet != "blind"})
        return bets

    def key_of(self, choice: str) -> str:
        """Return the keyboard key of a choice; at Pai Gow, of the confirmation."""
        option = "confirm" if self.game == "pai-gow" else choice
        return self.seat.words.templates[f"{self.game}.key.{option}"]

    def decide(self) -> str:
        """Take one of the available options; return its key."""
        free = self.page.locator(".acts .option:enabled")
        at = self.chance.randrange(free.count())
        key = free.nth(at).get_attribute("aria-keyshortcuts") or ""
        self.press(f'.acts .option[aria-keyshortcuts="{key}"]:enabled', "/choices")
        return key

    def press(self, button: str, path: str) -> None:
        """Press a button; usually cut the line at one of its requests, sometimes twice."""
        self.page.wait_for_selector("main[data-ready]")
        if self.chance.random() < 0.8:
            self.line.cut(self.chance.choice(("refused", *IN_FLIGHT)), path)
            self.page.click(button)
            self.endure(path)
        else:
            self.page.click(button)
        self.page.wait_for_selector(
            "main:is([data-phase=decide], [data-phase=settled])[data-ready]"
        )
        seen = shown(self.page)
        self.page.reload()
        self.page.wait_for_selector(f"main[data-phase={seen['phase']}][data-ready]")
        assert shown(self.page) == seen

    def endure(self, path: str) -> None:
        """Wait for the cut, check banner and lock, and reconnect; sometimes cut again."""
        for more in range(self.chance.choice((0, 0, 1)), -1, -1):
            until(lambda: self.line.lost, f"{path} was not asked")
            self.page.locator(".banner").wait_for()
            assert self.page.locator(".acts button:enabled").count() == 0
            if more:
                self.line.cut(self.chance.choice(IN_FLIGHT), path)
            self.line.back()
            self.page.evaluate("dispatchEvent(new Event('online'))")
        self.page.locator(".banner").wait_for(state="hidden")


@contextmanager
def seated(house: Served, visit: Visiting, game: str) -> Iterator[Robot]:
    """Seat a robot at a table whose line can be cut."""
    with closing(Line(house.url, len(game))) as line:
        made = visit(f"{line.url}/table/{game}")
        yield Robot(made, line, Books(made.page, house.url), game)
        made.page.goto("about:blank")  # what the page still asks is of no interest


@long
@pytest.mark.parametrize("game", GAMES)
def test_after_every_cut_the_table_is_what_it_was_and_nothing_was_done_twice(
    house: Served, visit: Visiting, game: str
) -> None:
    with seated(house, visit, game) as robot:
        robot.play()
        assert robot.refused == []
        ids = [each["id"] for each in reversed(robot.books.all("/rounds", "rounds"))]
        recalls = [robot.books.get(f"/rounds/{each}/recall") for each in ids]
        assert [each["round"]["stakes"] for each in recalls] == [bets for bets, _ in robot.done]
        for told, (_, taken) in zip(recalls, robot.done, strict=True):
            assert [robot.key_of(choice) for choice in told["choices"]] == taken
        transfers = robot.books.all("/wallet/transfers", "transfers")
        moves = Counter(
            (each["round_id"], each["bet"], each["reason"])
            for each in transfers
            if each["round_id"]
        )
        assert set(moves.values()) == {1}  # no bet was staked, returned or won twice
        net = sum(t["round"]["returned_cents"] - t["round"]["staked_cents"] for t in recalls)
        wallet = {"currency": "FUN", "balance_cents": GRANT + net, "held_cents": 0}
        assert robot.books.get("/wallet") == wallet
        keys = {key for _, key in robot.line.commands}
        assert len(keys) == sum(1 + len(taken) for _, taken in robot.done)


def test_a_page_that_forgot_its_keys_would_be_noticed(house: Served, visit: Visiting) -> None:
    with seated(house, visit, "ultimate") as robot:
        robot.page.add_init_script(f"({NEW_KEYS})()")
        robot.page.evaluate(NEW_KEYS)
        robot.seat.bet({"ante": 1_00})
        robot.line.cut("unanswered", "/rounds")
        robot.page.click(".acts .primary")
        robot.endure("/rounds")
        until(lambda: bool(robot.refused), "nobody noticed")
