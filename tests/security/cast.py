"""The people of the route matrix: two guests, a player with real money and an operator.

Each of the three players has a round in every state, with unique stakes, so that their data can be
recognized in another caller's reply.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from httpx import Response
from litestar.testing import TestClient

from houses import Guest, Opinionated, client_of, opening
from rounds.house_with_operator import TABLES, open_tables
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.players.repository import token_hash
from tapisvert.rounds import PlayerService
from tapisvert.sheets import load
from tapisvert.store import Tx
from web.office import WHY, clerk_of

# The state of each game's round; `reversed` is settled and then voided.
GAME_OF = {
    "open": "casino-stud",
    "settled": "pai-gow",
    "reversed": "high-card-flush",
    "voided": "blackjack",
    "retired": "ultimate",
    "seated": "ultimate",
}
_CHANGED = with_changes(load("ultimate"), {"spots.ante.max_cents": 40_000})


@dataclass
class Person:
    """A player with a round in every state, and the commands that made them."""

    name: str
    guest: Guest
    player_id: str
    stake_cents: int
    rounds: dict[str, str] = field(default_factory=dict)
    seat: dict[str, Any] = field(default_factory=dict)
    sent: list[tuple[str, object, str]] = field(default_factory=list)  # path, body, key

    def opening(self) -> dict[str, Any]:
        """Return a valid body for opening the pending deal."""
        stakes = {"ante": self.stake_cents, "blind": self.stake_cents}
        return opening(self.seat, stakes, f"seed of {self.name}")

    def command(self, path: str, body: object) -> Response:
        """Send a command and record it exactly."""
        key = f"{self.name}'s {len(self.sent)}"
        self.sent.append((path, body, key))
        answer: Response = self.guest.post(path, body, key)
        assert answer.is_success, answer.text
        return answer

    def deal(self, state: str) -> str:
        """Open the round that will be in this state."""
        game = GAME_OF[state]
        seat = self.guest.seat(game)
        stakes = dict.fromkeys(TABLES[game].stakes, self.stake_cents)
        self.command("/rounds", opening(seat, stakes, f"{state} seed of {self.name}"))
        self.rounds[state] = seat["round_id"]
        return self.rounds[state]

    def finish(self, state: str) -> None:
        """Play that round to its end."""
        for step, choice in enumerate(TABLES[GAME_OF[state]].choices):
            path = f"/rounds/{self.rounds[state]}/choices"
            self.command(path, {"step": step, "choice": choice})


@dataclass(frozen=True)
class Cast:
    """Everyone, and the house they are in."""

    house: PlayerService
    client: TestClient[Any]
    clerk: Guest
    rows: Rows
    people: dict[str, Person]

    def secrets(self, person: Person) -> set[str]:
        """Return a person's secrets in the database: seeds, sealed or not, and tokens."""

        def seeds(tx: Tx) -> set[str]:
            rows = tx.rows(
                "SELECT id, sealed_seed FROM rounds WHERE player_id = ?", (person.player_id,)
            )
            clear = {self.house.dealer.unseal(sealed, name).hex() for name, sealed in rows}
            return clear | {sealed.hex() for _, sealed in rows}

        token = person.guest.token
        return {token, token_hash(token).hex()} | self.house.store.read(seeds).result()

    def all_rows(self) -> dict[str, list[str]]:
        return self.rows.read()


class Rows:
    """The rows of a database file; reread only after another connection has written."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file
        self._version = -1
        self._rows: dict[str, list[str]] = {}

    def read(self) -> dict[str, list[str]]:
        """Return every row of every table as text."""
        ((version,),) = self._file.execute("PRAGMA data_version").fetchall()
        if version != self._version:
            self._version = version
            tables = self._file.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ).fetchall()
            self._rows = {
                name: [
                    _as_text(row)
                    for row in self._file.execute(f"SELECT * FROM {name} ORDER BY 1, 2")
                ]
                for (name,) in tables
            }
        return self._rows


def _as_text(row: tuple[Any, ...]) -> str:
    # A stored reply is bytes of JSON; other bytes are hashes and seeds, told apart by their hex.
    return " ".join(
        f"{each.hex()} {each!r}" if isinstance(each, bytes) else str(each) for each in row
    )


@contextmanager
def cast_in(folder: Path) -> Iterator[Cast]:
    """Open a house with all these people."""
    house = open_tables(folder / "tapis.db")
    file = sqlite3.connect(folder / "tapis.db")
    with closing(file), client_of(house, Opinionated()) as client:
        cast = Cast(house, client, clerk_of(house, client, "anne"), Rows(file), {})
        for number, name in enumerate(("guest A", "guest B", "real money")):
            cast.people[name] = _person(cast, name, 1100 + 200 * number)
        for person in cast.people.values():
            person.rounds["retired"] = person.guest.seat("ultimate")["round_id"]
        house.sheet_of = _after_the_change
        for person in cast.people.values():
            _play(cast, person)
        yield cast


def _after_the_change(game: str) -> Sheet:
    return _CHANGED if game == "ultimate" else load(game)


def _person(cast: Cast, name: str, stake_cents: int) -> Person:
    if name != "real money":
        made = cast.client.post("/api/v1/guests", json={"bearer": True}).json()
        cast.client.cookies.clear()
    else:
        made = cast.clerk.post("/operator/players", {"currency": "CAD"}).json()
        first = {"cents": 7_654_300, "reference": "first"}
        cast.clerk.post(f"/operator/players/{made['player_id']}/deposits", first)
    return Person(name, Guest(cast.client, made["token"]), made["player_id"], stake_cents)


def _play(cast: Cast, person: Person) -> None:
    """Bring a round of the person to every state."""
    for state in ("open", "settled", "reversed", "voided"):
        person.deal(state)
    for state in ("settled", "reversed"):
        person.finish(state)
    for state in ("reversed", "voided"):
        path = f"/operator/rounds/{person.rounds[state]}/void"
        assert cast.clerk.post(path, WHY).status_code == 200
    person.seat = person.guest.seat(GAME_OF["seated"])
    assert person.seat["retired"]["round_id"] == person.rounds["retired"]
    person.rounds["seated"] = person.seat["round_id"]
