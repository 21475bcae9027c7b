"""Shared by the HTTP tests: requests as sent, and a house that refused calls must not change."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from httpx import Response
from litestar.testing import TestClient

from houses import ROYAL, Guest, client_of, make_house, opening
from tapisvert.engine.sheet_file import with_changes
from tapisvert.history.round_proof import Proof, check_proof, read_proof
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest, Seat, SeatRequest
from tapisvert.sheets import load
from tapisvert.store.port import Row
from tapisvert.words import catalogue, explain

STUD = "casino-stud"
GRANT = 100_000  # initial balance of a guest
PROBLEM_JSON = "application/problem+json"
# A table where the limits exceed a guest's balance.
DEAR = with_changes(load(STUD), {"spots.ante.max_cents": 10_000_000})
Seating = Callable[..., tuple[PlayerService, Guest]]
_TABLES = (
    *("players", "sessions", "accounts", "transfers", "rounds", "significant_events"),
    *("operators", "operator_commands", "switches", "reversals", "seals"),
)


@dataclass(frozen=True)
class Call:
    """A request. A body of type bytes is sent unchanged."""

    method: str
    path: str
    body: object = b""
    headers: Mapping[str, str | bytes | None] = field(default_factory=dict)  # None removes a header

    @property
    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else msgspec.json.encode(self.body)


class Scene:
    """Three guests of one house: Ann is seated, Bea has a round open, Cy has finished one.

    Every deck begins with a royal flush for the player, which cannot be folded. Bea has staked so
    much that she cannot afford to play either.
    """

    def __init__(self, path: Path) -> None:
        self.house = make_house(path, ROYAL, sheet_of=lambda _: DEAR)
        self.client: TestClient[Any] = client_of(self.house)
        self._keys = (f"call-{number}" for number in itertools.count())

    def enter(self) -> None:
        self.ann, self.bea, self.cy = (Guest(self.client) for _ in range(3))
        self.seat = self.ann.seat()
        self.open_id = self.bea.open({"ante": 60_000}).json()["round"]["id"]
        self.second_seat = self.bea.seat()
        ended = self.cy.open({"ante": 1000}).json()["round"]["id"]
        self.ended_id: str = ended
        assert self.cy.choose(ended, "play").json()["round"]["state"] == "settled"

    def send(self, call: Call, language: str = "", key: str | None = None) -> Response:
        """Send a call, as Ann unless it says otherwise."""
        headers: dict[str, str | bytes | None] = {
            "Host": "127.0.0.1",
            "Authorization": f"Bearer {self.ann.token}",
            "Idempotency-Key": key or next(self._keys),
            "Content-Type": "application/json" if call.content else None,
            "Accept-Language": language or None,
            **call.headers,
        }
        self.client.cookies.clear()  # an earlier call may have created a guest and set one
        sent = [
            (name.encode(), _raw(value)) for name, value in headers.items() if value is not None
        ]
        return self.client.request(
            call.method, call.path, content=call.content or None, headers=sent
        )

    def refuses(self, call: Call, code: str, status: int) -> dict[str, Any]:
        """Assert that a call is refused in both languages with this code, and changes nothing.

        The second call is a retry with the same key, so a stored refusal is repeated.
        """
        before, wallets, key = everything(self.house), self.wallets(), next(self._keys)
        problems = {}
        for language in ("en", "fr"):
            answer = self.send(call, language, key)
            problem: dict[str, Any] = answer.json()
            assert (answer.status_code, problem.get("code")) == (status, code), problem
            assert answer.headers["content-type"] == PROBLEM_JSON
            assert problem["status"] == status
            assert problem["type"] == f"/errors#{code}"
            assert problem["title"]
            assert problem["retryable"] is (status >= 500)
            told = explain(catalogue(language), Refused(code, **problem["args"]))
            assert problem["detail"] == told
            problems[language] = problem
        assert problems["en"]["args"] == problems["fr"]["args"]
        assert problems["en"]["detail"] != problems["fr"]["detail"]
        assert everything(self.house) == before, "something has moved"
        assert self.wallets() == wallets
        return problems["en"]

    def wallets(self) -> list[tuple[int, int]]:
        """Return balance and held amount of every guest."""
        return [guest.balance() for guest in (self.ann, self.bea, self.cy)]

    def opening(self, **changes: Any) -> dict[str, Any]:
        """Return a valid body for opening Ann's round, with changes."""
        return opening(self.seat, {"ante": 1000}) | changes

    def as_bea(self) -> dict[str, str | bytes | None]:
        return {"Authorization": f"Bearer {self.bea.token}"}

    def as_cy(self) -> dict[str, str | bytes | None]:
        return {"Authorization": f"Bearer {self.cy.token}"}


def everything(house: PlayerService) -> dict[str, list[Row]]:
    """Return every row of the tables that hold money and rounds."""
    return house.store.read(
        lambda tx: {table: tx.rows(f"SELECT * FROM {table} ORDER BY 1") for table in _TABLES}
    ).result()


def play_round(
    house: PlayerService, token: str, key: str, stakes: dict[str, Any], choice: str | None
) -> str:
    """Play a round without HTTP; without a choice it stays open."""
    seat = house.seat(token, SeatRequest(STUD)).result()
    assert isinstance(seat, Seat)
    asked = OpenRequest(seat.round_id, seat.commitment, stakes, f"client {key}")
    opened = house.open(token, f"{key}/open", asked).result()
    assert isinstance(opened, bytes), opened
    if choice is not None:
        chosen = ChoiceRequest(0, choice)
        ended = house.choose(token, f"{key}/choose", seat.round_id, chosen, 0).result()
        assert isinstance(ended, bytes), ended
    return seat.round_id


def proof_from(guest: Guest, round_id: str) -> Proof:
    return read_proof(guest.get(f"/rounds/{round_id}/proof").content, "round.json")


def verified(proof: Proof) -> bool:
    """Return whether a proof is true; a proof that cannot be replayed is false."""
    try:
        return check_proof(read_proof(msgspec.json.encode(proof), "round.json"), "round.json").true
    except Refused:
        return False


def code_of(refusal: Response) -> tuple[int, str]:
    """Return status and code of a refusal."""
    assert refusal.headers["content-type"] == PROBLEM_JSON, refusal.text
    return refusal.status_code, refusal.json()["code"]


def _raw(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()
