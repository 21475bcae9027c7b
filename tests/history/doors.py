"""Access to a house in this process: threads, a real SQLite file, injected decks and clocks.

Requests have the results of the HTTP API (web/api.py, web/operator.py), without HTTP; `wire.py`
uses real HTTP.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Protocol

import msgspec

from history.records import FAILED, GRANTED, Answer, Request
from history.tables import sheets_of
from simulation.tables import stacked
from tapisvert.history import player_history
from tapisvert.history.round_proof import proof_of
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.operations.operator_service import OperatorService, OperatorToken
from tapisvert.operations.operator_views import EVENTS_PAGE
from tapisvert.refusal import Refused
from tapisvert.rounds import Dealer, PlayerService, player_views
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest, SeatRequest
from tapisvert.sealing import Sealer
from tapisvert.store import SqliteStore, Store

PATIENCE_S = 60
BASE_MS = 1_700_000_000_000
KEY = bytes(range(32))
KEEPERS = ("keeper 1", "keeper 2")


class NotSent(Exception):
    """The request has certainly not arrived: no server listens."""


class Door(Protocol):
    """The access of clients to a house."""

    def send(self, request: Request) -> Answer | None:
        """Send a request and wait; return None if the answer was lost."""

    def lose(self, request: Request) -> None:
        """Send a request and disconnect before the answer."""


class Clock:
    """A monotonic clock, and a wall clock that is set forward now and then."""

    def __init__(self) -> None:
        self.steady_ms = BASE_MS
        self.ahead_ms = 0

    def wall(self) -> int:
        """Return the wall-clock time."""
        return self.steady_ms + self.ahead_ms


class Source:
    """The system's entropy source, which can be made to fail once."""

    def __init__(self) -> None:
        self.fails = False

    def __call__(self, size: int) -> bytes:
        if self.fails:
            self.fails = False
            raise OSError("no randomness")
        return os.urandom(size)


class Sweeper:
    """Housekeeping whose monotonic clock is set before each tick."""

    def __init__(self, house: PlayerService, now_ms: int) -> None:
        self.now_ms = now_ms
        self._keeper = Housekeeping(house, lambda: self.now_ms)

    def sweep(self, now_ms: int) -> Future[Any]:
        """Run what is due at this time."""
        self.now_ms = now_ms
        future: Future[Any] = Future()
        future.set_result(self._keeper.tick())
        return future


class HouseDoor:
    """A house opened for a day, closed and opened again with other sheets."""

    def __init__(self, path: Path, open_store: Callable[[Path], Store] = SqliteStore) -> None:
        self.path, self.clock, self.source = path, Clock(), Source()
        self._open_store = open_store
        self.house: PlayerService | None = None
        self.sweepers: dict[str, Sweeper] = {}

    def open(self, day: dict[str, Any]) -> None:
        """Start the day; the wall clock is corrected."""
        self.clock.ahead_ms = 0
        dealer = Dealer(Sealer(KEY), self.source, stacked)
        store = self._open_store(self.path)
        house = PlayerService(store, dealer, sheet_of=sheets_of(day), clock=self.clock.wall)
        self.house = house
        self.sweepers = {name: Sweeper(house, self.clock.steady_ms) for name in KEEPERS}

    def close(self) -> None:
        """Finish queued work and close."""
        if self.house is not None:
            self.house.store.close()
            self.house = None

    def send(self, request: Request) -> Answer | None:
        try:
            return _answer(self._ask(request).result(PATIENCE_S))
        except Refused as refusal:
            return _answer(refusal)
        except Exception as error:
            return Answer(FAILED, msgspec.json.encode(repr(error)[:200]).decode())

    def lose(self, request: Request) -> None:
        """Send a request and disconnect: its outcome is unknown."""
        self._ask(request)

    def _ask(self, request: Request) -> Future[Any]:
        house, kind, args = self.house, request.kind, request.args
        assert house is not None
        if kind == "sweep":
            return self.sweepers[args["keeper"]].sweep(args["now_ms"])
        if kind == "source-fails":
            self.source.fails = True
            return house.guest()
        if kind == "guest":
            return house.guest()
        if kind in OFFICE:
            return _office(house, request)
        return _player(house, request)


def _player(house: PlayerService, request: Request) -> Future[Any]:
    token, key, args = request.token, request.key, request.args
    match request.kind:
        case "seat":
            return house.seat(token, SeatRequest(args["game"]))
        case "open":
            return house.open(token, key, OpenRequest(**args))
        case "choose":
            asked = ChoiceRequest(args["step"], args["choice"])
            return house.choose(token, key, args["round_id"], asked, args["since"])
        case "more":
            return house.more_play_money(token, key)
        case "seen":
            return house.mark_seen(token, args["round_id"])
        case kind:
            return house.query(token, lambda desk: QUERIES[kind](desk, args))


QUERIES: dict[str, Callable[[QueryContext, dict[str, Any]], object]] = {
    "wallet": lambda desk, args: player_views.wallet(desk),
    "rounds": lambda desk, args: player_history.rounds(desk, args["status"], args["before"]),
    "round": lambda desk, args: player_views.round_reply(desk, args["round_id"], args["since"]),
    "recall": lambda desk, args: player_history.recall(desk, args["round_id"]),
    "proof": lambda desk, args: proof_of(desk, args["round_id"]),
    "transfers": lambda desk, args: player_history.transfers(desk, args["before"]),
}


def _office(house: PlayerService, request: Request) -> Future[Any]:
    """Run an operator's request; changes run once per idempotency key."""
    args, kind = request.args, request.kind
    if kind == "operator":  # from the command line, which needs no token
        cli = OperatorService(house, "cli")
        return cli.command(lambda operator: operator.create_operator(args["name"]))
    office, work = OperatorService(house, OperatorToken(request.token)), OFFICE[kind]
    if kind in SEEN:
        return office.query(lambda operator: work(operator, args))
    if kind in ("player", "new-token"):
        return office.command(lambda operator: work(operator, args))
    return office.once(request.key, [kind, args], lambda operator: work(operator, args))


def _events(office: OperatorCommands, args: dict[str, Any]) -> object:
    found = office.events(args["before"])
    return {"events": found, "next": found[-1].id if len(found) == EVENTS_PAGE else None}


SEEN = ("show", "stops", "events")  # an operator's questions
OFFICE: dict[str, Callable[[OperatorCommands, dict[str, Any]], object]] = {
    "operator": lambda office, args: None,
    "player": lambda office, args: office.create_player(**args),
    "new-token": lambda office, args: office.new_token(**args),
    "show": lambda office, args: office.player(**args),
    "deposit": lambda office, args: office.deposit(**args),
    "withdraw": lambda office, args: office.withdraw(**args),
    "pay-debt": lambda office, args: office.pay_debt(**args),
    "void": lambda office, args: office.void(**args),
    "stop": lambda office, args: {"stopped": office.stop(**args)},
    "resume": lambda office, args: {"stopped": office.resume(**args)},
    "stops": lambda office, args: {"stopped": office.stopped()},
    "events": _events,
}


def _answer(outcome: object) -> Answer:
    if isinstance(outcome, Refused):
        return Answer(outcome.code, msgspec.json.encode(outcome.details).decode())
    text = outcome if isinstance(outcome, bytes) else msgspec.json.encode(outcome)
    return Answer(GRANTED, text.decode())
