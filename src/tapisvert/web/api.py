"""The HTTP API: thin handlers from a request to the house and back (docs/http.md)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, TypeVar

import msgspec
from litestar import MediaType, Response, Router, get, post
from litestar.enums import RequestEncodingType
from litestar.openapi import ResponseSpec
from litestar.params import (
    BodyKwarg,
    FromPath,
    FromQuery,
    HeaderParameter,
    QueryParameter,
    SkipValidationMarker,
)
from msgspec import Struct

from tapisvert.decoding import convert
from tapisvert.games.registry import known
from tapisvert.history import player_history
from tapisvert.history.round_proof import Proof, proof_of
from tapisvert.history.round_queries import Wanted
from tapisvert.refusal import Refused, unwrap
from tapisvert.rounds import player_views
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.schemas import (
    ChoiceRequest,
    Guest,
    OpenRequest,
    Recall,
    RoundList,
    RoundReply,
    Seat,
    SeatRequest,
    Text,
    TransferList,
    Wallet,
)
from tapisvert.web.catalogue_routes import game_view, games_view, words_view
from tapisvert.web.rate_limit import neighbourhood
from tapisvert.web.session import Call, done, give_cookie, house, token

T = TypeVar("T")
Body = Annotated[T, BodyKwarg(media_type=RequestEncodingType.JSON), SkipValidationMarker()]
# Declared as text and parsed by `whole_number`: the framework would accept "1e3" as 1000.
Since = Annotated[str, QueryParameter(description="First event wanted.")]
Before = Annotated[str | None, QueryParameter(description="`next` of a page.")]
From = Annotated[str | None, QueryParameter(name="from", description="Opened from this time on.")]
To = Annotated[str | None, QueryParameter(name="to", description="Opened before this time.")]
Key = Annotated[
    str | None, HeaderParameter(name="Idempotency-Key", description="Made by the client.")
]
RoundId = FromPath[str]


class NoFields(Struct, frozen=True, forbid_unknown_fields=True):
    """A request without fields: `{}` or an empty body."""


class SessionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's token."""

    token: Text


class GuestRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Selects a bearer token, for programs, or a cookie, for browsers."""

    bearer: bool = False


def reply(body: bytes, status: int) -> Response[bytes]:
    """Send JSON that is already encoded, without re-encoding it."""
    return Response(body, status_code=status, media_type=MediaType.JSON)


def answers(kind: type | None, status: int = 200) -> dict[int, ResponseSpec]:
    """Return the response type of a handler, for the OpenAPI document."""
    return {status: ResponseSpec(kind, generate_examples=False, description="Done.")}


def checked(data: object, kind: type[T]) -> T:
    """Convert a body to its type, strictly: the framework would accept "0" as 0."""
    try:
        return convert(data, kind)
    except msgspec.ValidationError as error:
        raise Refused("request/malformed", reason=str(error)) from None


def whole_number(name: str, given: str, most: int | None = None) -> int:
    """Parse a query parameter of decimal digits only.

    >>> whole_number("since", "12")
    12
    """
    if not re.fullmatch("[0-9]{1,40}", given) or (most is not None and int(given) > most):
        limit = "" if most is None else f" up to {most}"
        raise Refused("request/malformed", reason=f"{name}: a whole number{limit} is expected")
    return int(given)


def moment_ms(name: str, given: str | None) -> int | None:
    """Parse a moment with its time zone, in milliseconds since 1970.

    >>> moment_ms("from", "1970-01-01T01:00:01+01:00")
    1000
    """
    if given is None:
        return None
    try:
        moment = datetime.fromisoformat(given)
        if moment.tzinfo is not None:
            return int((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1000)
    except (ValueError, OverflowError):
        pass
    reason = f"{name}: a time such as 2026-11-18T05:00:00Z is expected"
    raise Refused("request/malformed", reason=reason)


def page_before(given: str | None) -> int | None:
    """Parse `before`, the end of a page; `null` or no value means the first page."""
    return None if given in (None, "null") else whole_number("before", given, 2**63 - 1)


@post("/guests", status_code=201, responses=answers(Guest, 201))
async def guests(request: Call, data: Body[GuestRequest | None] = None) -> Response[bytes]:
    """Create a guest with 1,000.00 of play money, and a session."""
    bearer = data is not None and checked(data, GuestRequest).bearer
    request.app.state.guests.take(neighbourhood(request.client.host if request.client else ""))
    new = unwrap(await done(house(request).guest()))
    shown = new if bearer else msgspec.structs.replace(new, token=None)
    answer = reply(msgspec.json.encode(shown), 201)
    if not bearer:
        give_cookie(answer, request, new.token)
    return answer


@post("/sessions", status_code=200, responses=answers(Wallet))
async def sessions(request: Call, data: Body[SessionRequest]) -> Response[bytes]:
    """Sign in with a token issued by the operator; a browser gets it as a cookie."""
    given = checked(data, SessionRequest).token
    found = await done(house(request).query(given, player_views.wallet))
    answer = reply(msgspec.json.encode(found), 200)
    give_cookie(answer, request, given)
    return answer


@post("/seats", status_code=200, media_type=MediaType.JSON, responses=answers(Seat))
async def seats(request: Call, data: Body[SeatRequest]) -> bytes:
    """Take a seat: returns the round id and the commitment of your next deal at a game."""
    future = house(request).seat(token(request), checked(data, SeatRequest))
    return msgspec.json.encode(unwrap(await done(future)))


@post("/rounds", status_code=201, media_type=MediaType.JSON, responses=answers(RoundReply, 201))
async def open_round(request: Call, data: Body[OpenRequest], key: Key = None) -> bytes:
    """Stake on your pending deal and deal it."""
    future = house(request).open(token(request), key, checked(data, OpenRequest))
    return unwrap(await done(future))


@post(
    "/rounds/{round_id:str}/choices",
    status_code=200,
    media_type=MediaType.JSON,
    responses=answers(RoundReply),
)
async def choices(
    request: Call,
    round_id: RoundId,
    data: Body[ChoiceRequest],
    key: Key = None,
    since: Since = "0",
) -> bytes:
    """Answer the question your round waits on."""
    asked, first = checked(data, ChoiceRequest), whole_number("since", since)
    future = house(request).choose(token(request), key, round_id, asked, first)
    return unwrap(await done(future))


@post("/rounds/{round_id:str}/seen", status_code=204, responses=answers(None, 204))
async def seen(request: Call, round_id: RoundId, data: Body[NoFields | None] = None) -> None:
    """Mark a finished round as seen."""
    checked({} if data is None else data, NoFields)
    await done(house(request).mark_seen(token(request), round_id))


@get("/rounds", responses=answers(RoundList))
async def list_rounds(
    request: Call,
    status: FromQuery[str | None] = None,
    before: Before = None,
    game: FromQuery[str | None] = None,
    since: From = None,
    until: To = None,
) -> Response[bytes]:
    """List your rounds, newest first: `status=open`, `status=unseen`, or all."""
    end, played = page_before(before), None if game is None else known(game)
    wanted = Wanted(played, moment_ms("from", since), moment_ms("to", until))
    return await query(request, lambda context: player_history.rounds(context, status, end, wanted))


@get("/rounds/{round_id:str}", media_type=MediaType.JSON, responses=answers(RoundReply))
async def show_round(request: Call, round_id: RoundId, since: Since = "0") -> bytes:
    """Show one of your rounds with its events from `since` on."""
    first = whole_number("since", since)
    return await encoded(
        request, lambda context: player_views.round_reply(context, round_id, first)
    )


@get("/rounds/{round_id:str}/recall", responses=answers(Recall))
async def recall(request: Call, round_id: RoundId) -> Response[bytes]:
    """Return a finished round with all its events, from its record."""
    return await query(request, lambda context: player_history.recall(context, round_id))


@get("/rounds/{round_id:str}/proof", responses=answers(Proof))
async def proof(request: Call, round_id: RoundId) -> Response[bytes]:
    """Return the proof of a finished round, a file for `tapis verify`."""
    return await query(request, lambda context: proof_of(context, round_id))


@get("/wallet", media_type=MediaType.JSON, responses=answers(Wallet))
async def wallet(request: Call) -> bytes:
    """Show your balance, and the amount held by open rounds."""
    return await encoded(request, player_views.wallet)


@get("/wallet/transfers", responses=answers(TransferList))
async def transfers(request: Call, before: Before = None) -> Response[bytes]:
    """List your transfers, newest first."""
    end = page_before(before)
    return await query(request, lambda context: player_history.transfers(context, end))


@post("/wallet/play-money", status_code=200, responses=answers(Wallet))
async def play_money(
    request: Call, key: Key = None, data: Body[NoFields | None] = None
) -> Response[bytes]:
    """Top up play money when you are broke; allowed during a round."""
    checked({} if data is None else data, NoFields)
    future = house(request).more_play_money(token(request), key)
    return reply(unwrap(await done(future)), 200)


@get("/health")
async def health(request: Call) -> dict[str, str]:
    """Report that the server is up, and whether it can deal."""
    return {"status": "ok", "dealing": "ok" if house(request).dealer.working else "failed"}


async def query(request: Call, ask: Callable[[QueryContext], object]) -> Response[bytes]:
    """Respond to a player's query from one snapshot of the database."""
    return reply(await encoded(request, ask), 200)


async def encoded(request: Call, ask: Callable[[QueryContext], object]) -> bytes:
    """Return the result of a player's query as JSON, encoded in the reader thread."""
    here, who = house(request), token(request)
    return await done(here.query(who, lambda context: msgspec.json.encode(ask(context))))


HOT = (seats, open_round, choices, show_round, wallet)  # served by hot_routes.py
API = Router(
    "/api/v1",
    route_handlers=[
        guests,
        sessions,
        seats,
        open_round,
        choices,
        seen,
        list_rounds,
        show_round,
        recall,
        proof,
        wallet,
        transfers,
        play_money,
        health,
        games_view,
        game_view,
        words_view,
    ],
)
