"""What goes between a caller and a house, and what became of it in the database."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from tapisvert.refusal import Refused
from tapisvert.rounds.player_service import PlayerService
from tapisvert.rounds.round import Round


class Party(Protocol):
    """Who asks: one tab of a player, the operator, or a keeper."""

    name: str

    def hear(self, request: Request, outcome: object) -> None:
        """Take in an answer."""


@dataclass(eq=False)
class Request:
    """Something asked of the house, under one key however often it is sent."""

    number: int
    party: Party
    kind: str
    send: Callable[[PlayerService], Future[Any]]
    key: str | None = None
    owner: str = ""  # whose key it is: a player's id, or the operator's name
    token: str | None = None
    player_id: str | None = None  # whose money an operator means
    game: str = ""
    round_id: str = ""
    asked: Any = None
    answered: bool = False

    @property
    def body(self) -> object:
        """Return what tells two requests under one key apart."""
        return self.kind, self.player_id, self.round_id, self.asked

    def __str__(self) -> str:
        return f"#{self.number} {self.kind} of {self.party.name}"


@dataclass(eq=False)
class Letter:
    """A request on its way to a server, or its answer on the way back."""

    request: Request
    back: bool = False
    outcome: object = None


class Moved(NamedTuple):
    """A row of `transfers`."""

    id: int
    at_ms: int
    debit: str
    credit: str
    currency: str
    units: int
    reason: str
    player_id: str | None
    round_id: str | None
    bet: str | None
    hash: bytes | None


class Noted(NamedTuple):
    """A row of `significant_events`."""

    id: int
    at_ms: int
    kind: str
    player_id: str | None
    round_id: str | None
    data: str
    hash: bytes | None


class Step(NamedTuple):
    """A row of `rounds` that was written: its state before and after."""

    round_id: str
    was: str | None
    now: str

    @property
    def opens(self) -> bool:
        """Tell whether a deal was opened; it may have ended in the same step."""
        return self.was == "seated" and self.now in ("open", "settled")

    @property
    def ends(self) -> bool:
        """Tell whether a round has ended."""
        return self.was in ("seated", "open") and self.now in ("settled", "voided")


@dataclass
class Unit:
    """One atomic unit as it was committed: who asked, what came of it, what it wrote."""

    request: Request
    server: int
    source_failed: bool  # the server's randomness had failed before
    started_ms: int  # when its server started, by the time nobody sets
    at_ms: int  # when it ran, by the same time
    outcome: object = None
    raised: bool = False  # the outcome was raised: nothing is kept of it, not even a refusal
    transfers: list[Moved] = field(default_factory=list)
    events: list[Noted] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    rounds: dict[str, Round] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Tell whether it was granted."""
        return not isinstance(self.outcome, BaseException)

    @property
    def effect(self) -> bool:
        """Tell whether it moved money, a round, or wrote something down."""
        return bool(self.transfers or self.steps or self.events)


def code_of(outcome: object) -> str:
    """Name an outcome: `granted`, the code of a refusal, or the kind of an error."""
    if isinstance(outcome, Refused):
        return outcome.code
    return type(outcome).__name__ if isinstance(outcome, BaseException) else "granted"
