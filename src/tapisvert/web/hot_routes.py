"""Hot routes: a request in plain form reaches its handler without the framework.

The handlers are those of the API and are in the OpenAPI document like all others. For the few that
are called in play, this module does the framework's work: find the handler, read the body, bind the
arguments, send the reply. It handles only the plain form of a request: a path of letters, digits,
`-` and `_`; no query except `since` in digits; a complete JSON body in one message. Any other form
goes to the framework, together with the message already read.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from typing import Any, NamedTuple, cast

import msgspec
from litestar import Litestar, Request, Response
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Receive, Scope, Send

from tapisvert.web.problems import BODY_BYTES_MAX
from tapisvert.web.session import Call, header

_SINCE = re.compile(rb"since=([0-9]{1,40})")
_PARAMETERS = {"request", "round_id", "data", "key", "since"}
_JSON = (b"content-type", b"application/json")


class _Route(NamedTuple):
    """A handler, its path, and its parameters."""

    handler: HTTPRouteHandler
    path: re.Pattern[str]
    template: str
    parameters: frozenset[str]


class HotRoutes:
    """ASGI middleware: calls the handlers of hot routes directly, passes the rest on."""

    def __init__(self, app: Litestar, prefix: str, handlers: Iterable[HTTPRouteHandler]) -> None:
        self._app: ASGIApp = app.asgi_handler
        self._exception_handlers = app.exception_handlers
        self._routes: dict[str, list[_Route]] = {}
        for handler in handlers:
            (method,), (path,) = handler.http_methods, handler.paths
            self._routes.setdefault(method, []).append(_route(handler, prefix + path))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a plain request for a hot route; pass on any other."""
        found = _match(self._routes, scope) if scope["type"] == ScopeType.HTTP else None
        if found is None:
            await self._app(scope, receive, send)
            return
        route, arguments = found
        if "data" in route.parameters:
            first = cast(HTTPReceiveMessage, await receive())
            try:
                arguments["data"] = _json(first)
            except (msgspec.DecodeError, ValueError, RecursionError):
                await self._app(scope, _again(first, receive), send)
                return
        cast(dict[str, Any], scope)["path_template"] = route.template
        request: Call = Request(scope, receive, send)
        if "key" in route.parameters:
            arguments["key"] = header(request, b"idempotency-key")
        try:
            body: bytes = await route.handler.fn(request, **arguments)
        except Exception as error:
            kinds = (kind for kind in type(error).__mro__ if kind in self._exception_handlers)
            refused: Response[Any] = self._exception_handlers[next(kinds)](request, error)
            await refused.to_asgi_response(app=None, request=request)(scope, receive, send)
            return
        headers = [_JSON, (b"content-length", str(len(body)).encode())]
        status = route.handler.status_code
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


def _route(handler: HTTPRouteHandler, path: str) -> _Route:
    parameters = frozenset(inspect.signature(handler.fn).parameters)
    unknown = parameters - _PARAMETERS
    if unknown:
        raise TypeError(f"{path}: a hot route does not take {sorted(unknown)}")
    pattern = re.sub(r"{(\w+):str}", r"(?P<\1>[0-9A-Za-z_-]+)", path)
    return _Route(handler, re.compile(pattern), path.replace(":str}", "}"), parameters)


def _match(
    routes: dict[str, list[_Route]], scope: HTTPScope
) -> tuple[_Route, dict[str, Any]] | None:
    """Return the hot route of a plain request and the arguments in its URL, or None."""
    for route in routes.get(scope["method"], ()):
        if found := route.path.fullmatch(scope["path"]):
            arguments: dict[str, Any] = found.groupdict()
            if query := scope["query_string"]:
                since = _SINCE.fullmatch(query) if "since" in route.parameters else None
                if since is None:
                    return None
                arguments["since"] = since[1].decode()
            return route, arguments
    return None


def _json(message: HTTPReceiveMessage) -> object:
    """Decode a complete body; raise ValueError if it is partial, too large or not JSON."""
    if message["type"] != "http.request" or message.get("more_body"):
        raise ValueError
    body = message["body"]
    if len(body) > BODY_BYTES_MAX:
        raise ValueError
    return msgspec.json.decode(body)


def _again(first: HTTPReceiveMessage, receive: Receive) -> Receive:
    """Return a `receive` that yields `first` again, then the rest."""
    messages = [first]

    async def receiving() -> Any:
        return messages.pop() if messages else await receive()

    return receiving
