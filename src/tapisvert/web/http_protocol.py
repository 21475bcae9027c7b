"""The HTTP/1.1 protocol on the socket: a request has an end, in bytes and in time.

uvicorn's own parser takes a head of any length, waits for a body for ever, and reads a body on
after its request was refused. A proxy in front would limit all three as well (docs/operate.md);
the house does not rely on there being one.

A body above the limit is cut off: the application gets one byte too many and answers 413. The
reply is followed by the end of the stream (a half-close), then what the client has under way is
discarded, up to `LINGER_BYTES_MAX` and for `LINGER_S`. A socket closed with unread bytes would be
reset, and the client might never see the reply.
"""

from __future__ import annotations

import asyncio
import re
import sys
from http import HTTPStatus
from typing import Any, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tapisvert.refusal import Refused
from tapisvert.web.problems import BODY_BYTES_MAX, PROBLEM_JSON, problem_body

HEAD_BYTES_MAX = 48 * 1024
HEADERS_MAX = 100
REQUEST_S_MAX = 15.0
CODED_BYTES_MAX = 8 * BODY_BYTES_MAX  # a body in chunks of one byte takes six on the line
LINGER_BYTES_MAX = 1024 * 1024
LINGER_S = 2.0
_LINE_BYTES_MAX = 4096  # of a request line that is refused
_REFUSED = b"HTTP/1.1 %s\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_HEAD_TOO_LARGE, _TOO_SLOW = b"431 Request Header Fields Too Large", b"408 Request Timeout"
# As much as has come of a request line that is well formed, whatever its method.
_REQUEST_LINE = re.compile(
    rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+)( \S*( ([HTP/1.]{0,8}|HTTP/1\.[01]\r?\n.*))?)?", re.DOTALL
)


class HttpProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with limits."""

    _in_head = True
    _head_bytes = 0
    _first_bytes = b""  # of a head
    _body_bytes = 0  # as the application counts
    _coded_bytes = 0  # as the line counts
    _cut_off = False  # the body is above the limit: nothing more of it is parsed
    _discarded = 0
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for a request, not for ever."""
        super().connection_made(transport)
        self._replies = _Replies(self)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._enough()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse no more at a time than a head may have, so that a head and its body are told apart.

        A packet may hold the end of one request and the beginning of the next.
        """
        while data and not self.transport.is_closing():
            if self._cut_off:
                self._discard(len(data))
                return
            room = HEAD_BYTES_MAX - self._head_bytes if self._in_head else HEAD_BYTES_MAX
            piece, data = data[:room], data[room:]
            if self._in_head:
                self._first_bytes = (self._first_bytes + piece)[:_LINE_BYTES_MAX]
                self._head_bytes += len(piece)
            else:
                self._coded_bytes += len(piece)
            super().data_received(piece)
            if self._in_head and self._head_bytes >= HEAD_BYTES_MAX:
                self._refuse(_HEAD_TOO_LARGE)
            elif not self._in_head and self._coded_bytes > CODED_BYTES_MAX:
                self._cut()

    def on_message_begin(self) -> None:
        """Wait for the rest of a request that has begun."""
        super().on_message_begin()
        self._wait()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count headers."""
        super().on_header(name, value)
        if len(self.headers) > HEADERS_MAX:
            self._refuse(_HEAD_TOO_LARGE)

    def on_headers_complete(self) -> None:
        """Hand a head over, unless it was refused on the way."""
        self._in_head, self._head_bytes = False, 0
        self._body_bytes = self._coded_bytes = 0
        if self.transport.is_closing():
            return
        super().on_headers_complete()
        if self.cycle is not None:  # there is none for an upgrade to another protocol
            self.cycle.transport = cast(asyncio.Transport, self._replies)
        length = dict(self.headers).get(b"content-length", b"")
        if length.isdigit() and int(length) > BODY_BYTES_MAX:
            self._cut()

    def on_body(self, body: bytes) -> None:
        """Hand on what the application may read, and one byte more where there is more."""
        if self._cut_off or self.transport.is_closing():
            return
        room = BODY_BYTES_MAX + 1 - self._body_bytes
        self._body_bytes += len(body)
        super().on_body(body[:room])
        if self._body_bytes > BODY_BYTES_MAX:
            self._cut()

    def on_message_complete(self) -> None:
        """Stop waiting: it is the house's turn."""
        if self._cut_off or self.transport.is_closing():
            return
        self._in_head, self._first_bytes = True, b""
        self._enough()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Send a reply that has no body."""
        self._replies.flush()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what the parser cannot read with a problem document, and close."""
        refusal = Refused("request/malformed", reason="this is not an HTTP/1.1 request")
        line = _REQUEST_LINE.fullmatch(self._first_bytes)
        if line and isinstance(sys.exception(), httptools.HttpParserInvalidMethodError):
            refusal = Refused("request/unknown_method", method=line[1].decode())
        status, body = problem_body(refusal, "")
        head = f"content-type: {PROBLEM_JSON}\r\ncontent-length: {len(body)}\r\n"
        told = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{head}connection: close\r\n\r\n"
        self.transport.write(told.encode() + body)
        self.transport.close()

    # Inside ----------------------------------------------------------------------------------

    def _cut(self) -> None:
        """Read no more of this body: the reply to it is the last on this connection."""
        if self._cut_off:
            return
        self._cut_off = True
        self._enough()
        self.cycle.keep_alive = False
        if self.cycle.response_complete:
            self._half_close()
            return
        self.flow.pause_reading()
        missing = BODY_BYTES_MAX + 1 - self._body_bytes
        if missing > 0:  # its length or its coding says that it is too large: let it be so
            HttpToolsProtocol.on_body(self, b" " * missing)

    def _half_close(self) -> None:
        """End the replies, and give the client a moment to read them."""
        if not self.transport.is_closing():
            self.transport.write_eof()
            self.flow.resume_reading()
            self._patience = self.loop.call_later(LINGER_S, self.transport.close)

    def _discard(self, count: int) -> None:
        self._discarded += count
        if self._discarded > LINGER_BYTES_MAX:
            self.transport.close()
        elif not self.cycle.response_complete:
            self.flow.pause_reading()  # until it is answered

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


class _Replies:
    """The transport as replies see it.

    uvicorn writes a head and then a body. Here the head waits for the body, until the next turn of
    the event loop at most, so that both are one write. After a body that was cut off, to close the
    transport is to half-close the connection.
    """

    def __init__(self, wire: HttpProtocol) -> None:
        self._wire = wire
        self._held = b""

    def write(self, data: bytes) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._wire.transport.writelines((held, data))
        else:
            self._held = data
            self._wire.loop.call_soon(self.flush)

    def flush(self) -> None:
        """Send a head that is held back, without waiting longer for its body."""
        if self._held and not self.is_closing():
            self._wire.transport.write(self._held)
        self._held = b""

    def is_closing(self) -> bool:
        return self._wire.transport.is_closing()

    def close(self) -> None:
        self.flush()
        if self._wire._cut_off:
            self._wire._half_close()
        else:
            self._wire.transport.close()
