"""Operators: deposits, withdrawals, voids, switches, tokens; and the players they create."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from simulation.letters import Request, code_of
from simulation.tabs import TRY_AGAIN, Person
from simulation.world import World
from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.operations.operator_service import OperatorService, OperatorToken
from tapisvert.operations.operator_views import NewPlayer
from tapisvert.rounds import PlayerService
from tapisvert.rounds.round import Round

CURRENCIES = ("CHF", "EUR")
CENTS = (900, 20_000, 50_000, 100_000)


class Operator:
    """One operator: sends one command at a time, and repeats it until it is answered."""

    def __init__(self, world: World, name: str, token: str, people: list[Person]) -> None:
        self.world, self.name, self.token, self.people = world, name, token, people
        self.waiting: Request | None = None
        self._paid_out: Person | None = None
        self._keys = 0

    def act(self) -> None:
        """Send a new command, or repeat the unanswered one."""
        rng, model = self.world.rng, self.world.model
        if self.waiting is not None:
            if rng.random() < 0.25:
                self.world.send(self.waiting)
            return
        new = [person for person in self.people if not person.guest and not person.token]
        lost = [person for person in self.people if not person.guest and person.locked_out]
        if new:
            self._sign_up(rng.choice(new))
        elif lost and rng.random() < 0.5:
            self._new_token(rng.choice(lost))
        elif model.stops and rng.random() < 0.4:
            self._switch("resume", rng.choice(model.stops))
        else:
            known = [person for person in self.people if person.player_id]
            accounts = [person for person in known if not person.guest]
            if known:
                self._serve(rng.choice(accounts if accounts and rng.random() < 0.7 else known))

    def _serve(self, person: Person) -> None:
        rng, model = self.world.rng, self.world.model
        balance, what = model.balance(person.player_id), rng.random()
        if self._paid_out is not None and rng.random() < 0.7:
            person, self._paid_out = self._paid_out, None
            self._void(person)  # the winnings are withdrawn: a void leaves a debt
        elif what < (0.5 if balance < 5_000 and not person.guest else 0.1):
            self._money("deposit", person, rng.choice(CENTS))
        elif what < (0.5 if self._won(person) or model.debt(person.player_id) else 0.2):
            cents = rng.choice((balance, balance, balance // 2, 100, balance + 1_000))
            self._money("withdraw", person, cents)
        elif what < (0.6 if model.debt(person.player_id) else 0.3):
            self._money("pay-debt", person, 0)
        elif what < 0.33:
            self._in_and_out(person)
        elif what < 0.88:
            self._void(person)
        elif what < 0.98:
            game = rng.choice([each.game for each in model.rounds.values()] or ["blackjack"])
            scopes = ("all", f"game:{game}", "jackpot:blackjack", f"player:{person.player_id}")
            self._switch(rng.choice(("stop", "stop", "resume")), rng.choice(scopes))
        elif not person.guest:
            self._new_token(person)

    # What an operator asks -------------------------------------------------------------------

    def _sign_up(self, person: Person) -> None:
        currency = self.world.rng.choice(CURRENCIES)
        self._ask("player", lambda operator: operator.create_player(currency), keyed=False)
        assert self.waiting is not None
        self.waiting.asked = person

    def _new_token(self, person: Person) -> None:
        player_id = person.player_id
        self._ask("new-token", lambda operator: operator.new_token(player_id), keyed=False)
        assert self.waiting is not None
        self.waiting.asked = person

    def _money(self, kind: str, person: Person, cents: int) -> None:
        player_id = person.player_id

        def work(office: OperatorCommands) -> object:
            if kind == "deposit":
                return office.deposit(player_id, cents, "counter 1")
            if kind == "withdraw":
                return office.withdraw(player_id, cents, "counter 1")
            return office.pay_debt(player_id)

        self._ask(kind, work, player_id=player_id, asked=cents)

    def _in_and_out(self, person: Person) -> None:
        """Deposit, then withdraw too much, in one command: refused, so neither happens."""
        player_id, cents = person.player_id, self.world.rng.choice(CENTS)

        def work(office: OperatorCommands) -> object:
            office.deposit(player_id, cents, "counter 1")
            return office.withdraw(player_id, 2**40, "counter 1")

        self._ask("in-and-out", work, player_id=player_id, asked=cents)

    def _void(self, person: Person) -> None:
        """Void a round of a player, often the one with the largest win."""
        rng = self.world.rng
        own = self._played(person, also_reversed=rng.random() < 0.1)
        if own:
            round_id = (own[-1] if rng.random() < 0.5 else rng.choice(own)).id
            self._ask(
                "void",
                lambda operator: operator.void(round_id, "the machine was wrong"),
                player_id=person.player_id,
                round_id=round_id,
            )

    def _played(self, person: Person, *, also_reversed: bool = False) -> list[Round]:
        """Return a player's rounds, the one with the largest win last."""
        model = self.world.model
        own = [
            each
            for each in model.rounds.values()
            if each.player_id == person.player_id and each.opened_at_ms is not None
            if also_reversed or each.id not in model.reversed
        ]
        return sorted(own, key=lambda each: model.net(each.id))

    def _won(self, person: Person) -> bool:
        best = self._played(person)[-1:]
        return any(self.world.model.net(each.id) > 0 for each in best)

    def _switch(self, kind: str, scope: str) -> None:
        def work(office: OperatorCommands) -> object:
            return (office.stop if kind == "stop" else office.resume)(scope, "a fire drill")

        self._ask(kind, work, asked=scope)

    def _ask(
        self,
        kind: str,
        work: Callable[[OperatorCommands], object],
        *,
        keyed: bool = True,
        player_id: str | None = None,
        round_id: str = "",
        asked: object = None,
    ) -> None:
        """Send a command as the operator's API does (web/operator.py)."""
        self._keys += 1
        key = f"{self.name}-{self._keys}" if keyed else None

        def send(house: PlayerService) -> Future[Any]:
            office = OperatorService(house, OperatorToken(self.token))
            if key is None:
                return office.command(work)
            return office.once(key, [kind, player_id, round_id, asked], work)

        self.waiting = Request(
            self.world.number(), self, kind, send, key, self.name, None, player_id
        )
        self.waiting.round_id, self.waiting.asked = round_id, asked
        self.world.send(self.waiting)
        if self.world.rng.random() < 0.1:
            self.world.send(self.waiting)

    # What an operator hears ------------------------------------------------------------------

    def hear(self, request: Request, outcome: object) -> None:
        """Process an answer; pass a new token to its player."""
        if request is not self.waiting or code_of(outcome) in TRY_AGAIN:
            return
        self.waiting = None
        if request.kind == "withdraw" and code_of(outcome) == "granted":
            paid = [each for each in self.people if each.player_id == request.player_id]
            self._paid_out = paid[0] if paid else None
        if isinstance(outcome, NewPlayer):
            request.asked.enter(outcome.player_id, outcome.token)
