"""Messages between callers and a house, and their effects in the database."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from tapisvert.refusal import Refused
from tapisvert.rounds.player_service import PlayerService
from tapisvert.rounds.round import Round


class Party(Protocol):
    """A sender: a tab of a player, an operator, or housekeeping."""

    name: str

    def hear(self, request: Request, outcome: object) -> None:
        """Process an answer."""


@dataclass(eq=False)
class Request:
    """A request to the house, under one key however often it is sent."""

    number: int
    party: Party
    kind: str
    send: Callable[[PlayerService], Future[Any]]
    key: str | None = None
    owner: str = ""  # the owner of the key: a player's id, or an operator's name
    token: str | None = None
    player_id: str | None = None  # the player an operator's command is about
    game: str = ""
    round_id: str = ""
    asked: Any = None
    answered: bool = False

    @property
    def body(self) -> object:
        """Return the content that distinguishes two requests under one key."""
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
    """A written row of `rounds`: its state before and after."""

    round_id: str
    was: str | None
    now: str

    @property
    def opens(self) -> bool:
        """Tell whether a deal was opened; it may have ended in the same step."""
        return self.was == "seated" and self.now in ("open", "settled")

    @property
    def ends(self) -> bool:
        return self.was in ("seated", "open") and self.now in ("settled", "voided")


@dataclass
class Unit:
    """One committed transaction: the sender, the outcome, and the rows."""

    request: Request
    server: int
    source_failed: bool  # the server's entropy source had failed before
    started_ms: int  # the monotonic time its server started
    at_ms: int  # the monotonic time it ran
    outcome: object = None
    raised: bool = False  # the outcome was an exception: nothing is stored, not even a refusal
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
        """Tell whether it moved money, changed a round, or wrote an event."""
        return bool(self.transfers or self.steps or self.events)


def code_of(outcome: object) -> str:
    """Name an outcome: `granted`, the code of a refusal, or the type of an error."""
    if isinstance(outcome, Refused):
        return outcome.code
    return type(outcome).__name__ if isinstance(outcome, BaseException) else "granted"
