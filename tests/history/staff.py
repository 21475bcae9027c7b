"""Operators and housekeeping: deposits, withdrawals, voids, switches, tokens, overdue rounds."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from history.doors import Door, HouseDoor
from history.people import Board, Client, Person
from history.records import Answer, Log, Request
from simulation.tables import GAMES

CENTS = (2_000, 20_000, 50_000, 100_000)
PAUSE_S = 0.002  # an operator is not as busy as a table


class Operator(Client):
    """An operator with access to cashier and switches."""

    def __init__(self, name: str, token: str, board: Board, door: Door, log: Log, until: int):
        super().__init__(name, door, log, f"{name} {until}", until)
        self.token, self.board = token, board
        self._keys = until * 1000  # another day, other keys
        self._recent: list[Request] = []

    def act(self) -> None:
        """Send a regular command, or one that must be refused."""
        time.sleep(PAUSE_S * self.dice.random())
        what = self.dice.random()
        if self.board.waiting:
            self._sign_up(self.board.waiting.popleft())
        elif self.board.stopped and what < 0.3:
            scope = self.board.stopped.popleft()
            self._command("resume", scope=scope, reason="all is well")
        elif what < 0.08 and self._recent:
            self._again(self.dice.choice(self._recent[-3:]))
        elif what < 0.14:
            self._odd_request()
        else:
            self._serve(self._someone(0.75))

    def _someone(self, account: float) -> Person | None:
        known = [each for each in self.board.people if each.player_id]
        accounts = [each for each in known if not each.guest]
        if accounts and self.dice.random() < account:
            return self.dice.choice(accounts)
        return self.dice.choice(known) if known else None

    def _serve(self, person: Person | None) -> None:
        if person is None:
            return
        dice, player = self.dice, person.player_id
        what = dice.random()
        if what < 0.3:
            shown = self._see("show", player_id=player)
            if shown.granted and not person.guest:
                self._money(person, shown.read())
        elif what < 0.36:
            self._command("deposit", player_id=player, cents=dice.choice(CENTS), reference="wire")
        elif what < 0.46 and self.board.won:
            self._take_back()
        elif what < 0.5:
            self._command("pay-debt", player_id=player)
        elif what < 0.75 and self.board.rounds:
            self._void(dice.choice(list(self.board.rounds)).round_id)
        elif what < 0.82:
            open_here = [*self.board.opened][-30:]  # the newest: often still open
            if open_here:
                self._void(dice.choice(open_here))
        elif what < 0.95:
            game, one = f"game:{dice.choice(GAMES)}", f"player:{player}"
            scope = dice.choice(("all", game, game, game, one, one))
            self._command("stop", scope=scope, reason=dice.choice(("a drill", "a fault")))
            self.board.stopped.append(scope)
        elif what < 0.97:
            self._see(dice.choice(("stops", "events")), **{})
        elif not person.guest and isinstance(self.door, HouseDoor):  # the API has no such route
            self._enter(person, self._see("new-token", player_id=player))

    # Money -----------------------------------------------------------------------------------

    def _money(self, person: Person, shown: dict[str, Any]) -> None:
        """Keep a player funded, and let some withdraw."""
        player, balance = person.player_id, shown["balance_cents"]
        if shown["debt_cents"] and self.dice.random() < 0.5:
            self._command("pay-debt", player_id=player)
        elif balance < 10_000:
            cents = self.dice.choice(CENTS)
            self._command("deposit", player_id=player, cents=cents, reference="")
        elif self.dice.random() < 0.5:
            cents = self.dice.choice((balance // 2, 100, 1, balance + 1_000))
            self._command("withdraw", player_id=player, cents=cents, reference="cash")

    def _take_back(self) -> None:
        """Pay a player out, then void the winning round: part of it may become a debt."""
        played = self.board.won.pop()
        shown = self._see("show", player_id=played.player_id)
        if shown.granted and (cents := shown.read()["balance_cents"]):
            self._command("withdraw", player_id=played.player_id, cents=cents, reference="all")
        self._void(played.round_id)
        self._command("withdraw", player_id=played.player_id, cents=100, reference="in debt?")

    def _void(self, round_id: str) -> None:
        self._command("void", round_id=round_id, reason=" the display froze ")

    # People ----------------------------------------------------------------------------------

    def _sign_up(self, person: Person) -> None:
        answer = self._see("player", currency=self.dice.choice(("CHF", "EUR")))
        if answer.granted:
            self._enter(person, answer)
            cents = self.dice.choice(CENTS[1:])
            self._command("deposit", player_id=person.player_id, cents=cents, reference="first")

    def _enter(self, person: Person, answer: Answer) -> None:
        if answer.granted:
            told = answer.read()
            if person.player_id in ("", told["player_id"]):
                person.player_id, person.token = told["player_id"], told["token"]

    # No good ---------------------------------------------------------------------------------

    def _again(self, request: Request) -> None:
        """Repeat a command, or reuse its key with another body."""
        args = request.args
        if self.dice.random() < 0.3:
            other = "reference" if "reference" in args else "reason"
            args = {**args, other: "another"} if other in args else args
        self.ask(Request(request.kind, self.token, request.key, args))

    def _odd_request(self) -> None:
        person = self._someone(0.5)
        if person is None:
            return
        player = person.player_id
        match self.dice.randrange(9):
            case 0:
                self._command("deposit", player_id="nobody", cents=100, reference="")
            case 1:
                cents = self.dice.choice((0, -5, 10**11 + 1))
                self._command("deposit", player_id=player, cents=cents, reference="")
            case 2:
                self._void("0" * 32)
            case 3 if self.board.rounds:
                round_id = self.dice.choice(list(self.board.rounds)).round_id
                self._command("void", round_id=round_id, reason=" ")
            case 4:
                self._command("stop", scope="game:roulette", reason="never had it")
            case 5:
                self.ask(Request("show", "0" * 64, None, {"player_id": player}))
            case 6:
                self._see("player", currency="FUN")
            case 7 if self.board.seats:
                self._void(self.dice.choice(list(self.board.seats))[0])
            case _:
                self._see("show", player_id="nobody")

    # Asking ----------------------------------------------------------------------------------

    def _see(self, kind: str, **args: Any) -> Answer:
        if kind == "events":
            args["before"] = None
        return self.ask(Request(kind, self.token, None, args))

    def _command(self, kind: str, **args: Any) -> Answer:
        self._keys += 1
        request = Request(kind, self.token, f"{self.name}-{self._keys}", args)
        self._recent.append(request)
        return self.ask(request)


class Warden(Client):
    """Housekeeping that sweeps, and the passing of time."""

    def __init__(self, name: str, leads: bool, delay_s: int, door: HouseDoor, log: Log, until: int):
        super().__init__(name, door, log, f"{name} {until}", until)
        self.leads, self.delay_s, self.house_door = leads, delay_s, door

    def act(self) -> None:
        """Sweep; the leader advances time, and sometimes sets the wall clock forward."""
        time.sleep(0.03 if self.leads else 0.008)
        clock, what = self.house_door.clock, self.dice.random()
        if self.leads and what < 0.12:
            clock.steady_ms += self.delay_s * 1000 + self.dice.randrange(5_000)
        elif self.leads and what < 0.4:
            clock.steady_ms += self.dice.randrange(self.delay_s * 500)
        elif self.leads and what < 0.46:
            clock.ahead_ms += 2 * self.delay_s * 1000
        if self.leads or clock.steady_ms != self._last:
            self._last = clock.steady_ms
            args = {"keeper": self.name, "now_ms": self._last}
            self.log.run(self.name, Request("sweep", args=args), self.door.send)

    _last = 0


def day_of(number: int) -> dict[str, Any]:
    dice = Random(f"day {number}")
    return {"delay_s": (600, 3_600, 1_800)[number % 3], "tight": dice.random() < 0.6}
