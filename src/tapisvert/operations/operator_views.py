"""Replies to operators: players, tokens, events."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

EVENTS_PAGE = 50


class NewPlayer(Struct, frozen=True):
    """A new player; the token is shown once."""

    player_id: str
    currency: str
    token: str


class PlayerView(Struct, frozen=True):
    """A player as shown to operators."""

    player_id: str
    kind: str
    currency: str
    created_at: str
    balance_cents: int
    held_cents: int
    debt_cents: int
    open_rounds: int
    voided_rounds: int
    stopped: str | None


class Revoked(Struct, frozen=True):
    """A revocation: `operator:<name>` or `player:<id>`, and the number of tokens."""

    scope: str
    tokens: int


class EventView(Struct, frozen=True):
    """A significant event."""

    id: int
    at: str
    kind: str
    player_id: str | None
    round_id: str | None
    data: dict[str, Any]
