"""The access log: route, status and duration of every request.

A log line contains no token, key, seed, name or body. A path is logged as its route pattern, so the
log holds no player data and can be shared.
"""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from tapisvert.web.metrics import count
from tapisvert.web.problems import CODE

_log = logging.getLogger("tapisvert.access")
NOWHERE = "elsewhere"  # unknown paths share one label


class AccessLog:
    """Outermost ASGI middleware: counts and logs every request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; log its status and duration."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            seconds = time.perf_counter() - begun
            route = str(scope.get("path_template") or NOWHERE)
            code = str(scope.get(CODE, ""))
            count(scope["method"], route, status, code, seconds)
            if _log.isEnabledFor(logging.INFO):
                fields = {
                    "method": scope["method"],
                    "route": route,
                    "status": status,
                    "code": code,
                    "ms": round(seconds * 1000, 2),
                }
                _log.info("request", extra={"fields": fields})


class JsonLines(logging.Formatter):
    """Log formatter: one JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as one line of JSON."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told = {
            "at": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(told).decode()
