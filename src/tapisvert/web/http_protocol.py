"""The HTTP/1.1 protocol on the socket, with limits on the size and duration of a request.

uvicorn itself accepts a head of any length, waits for a body for ever, and continues to read a body
after its request was refused. A proxy would limit all three (docs/operate.md); this module works
without one.

A body above the limit is cut off: the application gets one byte more than the limit and answers
413. The server half-closes the connection after the reply and discards what the client still sends,
up to `LINGER_BYTES_MAX` and for `LINGER_S`. Closing a socket with unread bytes would reset the
connection, and the client might not receive the reply.
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
CODED_BYTES_MAX = 8 * BODY_BYTES_MAX  # a chunk of one byte takes six bytes on the wire
LINGER_BYTES_MAX = 1024 * 1024
LINGER_S = 2.0
_LINE_BYTES_MAX = 4096  # buffered of a request line, to name its method in a refusal
_REFUSED = b"HTTP/1.1 %s\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_HEAD_TOO_LARGE, _TOO_SLOW = b"431 Request Header Fields Too Large", b"408 Request Timeout"
# Any prefix of a well-formed request line, with any method.
_REQUEST_LINE = re.compile(
    rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+)( \S*( ([HTP/1.]{0,8}|HTTP/1\.[01]\r?\n.*))?)?", re.DOTALL
)


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with limits."""

    _in_head = True
    _head_bytes = 0
    _first_bytes = b""  # of the current head
    _body_bytes = 0  # decoded
    _coded_bytes = 0  # on the wire, chunk framing included
    _cut_off = False  # the body is above the limit: the rest is discarded
    _discarded = 0
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the timer for the first request."""
        super().connection_made(transport)
        self._replies = _Replies(self)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._enough()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse at most `HEAD_BYTES_MAX` at a time, so that head and body are counted separately.

        A packet may contain the end of one request and the beginning of the next.
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
        """Restart the timer when a request begins."""
        super().on_message_begin()
        self._wait()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Refuse a request with too many headers."""
        super().on_header(name, value)
        if len(self.headers) > HEADERS_MAX:
            self._refuse(_HEAD_TOO_LARGE)

    def on_headers_complete(self) -> None:
        """Pass the head to uvicorn, unless it was refused."""
        self._in_head, self._head_bytes = False, 0
        self._body_bytes = self._coded_bytes = 0
        if self.transport.is_closing():
            return
        super().on_headers_complete()
        if self.cycle is not None:  # None when the client upgrades to another protocol
            self.cycle.transport = cast(asyncio.Transport, self._replies)
        length = dict(self.headers).get(b"content-length", b"")
        if length.isdigit() and int(length) > BODY_BYTES_MAX:
            self._cut()

    def on_body(self, body: bytes) -> None:
        """Pass the body on up to the limit plus one byte."""
        if self._cut_off or self.transport.is_closing():
            return
        room = BODY_BYTES_MAX + 1 - self._body_bytes
        self._body_bytes += len(body)
        super().on_body(body[:room])
        if self._body_bytes > BODY_BYTES_MAX:
            self._cut()

    def on_message_complete(self) -> None:
        """Stop the timer: the request is complete."""
        if self._cut_off or self.transport.is_closing():
            return
        self._in_head, self._first_bytes = True, b""
        self._enough()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Flush the head of a reply without a body."""
        self._replies.flush()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Respond to an unparsable request with a problem document, and close."""
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
        """Stop reading this body; its reply is the last on this connection."""
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
        if missing > 0:  # refused by its declared or wire size: pad it above the limit, for a 413
            HttpToolsProtocol.on_body(self, b" " * missing)

    def _half_close(self) -> None:
        """Half-close the connection after the reply, and let the client read it."""
        if not self.transport.is_closing():
            self.transport.write_eof()
            self.flow.resume_reading()
            self._patience = self.loop.call_later(LINGER_S, self.transport.close)

    def _discard(self, count: int) -> None:
        self._discarded += count
        if self._discarded > LINGER_BYTES_MAX:
            self.transport.close()
        elif not self.cycle.response_complete:
            self.flow.pause_reading()  # until the reply is sent

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
    """Transport wrapper through which uvicorn writes replies.

    uvicorn writes a head and then a body. The head is buffered until the body comes, or until the
    next turn of the event loop, so that both are one write. After a cut-off body, `close`
    half-closes the connection.
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
        """Send the buffered head without waiting for its body."""
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
