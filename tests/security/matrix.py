"""Requests by each caller about another player, and checks that nothing leaked or changed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from httpx import Response

from security.cast import Cast, Person
from security.routes import Asked, Route, replayed, requests_about, routes_of
from tapisvert.players.player import FIRST_GRANT_CENTS
from web.five import cards_in
from web.scene import PROBLEM_JSON

UNKNOWN_TOKEN = "0" * 64
_AMOUNT_MIN = 1000  # smaller numbers are steps, editions and row numbers
_TEXT_MIN = 8
_OWN_REFUSALS = {  # what a player may be told about themselves on a route of their own
    "POST /wallet/play-money": {(409, "wallet/not_broke"), (403, "wallet/play_money_only")},
    "POST /games/{game}/rules": {(200, ""), (403, "rules/real_money")},
    "POST /practice/{game}/answers": {(409, "practice/stale")},
}

# Cards of the caller's own rounds or of practice decks; the round id beside them identifies the
# owner.
_OWN_CARDS = {"GET /statistics", "GET /drill/{game}", "POST /practice/{game}/questions"}


@dataclass(frozen=True)
class Caller:
    """A caller; `person` is set for a player."""

    name: str
    headers: dict[str, str]
    person: Person | None = None


@dataclass(frozen=True)
class Cell:
    """One request of the matrix."""

    asked: Asked
    caller: Caller
    victim: Person

    def __str__(self) -> str:
        about = f"{self.victim.name}'s {self.asked.about}".rstrip()
        return f"{self.asked.route.name} by {self.caller.name} about {about}"


class Matrix:
    """Every route of the served document, called by each caller about another player."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.routes = routes_of(cast.client.get("/api/v1/openapi.json").json())
        self._keys = (f"matrix-{number}" for number in itertools.count())
        public = [cast.client.get(f"/api/v1{path}") for path in _PUBLIC]
        words = " ".join(answer.text for answer in (*public, cast.client.get("/verifier.html")))
        world = leaves_of([*(answer.json() for answer in public), FIRST_GRANT_CENTS])
        self._known = {
            person.name: {each for each in self._told(person) - world if str(each) not in words}
            for person in self._people()
        }
        self._rows = cast.all_rows()

    def cells(self, victim: Person) -> Iterator[Cell]:
        """Yield every unauthorized request about a person."""
        asked = [each for route in self.routes for each in requests_about(route, victim)]
        for each in itertools.chain(asked, replayed(self.routes, victim)):
            for caller in self.callers(victim, each.route):
                yield Cell(each, caller, victim)

    def callers(self, victim: Person, route: Route) -> list[Caller]:
        """Return the callers without a right to this route about this person."""
        clerk = self.cast.clerk.token
        others = [person for person in self._people() if person is not victim]
        found = [
            Caller("nobody", {}),
            Caller("an unknown token", _bearer(UNKNOWN_TOKEN)),
            Caller("an unknown cookie", _cookie(UNKNOWN_TOKEN)),
            Caller("an operator's cookie", _cookie(clerk)),
        ]
        for person in others:
            token = person.guest.token
            found.append(Caller(person.name, _bearer(token), person))
            found.append(Caller(f"{person.name} with a cookie", _cookie(token), person))
        if route.kind == "operator":  # a player may not use them, not even about themselves
            token = victim.guest.token
            found.append(Caller(f"{victim.name} themselves", _bearer(token), victim))
            found.append(Caller(f"{victim.name}'s own cookie", _cookie(token), victim))
        else:
            found.append(Caller("an operator", _bearer(clerk)))
        return found

    def send(self, asked: Asked, headers: dict[str, str]) -> Response:
        self.cast.client.cookies.clear()
        key = asked.key or next(self._keys)
        return self.cast.client.request(
            asked.route.method,
            asked.path,
            json=asked.body,
            headers={"Idempotency-Key": key, **headers},
        )

    def faults(self, cell: Cell) -> list[str]:
        """Send a request of the matrix; return the findings on its response and effects."""
        asked, caller, victim = cell.asked, cell.caller, cell.victim
        before = self._rows
        answer = self.send(asked, caller.headers)
        after = self._rows = self.cast.all_rows()
        found = []
        outcome = (answer.status_code, _code(answer))
        if outcome not in allowed(asked.route, caller):
            found.append(f"is answered {outcome}")
        if leaked := self._leaked(cell, answer):
            found.append(f"tells {sorted(leaked, key=str)[:3]}")
        shows_own = asked.route.kind == "open to all" or asked.route.name in _OWN_CARDS
        if not shows_own and (cards := cards_in(_content(answer))):
            found.append(f"shows {sorted(cards)}")
        if after is not before and self._about(victim, after) != self._about(victim, before):
            found.append("moves what is theirs")
        if not answer.is_success and (moved := _moved(before, after)):
            found.append(f"is refused and moves {moved}")
        is_unknown = outcome[1] in ("round/unknown", "seat/unknown")
        if is_unknown and not self._as_if_it_never_was(cell, answer):
            found.append("is answered otherwise than what never was")
        return [f"{cell} {each}" for each in found]

    def secrets(self, person: Person, caller: Caller) -> set[object]:
        """Return the values known to this person and not to the caller or the public."""
        own = self._known[caller.person.name] if caller.person else set()
        return self._known[person.name] - own

    def _told(self, person: Person) -> set[object]:
        """Return every value in a person's own responses, and the seeds and tokens."""
        headers = _bearer(person.guest.token)
        asked = [
            each
            for route in self.routes
            if (route.kind, route.method) == ("player", "GET")
            for each in requests_about(route, person)
        ]
        answers = [self.send(each, headers) for each in asked]
        shown = [_content(answer) for answer in answers if answer.is_success]
        return leaves_of([*shown, *self.cast.secrets(person), person.player_id, person.seat])

    def _leaked(self, cell: Cell, answer: Response) -> set[object]:
        """Return the victim's secrets in the response, except values the request contained."""
        sent = leaves_of(
            [cell.asked.body, re.split("[/?]", cell.asked.path), cell.victim.player_id]
        )
        return found_in(answer, self.secrets(cell.victim, cell.caller) - sent)

    def _as_if_it_never_was(self, cell: Cell, answer: Response) -> bool:
        names = {name: "f" * len(name) for name in cell.victim.rounds.values()}
        other = self.send(cell.asked.about_nobody(names), cell.caller.headers)
        self._rows = self.cast.all_rows()
        content = answer.text
        for name, made_up in names.items():
            content = content.replace(name, made_up)
        return (content, answer.headers) == (other.text, other.headers)

    def _about(self, person: Person, rows: dict[str, list[str]]) -> dict[str, list[str]]:
        names = (person.player_id, *person.rounds.values())
        return {
            # A refusal may name the victim's round; it is stored under the caller's own key.
            table: [row for row in found if row.startswith(person.player_id)]
            if table in _KEPT
            else [row for row in found if any(name in row for name in names)]
            for table, found in rows.items()
        }

    def _people(self) -> list[Person]:
        return list(self.cast.people.values())


_PUBLIC = ("/games", "/words/en", "/words/fr", "/health", "/jackpots", "/openapi.json")
_KEPT = ("commands", "operator_commands", "tails")  # a tail counts what is kept


def allowed(route: Route, caller: Caller) -> set[tuple[int, str]]:
    """Return the documented outcomes for an unauthorized caller (docs/http.md, docs/errors.md)."""
    if route.kind == "operator":
        return {(401, "operator/missing")}
    if route.name == "POST /sessions":  # called with an unknown token
        return {(401, "session/missing")}
    if route.kind == "open to all":
        return {(route.success, "")}
    if caller.person is None:
        return {(401, "session/missing")}
    if "round_id" in route.parameters:
        return {(404, "round/unknown")}
    if route.names_a_round:
        return {(409, "seat/unknown")}
    return _OWN_REFUSALS.get(route.name, {(route.success, "")})


def leaves_of(value: object) -> set[object]:
    """Return the texts and amounts in a response that are long enough to be unique.

    >>> sorted(map(str, leaves_of({"id": "0123456789", "step": 0, "wallet": [98_900, True]})))
    ['0123456789', '98900']
    """
    if isinstance(value, dict):
        return leaves_of(list(value.values()))
    if isinstance(value, list):
        return set().union(*map(leaves_of, value))
    if isinstance(value, str):
        return {value} if len(value) >= _TEXT_MIN else set()
    return {value} if isinstance(value, int) and abs(value) >= _AMOUNT_MIN else set()


def found_in(answer: Response, secrets: set[object]) -> set[object]:
    """Return the secrets in a response, as a value or anywhere in its text."""
    raw = f"{answer.headers!r} {answer.text}"
    texts = {each for each in secrets if isinstance(each, str) and each in raw}
    is_json = "json" in answer.headers.get("content-type", "")
    return texts | (leaves_of(_content(answer)) & secrets if is_json else set())


def _content(answer: Response) -> Any:
    if "text/event-stream" in answer.headers.get("content-type", ""):
        return answer.text
    return answer.json() if answer.content else None


def _code(answer: Response) -> str:
    is_problem = answer.headers.get("content-type") == PROBLEM_JSON
    return str(answer.json()["code"]) if is_problem else ""


def _moved(before: dict[str, list[str]], after: dict[str, list[str]]) -> list[str]:
    return [table for table in after if table not in _KEPT and after[table] != before[table]]


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _cookie(token: str) -> dict[str, str]:
    return {"Cookie": f"tapis_session={token}"}
