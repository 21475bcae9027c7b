"""Replaces random input by live values: existing ids, the pending seat, the open question.

Random ids would be refused at the first look-up, so three of four values are replaced by existing
ones.
"""

from __future__ import annotations

from random import Random
from typing import Any

import schemathesis

from rounds.house_with_operator import TABLES
from security.cast import Cast, Person
from tapisvert.engine.view import AskView
from tapisvert.refusal import unwrap
from tapisvert.rounds.player_views import round_reply
from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest, SeatRequest
from tapisvert.words import LANGUAGES

Case = schemathesis.Case[Any]
_REAL = 0.75  # share of values that are replaced


class Live:
    """The live values of a house for one caller."""

    def __init__(self, cast: Cast, person: Person | None) -> None:
        self._cast, self._person = cast, person
        self._count = 0

    def put_right(self, case: Case, dice: Random) -> None:
        """Replace values of a case by existing ones."""
        for name in case.path_parameters or ():
            if dice.random() < _REAL:
                case.path_parameters[name] = self._existing(name, dice)
        if case.operation.path.endswith("}/advice") and self._person and dice.random() < _REAL:
            case.path_parameters["round_id"] = dice.choice(self._asked(self._person, dice))
        if "Idempotency-Key" in (case.headers or {}) and dice.random() < _REAL:
            case.headers["Idempotency-Key"] = self._key()
        if isinstance(case.body, dict) and dice.random() < _REAL:
            case.body = {**case.body, **self._body(case, set(case.body), dice)}

    def _existing(self, name: str, dice: Random) -> str:
        everyone = list(self._cast.people.values())
        whose = self._person or dice.choice(everyone)
        return {
            "round_id": dice.choice([*whose.rounds.values()]),
            "player_id": dice.choice(everyone).player_id,
            "game": dice.choice([*TABLES]),
            "language": dice.choice(LANGUAGES),
        }[name]

    def _body(self, case: Case, fields: set[str], dice: Random) -> dict[str, Any]:
        path = case.operation.path
        if fields == {"game"}:
            return {"game": dice.choice([*TABLES])}
        if fields == {"token"} and self._person:
            return {"token": self._person.guest.token}
        if path.endswith("/rounds") and self._person:
            return self._opening(self._person, dice)
        if path.endswith("/choices") and self._person:
            return self._choice(case, self._person, dice)
        some = {
            "currency": dice.choice(["CAD", "EUR"]),
            "cents": dice.choice([1, 500, 10_000]),
            "reason": "a figure is being checked",
            "scope": dice.choice(
                ["all", "game:blackjack", "jackpot:blackjack", self._player_scope(dice)]
            ),
        }
        return {name: some[name] for name in fields & set(some)}

    def _player_scope(self, dice: Random) -> str:
        return f"player:{dice.choice([*self._cast.people.values()]).player_id}"

    def _opening(self, person: Person, dice: Random) -> dict[str, Any]:
        """Return a body for the pending seat, with stakes of every kind."""
        game, token = dice.choice([*TABLES]), person.guest.token
        for round_id in self._waiting(person, game):
            self._finish(person, round_id)
        seat = unwrap(self._cast.house.seat(token, SeatRequest(game)).result())
        stakes = dict(TABLES[game].stakes)
        if dice.random() > _REAL:
            stakes[dice.choice([*stakes])] = dice.choice([1, 100, 1050, 10**7, 2**63])
        person.rounds[game] = seat.round_id
        return {
            "round_id": seat.round_id,
            "commitment": seat.commitment,
            "client_seed": "seed",
            "stakes": stakes,
        }

    def _choice(self, case: Case, person: Person, dice: Random) -> dict[str, Any]:
        """Return an answer to an open question; open a round if there is none."""
        case.path_parameters["round_id"] = dice.choice(self._asked(person, dice))
        ask = self._ask(person, case.path_parameters["round_id"])
        assert ask is not None
        return {"step": ask.step, "choice": dice.choice(ask.options).id}

    def _asked(self, person: Person, dice: Random) -> list[str]:
        """Return the waiting rounds of a person, at least one."""
        return self._waiting(person) or [self._opened(person, dice.choice([*TABLES]))]

    def _waiting(self, person: Person, game: str = "%") -> list[str]:
        rows = self._cast.house.store.read(
            lambda tx: tx.rows(
                "SELECT id FROM rounds WHERE player_id = ? AND state = 'open' AND game LIKE ?",
                (person.player_id, game),
            )
        ).result()
        return [row[0] for row in rows]

    def _ask(self, person: Person, round_id: str) -> AskView | None:
        asked = self._cast.house.query(
            person.guest.token, lambda desk: round_reply(desk, round_id).round.ask
        )
        return asked.result()

    def _opened(self, person: Person, game: str) -> str:
        token, house = person.guest.token, self._cast.house
        seat = unwrap(house.seat(token, SeatRequest(game)).result())
        asked = OpenRequest(seat.round_id, seat.commitment, TABLES[game].stakes, "seed")
        unwrap(house.open(token, self._key(), asked).result())
        return seat.round_id

    def _finish(self, person: Person, round_id: str) -> None:
        """Answer until the round is over, with options that cost nothing."""
        while ask := self._ask(person, round_id):
            free = [each.id for each in ask.options if each.legal and not each.stake_cents]
            choice = ChoiceRequest(ask.step, free[-1])
            future = self._cast.house.choose(person.guest.token, self._key(), round_id, choice, 0)
            unwrap(future.result())

    def _key(self) -> str:
        self._count += 1
        return f"fuzz-{id(self)}-{self._count}"
