"""The operator's API: players, cashier, voids, switches, events. Bearer tokens only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from litestar import Response, Router, get, post
from litestar.params import FromPath
from msgspec import Meta, Struct

from tapisvert.operations.operator_service import (
    EVENTS_PAGE,
    EventView,
    NewPlayer,
    OperatorService,
    PlayerView,
    Revoked,
)
from tapisvert.operations.voiding import Voided
from tapisvert.players.repository import operator_of
from tapisvert.refusal import Refused, unwrap
from tapisvert.rounds.schemas import Stored, Text
from tapisvert.store import Tx
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

    def work(tx: Tx) -> bytes | Refused:
        service = _service(request, tx)
        return service.house.drawing(
            tx, lambda: msgspec.json.encode(service.create_player(tx, asked.currency))
        )

    return reply(unwrap(await done(house(request).store.write(work))), 201)


@get("/players/{player_id:str}", responses=answers(PlayerView))
async def show_player(request: Call, player_id: FromPath[str]) -> Response[bytes]:
    """Show a player: money, debt, open and voided rounds."""
    return await _see(request, lambda service, tx: service.player(tx, player_id))


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
        lambda service, tx: service.deposit(tx, player_id, asked.cents, asked.reference),
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
        lambda service, tx: service.withdraw(tx, player_id, asked.cents, asked.reference),
    )


@post("/players/{player_id:str}/debt-payments", status_code=200, responses=answers(PlayerView))
async def pay_debt(
    request: Call, player_id: FromPath[str], key: Key = None, data: Body[NoFields | None] = None
) -> Response[bytes]:
    """Collect a player's debt from the balance, up to the balance."""
    checked({} if data is None else data, NoFields)
    return await _act(
        request, key, ["debt", player_id], lambda service, tx: service.pay_debt(tx, player_id)
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
        lambda service, tx: service.void(tx, round_id, asked.reason),
    )


@get("/stops", responses=answers(Stops))
async def stops(request: Call) -> Response[bytes]:
    """List the switches that are off."""
    return await _see(request, lambda service, tx: Stops(service.stopped(tx)))


@post("/stops", status_code=200, responses=answers(Stops))
async def stop(request: Call, data: Body[StopRequest], key: Key = None) -> Response[bytes]:
    """Stop new rounds; open ones may finish."""
    asked = checked(data, StopRequest)
    return await _act(
        request,
        key,
        ["stop", asked],
        lambda service, tx: Stops(service.stop(tx, asked.scope, asked.reason)),
    )


@post("/resumptions", status_code=200, responses=answers(Stops))
async def resume(request: Call, data: Body[StopRequest], key: Key = None) -> Response[bytes]:
    """Allow new rounds again."""
    asked = checked(data, StopRequest)
    return await _act(
        request,
        key,
        ["resume", asked],
        lambda service, tx: Stops(service.resume(tx, asked.scope, asked.reason)),
    )


@post("/revocations", status_code=200, responses=answers(Revoked))
async def revoke(request: Call, data: Body[RevokeRequest], key: Key = None) -> Response[bytes]:
    """Revoke the tokens of an operator or a player."""
    asked = checked(data, RevokeRequest)
    return await _act(
        request,
        key,
        ["revoke", asked],
        lambda service, tx: service.revoke(tx, asked.scope, asked.reason),
    )


@get("/events", responses=answers(EventList))
async def events(request: Call, before: Before = None) -> Response[bytes]:
    """List significant events, newest first."""
    end = page_before(before)

    def page(service: OperatorService, tx: Tx) -> EventList:
        found = service.events(tx, end)
        return EventList(found, found[-1].id if len(found) == EVENTS_PAGE else None)

    return await _see(request, page)


def _service(request: Call, tx: Tx) -> OperatorService:
    return OperatorService(house(request), operator_of(tx, bearer(request)))


async def _act(
    request: Call, key: str | None, asked: object, work: Callable[[OperatorService, Tx], object]
) -> Response[bytes]:
    """Run an operator's command once per idempotency key."""

    def unit(tx: Tx) -> bytes | Refused:
        service = _service(request, tx)
        return service.once(tx, key, asked, lambda: work(service, tx))

    return reply(unwrap(await done(house(request).store.write(unit))), 200)


async def _see(request: Call, work: Callable[[OperatorService, Tx], object]) -> Response[bytes]:
    """Respond to an operator's query from one snapshot of the database."""

    def unit(tx: Tx) -> bytes:
        return msgspec.json.encode(work(_service(request, tx), tx))

    return reply(await done(house(request).store.read(unit)), 200)


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
