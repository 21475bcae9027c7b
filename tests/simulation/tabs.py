"""Players at their tables: several tabs each, which know only the replies they got."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import msgspec

from simulation.letters import Request, code_of
from simulation.told_checks import read
from simulation.world import World
from stakes import free_spots, main_stake
from tapisvert.history import player_history
from tapisvert.history.round_proof import proof_of
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService, player_views
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.schemas import ChoiceRequest, Guest, OpenRequest, SeatRequest
from tapisvert.sheets import load

# Nothing has happened, and the same request may go through another time.
TRY_AGAIN = ("store/unavailable", "dealing/unavailable")
AMOUNTS, LARGE_AMOUNTS = (100, 200, 500, 1_000, 5_000), (5_000, 10_000, 10_000)
EUROS, ROYAL_IN_EUROS = "0.95", 105  # a euro in francs, and 1.00 of them in euros


def side_stake(game: str, bet: str, cents: int) -> int:
    """Return these cents, or a small stake if a spot has a low limit."""
    most = load(game).spots[bet].max_cents
    return cents if most >= max(LARGE_AMOUNTS) else min(most, 1_000)


class Person:
    """A player, identified by a token."""

    def __init__(self, name: str, bold: bool, *, guest: bool) -> None:
        self.name, self.bold, self.guest = name, bold, guest
        self.player_id, self.token = "", ""
        self.locked_out = False  # the token opens nothing any more
        self._keys = 0

    def enter(self, player_id: str, token: str) -> None:
        """Start with a token; a second account is ignored."""
        if self.player_id in ("", player_id):
            self.player_id, self.token, self.locked_out = player_id, token, False

    def key(self) -> str:
        self._keys += 1
        return f"{self.name}-{self._keys}"


class Tab:
    """One open tab: sends one request at a time, and repeats it until it is answered."""

    def __init__(self, world: World, person: Person, games: tuple[str, ...], number: int) -> None:
        self.world, self.person, self.games = world, person, games
        self.name = f"{person.name}/{number}"
        self.waiting: Request | None = None
        self.seats: dict[str, tuple[str, str]] = {}  # round id and commitment, by game
        self.rounds: dict[str, dict[str, Any]] = {}  # what waits for an answer, by game
        self.ended: list[str] = []
        self.look_at: str | None = None  # a round to be shown next
        self.broke = False
        self.last_key = ""

    # Asking ----------------------------------------------------------------------------------

    def act(self) -> None:
        """Send a new request, or repeat the unanswered one."""
        rng = self.world.rng
        if self.waiting is not None:
            if rng.random() < 0.25:
                self.world.send(self.waiting)
        elif not self.person.token:
            if self.person.guest:
                self._ask("guest", lambda house: house.guest())
        elif rng.random() < 0.04:
            self._mischief()
        elif self.look_at is not None:
            round_id, self.look_at = self.look_at, None
            self._query("round", lambda desk: player_views.round_reply(desk, round_id))
        elif (self.broke and self.person.guest) or rng.random() < 0.02:
            self.broke = False
            self._more()
        elif rng.random() < 0.08:
            self._look_around()
        else:
            self._play(rng.choice(self.games))

    def _play(self, game: str) -> None:
        rng = self.world.rng
        if game in self.rounds:
            waiting = self.rounds[game]
            options = [each for each in waiting["options"] if each["legal"]]
            payable = [each for each in options if each["affordable"]] or options
            if len(payable) < len(options) and self.person.guest and rng.random() < 0.7:
                self._more()
                return
            option = rng.choice(payable if rng.random() < 0.9 else waiting["options"])
            self._choose(game, waiting["id"], waiting["step"], option["id"])
        elif game in self.seats:
            self._open(game, *self.seats[game])
        else:
            token = self.person.token
            self._ask("seat", lambda house: house.seat(token, SeatRequest(game)), game=game)

    def _more(self) -> None:
        token, key = self.person.token, self.person.key()
        self._ask("more", lambda house: house.more_play_money(token, key), key=key)

    def _open(self, game: str, round_id: str, promise: str, key: str | None = None) -> None:
        stakes = self._stakes(game)
        asked = OpenRequest(round_id, promise, stakes, f"seed {self.world.rng.randrange(100)}")
        token, key = self.person.token, key or self.person.key()
        send = lambda house: house.open(token, key, asked)  # noqa: E731
        self._ask("open", send, key=key, game=game, round_id=round_id, asked=asked)

    def _choose(
        self, game: str, round_id: str, step: int, choice: str, key: str | None = None
    ) -> None:
        asked, since = ChoiceRequest(step, choice), self.world.rng.choice((0, 0, 3))
        token, key = self.person.token, key or self.person.key()
        send = lambda house: house.choose(token, key, round_id, asked, since)  # noqa: E731
        self._ask("choose", send, key=key, game=game, round_id=round_id, asked=asked)

    def _stakes(self, game: str) -> dict[str, int]:
        rng = self.world.rng
        amounts = LARGE_AMOUNTS if self.person.bold else AMOUNTS
        amount = rng.choice(amounts) if rng.random() < 0.97 else 150
        stakes = main_stake(game, amount)
        converted = load(game).pot_bets if self._currency() == "EUR" else ()
        for bet in free_spots(game)[1:]:
            if rng.random() < (0.9 if self.person.bold else 0.5):
                cents = rng.choice(amounts)
                price = ROYAL_IN_EUROS if bet in converted else side_stake(game, bet, cents)
                stakes[bet] = price
        return stakes

    def _currency(self) -> str:
        return self.world.model.currency.get(self.person.player_id, "")

    def _look_around(self) -> None:
        """Query lists, history or a proof; or mark an end as seen."""
        rng, token = self.world.rng, self.person.token
        ended = rng.choice(self.ended) if self.ended else None
        what = rng.randrange(5 if ended else 2)
        if what == 0:
            self._query("rounds", lambda desk: player_history.rounds(desk, "open", None))
        elif what == 1:
            self._query("transfers", lambda desk: player_history.transfers(desk, None))
        elif ended and what == 2:
            self._query("recall", lambda desk: player_history.recall(desk, ended))
        elif ended and what == 3:
            self._query("proof", lambda desk: proof_of(desk, ended))
        elif ended:
            self._ask("seen", lambda house: house.mark_seen(token, ended), round_id=ended)

    def _mischief(self) -> None:
        """Send a request that must be refused: another's round, a wrong step, a used key, an early
        proof.
        """
        rng, rounds = self.world.rng, self.world.model.rounds
        others = [each for each in rounds.values() if each.player_id != self.person.player_id]
        what = rng.randrange(5)
        if what == 0 and others:
            stored = rng.choice(others)
            if stored.state == "seated":
                self._open(stored.game, stored.id, stored.commitment)
            else:
                self._choose(stored.game, stored.id, stored.steps_answered, "play")
        elif what == 1 and self.rounds:
            game = rng.choice(list(self.rounds))
            step = self.rounds[game]["step"] + rng.choice((-1, 1))
            option = rng.choice(self.rounds[game]["options"])
            self._choose(game, self.rounds[game]["id"], step, option["id"])
        elif what == 2 and self.last_key and self.seats:
            game = rng.choice(list(self.seats))
            self._open(game, *self.seats[game], key=self.last_key)
        elif what == 3 and self.rounds:
            early = self.rounds[rng.choice(list(self.rounds))]["id"]
            self._query("proof", lambda desk: proof_of(desk, early))
        elif others:
            stored = rng.choice(others)
            self._query("round", lambda desk: player_views.round_reply(desk, stored.id))

    def _query(self, kind: str, ask: Callable[[QueryContext], object]) -> None:
        token = self.person.token
        self._ask(
            kind, lambda house: house.query(token, lambda desk: msgspec.json.encode(ask(desk)))
        )

    def _ask(
        self,
        kind: str,
        send: Callable[[PlayerService], Future[Any]],
        *,
        key: str | None = None,
        game: str = "",
        round_id: str = "",
        asked: object = None,
    ) -> None:
        person = self.person
        self.waiting = Request(
            self.world.number(), self, kind, send, key, person.player_id, person.token or None
        )
        self.waiting.game, self.waiting.round_id, self.waiting.asked = game, round_id, asked
        self.last_key = key or self.last_key
        self.world.send(self.waiting)
        if self.world.rng.random() < 0.1:
            self.world.send(self.waiting)  # a double click

    # Hearing ---------------------------------------------------------------------------------

    def hear(self, request: Request, outcome: object) -> None:
        """Process an answer; an answer to an already answered request is ignored."""
        if request is not self.waiting or code_of(outcome) in TRY_AGAIN:
            return
        self.waiting = None
        if isinstance(outcome, Refused):
            self._refused(request, outcome)
        elif isinstance(outcome, Guest):
            self.person.enter(outcome.player_id, outcome.token or "")
        elif request.kind in ("seat", "open", "choose", "round", "rounds"):
            self._learn(request, read(outcome))

    def _learn(self, request: Request, reply: dict[str, Any]) -> None:
        if request.kind == "seat":
            self.seats[request.game] = reply["round_id"], reply["commitment"]
        elif request.kind == "rounds":
            ids = [each["id"] for each in reply["rounds"]]
            self.look_at = self.world.rng.choice(ids) if ids else None
        else:
            told = reply["round"]
            game = told["game"]
            self.seats.pop(game, None)
            if told["state"] == "open":
                self.rounds[game] = {"id": told["id"], **told["ask"]}
            else:
                self.rounds.pop(game, None)
                self.ended.append(told["id"])
            if reply.get("seat"):
                self.seats[game] = reply["seat"]["round_id"], reply["seat"]["commitment"]

    def _refused(self, request: Request, refusal: Refused) -> None:
        if refusal.code == "session/missing":
            self.person.locked_out = True
        elif refusal.code.startswith("seat/"):
            self.seats.pop(request.game, None)
        elif refusal.code.startswith(("round/", "choice/")):
            known = self.rounds.pop(request.game, None)
            own = known is not None and known["id"] == request.round_id
            if refusal.code == "round/already_open" or own:
                self.look_at = str(refusal.details.get("round_id", request.round_id))
        self.broke = refusal.code == "wallet/insufficient_funds"
