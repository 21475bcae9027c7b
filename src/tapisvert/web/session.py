"""The caller's session: a browser's cookie or a program's bearer token."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import TypeVar

from litestar import Request, Response
from litestar.datastructures import State

from tapisvert.rounds import PlayerService

COOKIE = "tapis_session"
_COOKIE_AGE_S = 365 * 86_400
Call = Request[None, None, State]
T = TypeVar("T")


def house(request: Call) -> PlayerService:
    """Return the house this server serves."""
    found: PlayerService = request.app.state.house
    return found


def token(request: Call) -> str | None:
    """Return the session token of a request: the bearer token, or else the cookie."""
    given = bearer(request)
    return request.cookies.get(COOKIE) if given is None else given


def bearer(request: Call) -> str | None:
    """Return the bearer token of a request."""
    scheme, _, value = (header(request, b"authorization") or "").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else None


def header(request: Call, name: bytes) -> str | None:
    """Return the first header with this name, given in lower case."""
    for each, value in request.scope["headers"]:
        if each == name:
            return value.decode("latin-1")
    return None


def give_cookie(answer: Response[bytes], request: Call, value: str | None) -> None:
    """Set the session cookie: HttpOnly, SameSite=Strict, and Secure over HTTPS."""
    answer.set_cookie(
        COOKIE,
        value,
        max_age=_COOKIE_AGE_S,
        httponly=True,
        samesite="strict",
        secure=request.app.state.behind_tls or request.url.scheme == "https",
    )


async def done(future: Future[T]) -> T:
    """Await a future of the house. If the client disconnects, the command still completes."""
    if not future.done():
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(_wake, waiter))
        await waiter
    return future.result()


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():  # the client may have disconnected
        waiter.set_result(None)
