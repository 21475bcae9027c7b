"""Requests and replies of the HTTP API as typed structs."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any

from msgspec import Meta, Struct

from tapisvert.engine import AnyEvent
from tapisvert.engine.view import AskView, LineView

Text = Annotated[str, Meta(max_length=256)]
# A text that is kept, or looked up. PostgreSQL takes no NUL character; nor does SQLite, then.
Stored = Annotated[str, Meta(max_length=256, pattern=r"^[^\x00]*$")]
# Any value is let through to the table, which refuses a wrong one by name (`stake/not_a_number`).
Stake = Annotated[Any, Meta(extra_json_schema={"type": "integer", "minimum": 1})]


class SeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Sit down at a game."""

    game: Text


class OpenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Stake and deal. Stakes are whole cents by spot id."""

    round_id: Stored
    commitment: Text
    stakes: dict[str, Stake]
    client_seed: Stored


class ChoiceRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Answer the question of a step."""

    step: int
    choice: Text


class RetiredSeat(Struct, frozen=True):
    """A pending deal that was never dealt: its seed is shown, so that retiring it hides nothing."""

    round_id: str
    commitment: str
    server_seed: str


class Seat(Struct, frozen=True):
    """The next deal of a player at a game, committed to before anything is staked."""

    round_id: str
    game: str
    commitment: str
    edition: int
    sheet_hash: str
    retired: RetiredSeat | None = None  # the seat this one replaces, when the rules have changed


class Wallet(Struct, frozen=True):
    """What a player has, and what open rounds hold."""

    currency: str
    balance_cents: int
    held_cents: int


class ReversalView(Struct, frozen=True):
    """That an operator has voided a round: every net result of it was moved back."""

    at: str
    reason: str
    given_cents: int  # to the player
    taken_cents: int  # from the player
    debt_cents: int  # what could not be taken and is owed


class RoundView(Struct, frozen=True):
    """A round as its player sees it. `events` are those from `since` on."""

    id: str
    game: str
    edition: int
    sheet_hash: str
    commitment: str
    client_seed: str
    state: str  # open, settled, voided
    opened_at: str
    ended_at: str | None
    void_after_s: int
    stakes: dict[str, int]
    ask: AskView | None
    lines: tuple[LineView, ...]
    staked_cents: int
    returned_cents: int
    hands: dict[str, tuple[str, ...]]
    events: tuple[AnyEvent, ...]
    reversal: ReversalView | None = None


class RoundReply(Struct, frozen=True):
    """The answer to every command: the round, the money, and the next seat when it is over."""

    round: RoundView
    wallet: Wallet
    seat: Seat | None = None


class Recall(Struct, frozen=True):
    """A round that is over, told again from its record: a replay, not play."""

    replay: bool
    round: RoundView
    choices: tuple[str, ...]
    balance_before_cents: int
    balance_after_cents: int
    seen: bool


class RoundSummary(Struct, frozen=True):
    """One line of a list of rounds."""

    id: str
    game: str
    state: str
    opened_at: str
    ended_at: str | None
    staked_cents: int
    returned_cents: int | None
    seen: bool
    reversed: bool = False  # an operator has voided it afterwards


class RoundList(Struct, frozen=True):
    """A page of rounds, newest first; `next` is the `before` of the page that follows."""

    rounds: tuple[RoundSummary, ...]
    next: int | None


class TransferView(Struct, frozen=True):
    """One movement of a player's money; positive reaches the player."""

    id: int
    at: str
    cents: int
    reason: str
    round_id: str | None
    bet: str | None


class TransferList(Struct, frozen=True):
    """A page of movements, newest first; `next` is the `before` of the page that follows."""

    transfers: tuple[TransferView, ...]
    next: int | None


class Conversion(Struct, frozen=True):
    """The pot of a game has another currency than the player: its own, and the rate.

    A unit of the player's currency is `rate` units of the pot's; none is set where it is null, and
    the pot's bet is not offered.
    """

    currency: str
    rate: str | None


class Guest(Struct, frozen=True):
    """A new guest. `token` is given only when asked for, and never again."""

    player_id: str
    wallet: Wallet
    token: str | None = None


@lru_cache(1024)
def iso(at_ms: int) -> str:
    """Write a time.

    >>> iso(1_000)
    '1970-01-01T00:00:01.000Z'
    """
    moment = datetime.fromtimestamp(at_ms / 1000, UTC).replace(tzinfo=None)
    return f"{moment.isoformat(timespec='milliseconds')}Z"
