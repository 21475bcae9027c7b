"""Checks on every request before it reaches a handler: host, origin, content type.

The Host check prevents DNS rebinding, on localhost too. The Origin check prevents cross-site
requests with a player's cookie.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from tapisvert.refusal import Refused
from tapisvert.web.problems import CODE, PROBLEM_JSON, problem_body

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
_READING = ("GET", "HEAD", "OPTIONS")
# This origin only; no inline script, and no string becomes script (Trusted Types).
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self';"
    b" connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none';"
    b" frame-ancestors 'none';"
    b" require-trusted-types-for 'script'; trusted-types lit-html worker"
)
_NO_STORE = (b"cache-control", b"no-store")
_NO_SNIFF = (b"x-content-type-options", b"nosniff")
_HEADERS = [
    (b"content-security-policy", _POLICY),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    _NO_SNIFF,
]


class RequestChecks:
    """ASGI middleware: refuses bad requests and adds security headers to responses."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOCAL_HOSTS) -> None:
        self._app = app
        self._hosts = frozenset(host.lower().encode() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope, dict(scope["headers"]))
        if refusal is None:
            await self._app(scope, receive, _with_headers(send))
            return
        cast(dict[str, Any], scope)[CODE] = refusal.code
        language = dict(scope["headers"]).get(b"accept-language", b"")
        status, body = problem_body(refusal, language.decode("latin-1"))
        content_type = (b"content-type", PROBLEM_JSON.encode())
        length = (b"content-length", str(len(body)).encode())
        await send(
            {
                "type": "http.response.start",
                "status": status,
                "headers": [content_type, length, _NO_STORE, *_HEADERS],
            }
        )
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _refusal(self, scope: HTTPScope, headers: dict[bytes, bytes]) -> Refused | None:
        if [name for name, _ in scope["headers"]].count(b"host") > 1:
            return Refused("request/host")  # two Host headers: a proxy may have checked the other
        if "\0" in scope["path"]:
            return Refused("request/malformed", reason="the address has a NUL character")
        host = headers.get(b"host", b"").lower()
        name, _, port = host.rpartition(b":")
        if (name if port.isdigit() else host) not in self._hosts:
            return Refused("request/host")
        if scope["method"] in _READING:
            return None
        origin = headers.get(b"origin")
        if origin is not None and origin.lower().partition(b"://")[2] != host:
            return Refused("request/origin")
        has_body = headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if has_body and kind != b"application/json":
            return Refused("request/content_type")
        return None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = [*message["headers"]]
            names = {name.lower() for name, _ in given}
            # A response with its own Cache-Control is a static file and needs no policy.
            wanted = [_NO_SNIFF] if _NO_STORE[0] in names else [_NO_STORE, *_HEADERS]
            # The verifier sets its own, stricter policy.
            message["headers"] = [*given, *(each for each in wanted if each[0] not in names)]
        await send(message)

    return sending
