"""The wire: a request has an end, in bytes and in time, before it costs anything.

uvicorn's own parser takes a head of any length and waits for a body for ever. A proxy in front
would see to both as well (docs/operate.md); the house does not rely on there being one.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES_MAX = 48 * 1024  # a small body may have come with it
HEADERS_MAX = 100
REQUEST_S_MAX = 15.0
_REFUSED = b"HTTP/1.1 %s\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_TOO_LARGE, _TOO_SLOW = b"431 Request Header Fields Too Large", b"408 Request Timeout"


class Wire(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, within measure."""

    _in_head = True
    _head_bytes = 0
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for a request, not for ever."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._enough()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what comes before the head ends."""
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES_MAX:
                self._refuse(_TOO_LARGE)
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Wait for the rest of a request that has begun."""
        super().on_message_begin()
        self._wait()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count headers."""
        super().on_header(name, value)
        if len(self.headers) > HEADERS_MAX:
            self._refuse(_TOO_LARGE)

    def on_headers_complete(self) -> None:
        """Hand a head over, unless it was refused on the way."""
        self._in_head, self._head_bytes = False, 0
        if not self.transport.is_closing():
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop waiting: it is the house's turn."""
        self._in_head = True
        self._enough()
        super().on_message_complete()

    def _wait(self) -> None:
        self._enough()
        self._patience = self.loop.call_later(REQUEST_S_MAX, self._refuse, _TOO_SLOW)

    def _enough(self) -> None:
        if self._patience is not None:
            self._patience.cancel()

    def _refuse(self, status: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(_REFUSED % status)
            self.transport.close()
