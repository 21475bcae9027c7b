"""HEAD requests: handled as GET, sent without the body."""

from __future__ import annotations

from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from tapisvert.web.problems import CODE

IS_HEAD = "tapisvert.head"  # scope key: an endless stream sends no events
_NOTED = ("path_template", CODE)  # scope keys the access log reads


class Head:
    """ASGI middleware: turns HEAD into GET and drops the response body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; for HEAD, send status and headers only."""
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        # A copy of the scope: uvicorn must still see the method HEAD.
        inner = cast(Any, {**scope, "method": "GET", IS_HEAD: True})

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        try:
            await self._app(inner, receive, sending)
        finally:
            cast(dict[str, Any], scope).update({k: inner[k] for k in _NOTED if k in inner})
