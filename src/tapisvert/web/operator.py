"""The operator's API: players, cashier, voids, switches, events. Bearer tokens only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from litestar import Response, Router, get, post
from litestar.params import FromPath
from msgspec import Meta, Struct

from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.operations.operator_service import OperatorService, OperatorToken
from tapisvert.operations.operator_views import (
    EVENTS_PAGE,
    EventView,
    NewPlayer,
    PlayerView,
    Revoked,
)
from tapisvert.operations.voiding import Voided
from tapisvert.refusal import unwrap
from tapisvert.rounds.schemas import Stored, Text
from tapisvert.web.api import (
    Before,
    Body,
    Key,
    NoFields,
    answers,
    checked,
    page_before,
    reply,
)
from tapisvert.web.session import Call, bearer, done, house

Reason = Annotated[str, Meta(pattern=r"^[^\x00]*$")]  # stored as text: PostgreSQL refuses NUL


class PlayerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Create a player with an empty account in a real currency."""

    currency: Text


class MoneyRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A deposit or withdrawal, with the operator's own reference."""

    cents: int
    reference: Stored


class VoidRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The reason for voiding a round."""

    reason: Reason


class StopRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Stop or resume new rounds in a scope, `all`, `game:<id>` or `player:<id>`, with a reason."""

    scope: Stored
    reason: Reason


class RevokeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Revoke the tokens of `operator:<name>` or `player:<id>`, with a reason."""

    scope: Stored
    reason: Reason


class Stops(Struct, frozen=True):
    """The switches that are off."""

    stopped: dict[str, dict[str, str]]


class EventList(Struct, frozen=True):
    """Significant events, newest first; `next` is the `before` of the next page."""

    events: list[EventView]
    next: int | None


@post("/players", status_code=201, responses=answers(NewPlayer, 201))
async def create_player(request: Call, data: Body[PlayerRequest]) -> Response[bytes]:
    """Create a player with real money; the token is shown once."""
    asked = checked(data, PlayerRequest)
    service = operator_service(request)
    made = service.command(lambda operator: operator.create_player(asked.currency))
    return reply(msgspec.json.encode(unwrap(await done(made))), 201)


@get("/players/{player_id:str}", responses=answers(PlayerView))
async def show_player(request: Call, player_id: FromPath[str]) -> Response[bytes]:
    """Show a player: money, debt, open and voided rounds."""
    return await _see(request, lambda operator: operator.player(player_id))


@post("/players/{player_id:str}/deposits", status_code=200, responses=answers(PlayerView))
async def deposit(
    request: Call, player_id: FromPath[str], data: Body[MoneyRequest], key: Key = None
) -> Response[bytes]:
    """Deposit money for a player."""
    asked = checked(data, MoneyRequest)
    return await _act(
        request,
        key,
        ["deposit", player_id, asked],
        lambda operator: operator.deposit(player_id, asked.cents, asked.reference),
    )


@post("/players/{player_id:str}/withdrawals", status_code=200, responses=answers(PlayerView))
async def withdraw(
    request: Call, player_id: FromPath[str], data: Body[MoneyRequest], key: Key = None
) -> Response[bytes]:
    """Withdraw money for a player."""
    asked = checked(data, MoneyRequest)
    return await _act(
        request,
        key,
        ["withdraw", player_id, asked],
        lambda operator: operator.withdraw(player_id, asked.cents, asked.reference),
    )


@post("/players/{player_id:str}/debt-payments", status_code=200, responses=answers(PlayerView))
async def pay_debt(
    request: Call, player_id: FromPath[str], key: Key = None, data: Body[NoFields | None] = None
) -> Response[bytes]:
    """Collect a player's debt from the balance, up to the balance."""
    checked({} if data is None else data, NoFields)
    return await _act(
        request, key, ["debt", player_id], lambda operator: operator.pay_debt(player_id)
    )


@post("/rounds/{round_id:str}/void", status_code=200, responses=answers(Voided))
async def void_round(
    request: Call, round_id: FromPath[str], data: Body[VoidRequest], key: Key = None
) -> Response[bytes]:
    """Void a round, open or over: a malfunction voids plays and pays."""
    asked = checked(data, VoidRequest)
    return await _act(
        request,
        key,
        ["void", round_id, asked],
        lambda operator: operator.void(round_id, asked.reason),
    )


@get("/stops", responses=answers(Stops))
async def stops(request: Call) -> Response[bytes]:
    """List the switches that are off."""
    return await _see(request, lambda operator: Stops(operator.stopped()))


@post("/stops", status_code=200, responses=answers(Stops))
async def stop(request: Call, data: Body[StopRequest], key: Key = None) -> Response[bytes]:
    """Stop new rounds; open ones may finish."""
    asked = checked(data, StopRequest)
    return await _act(
        request,
        key,
        ["stop", asked],
        lambda operator: Stops(operator.stop(asked.scope, asked.reason)),
    )


@post("/resumptions", status_code=200, responses=answers(Stops))
async def resume(request: Call, data: Body[StopRequest], key: Key = None) -> Response[bytes]:
    """Allow new rounds again."""
    asked = checked(data, StopRequest)
    return await _act(
        request,
        key,
        ["resume", asked],
        lambda operator: Stops(operator.resume(asked.scope, asked.reason)),
    )


@post("/revocations", status_code=200, responses=answers(Revoked))
async def revoke(request: Call, data: Body[RevokeRequest], key: Key = None) -> Response[bytes]:
    """Revoke the tokens of an operator or a player."""
    asked = checked(data, RevokeRequest)
    return await _act(
        request,
        key,
        ["revoke", asked],
        lambda operator: operator.revoke(asked.scope, asked.reason),
    )


@get("/events", responses=answers(EventList))
async def events(request: Call, before: Before = None) -> Response[bytes]:
    """List significant events, newest first."""
    end = page_before(before)

    def page(operator: OperatorCommands) -> EventList:
        found = operator.events(end)
        return EventList(found, found[-1].id if len(found) == EVENTS_PAGE else None)

    return await _see(request, page)


def operator_service(request: Call) -> OperatorService:
    """Return the operator service for the token of a request."""
    return OperatorService(house(request), OperatorToken(bearer(request)))


async def _act(
    request: Call, key: str | None, asked: object, work: Callable[[OperatorCommands], object]
) -> Response[bytes]:
    """Run an operator's command once per idempotency key."""
    return reply(unwrap(await done(operator_service(request).once(key, asked, work))), 200)


async def _see(request: Call, ask: Callable[[OperatorCommands], object]) -> Response[bytes]:
    """Respond to an operator's question from one snapshot of the database."""
    found = operator_service(request).query(lambda operator: msgspec.json.encode(ask(operator)))
    return reply(await done(found), 200)


OPERATOR_API = Router(
    "/api/v1/operator",
    route_handlers=[
        create_player,
        show_player,
        deposit,
        withdraw,
        pay_debt,
        void_round,
        stops,
        stop,
        resume,
        revoke,
        events,
    ],
)
