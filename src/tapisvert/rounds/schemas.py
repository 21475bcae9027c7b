"""Requests and replies of the HTTP API as typed structs."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any

from msgspec import Meta, Struct

from tapisvert.engine import AnyEvent
from tapisvert.engine.view import AskView, LineView

Text = Annotated[str, Meta(max_length=256)]
# Text that is stored or looked up. PostgreSQL takes no NUL character, so SQLite takes none either.
Stored = Annotated[str, Meta(max_length=256, pattern=r"^[^\x00]*$")]
# The decoder accepts any value; the table refuses a wrong one with its own code
# (`stake/not_a_number`).
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
    """Answer a question."""

    step: int
    choice: Text


class RetiredSeat(Struct, frozen=True):
    """A pending deal that was retired unused. Its seed is revealed, so nothing stays hidden."""

    round_id: str
    commitment: str
    server_seed: str


class Seat(Struct, frozen=True):
    """The next deal of a player at a game, with its commitment, before any stake."""

    round_id: str
    game: str
    commitment: str
    edition: int
    sheet_hash: str
    retired: RetiredSeat | None = None  # the seat this one replaces, when the rules have changed


class Wallet(Struct, frozen=True):
    """A player's balance, and the sum that open rounds hold."""

    currency: str
    balance_cents: int
    held_cents: int


class ReversalView(Struct, frozen=True):
    """An operator's reversal of a round: every net result is moved back."""

    at: str
    reason: str
    given_cents: int  # paid to the player
    taken_cents: int  # taken from the player
    debt_cents: int  # left as a debt


class RoundView(Struct, frozen=True):
    """A round as its player sees it, with the events from `since` on."""

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
    """The reply to opening, answering or reading a round: the round and the wallet.

    The command that ends a round also returns the next seat, if any; otherwise `seat` is null.
    """

    round: RoundView
    wallet: Wallet
    seat: Seat | None = None


class Recall(Struct, frozen=True):
    """A finished round, replayed from its record."""

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
    reversed: bool = False  # voided by an operator
    rules: str | None = None  # a variant or `own`; null: the house's


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
    """The pot of a game has another currency than the player: that currency, and the rate.

    One unit of the player's currency is `rate` units of the pot's. Without a rate it is null, and
    the pot's bet is not offered.
    """

    currency: str
    rate: str | None


class Guest(Struct, frozen=True):
    """A new guest. `token` is present only if requested, and only once."""

    player_id: str
    wallet: Wallet
    token: str | None = None


@lru_cache(1024)
def iso(at_ms: int) -> str:
    """Format a time.

    >>> iso(1_000)
    '1970-01-01T00:00:01.000Z'
    """
    moment = datetime.fromtimestamp(at_ms / 1000, UTC).replace(tzinfo=None)
    return f"{moment.isoformat(timespec='milliseconds')}Z"
