"""HEAD: answered as GET is, by the same handlers, and sent without the body."""

from __future__ import annotations

from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from tapisvert.web.problems import CODE

IS_HEAD = "tapisvert.head"  # in the scope: an answer without an end need not begin
_NOTED = ("path_template", CODE)  # what is left in the scope for the log


class Head:
    """Asks for the whole answer and passes on its status and its headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; of an answer to HEAD, all but the body back."""
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        # A scope of its own: the writer of the response must know that it was HEAD.
        inner = cast(Any, {**scope, "method": "GET", IS_HEAD: True})

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        try:
            await self._app(inner, receive, sending)
        finally:
            cast(dict[str, Any], scope).update({k: inner[k] for k in _NOTED if k in inner})
