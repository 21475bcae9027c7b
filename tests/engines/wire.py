"""A minimal WebSocket client for a browser's remote end (RFC 6455): text messages, in order."""

from __future__ import annotations

import base64
import os
import socket
import struct
from urllib.parse import urlsplit

_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_LAST, _MASKED = 0x80, 0x80


class Wire:
    """One open connection."""

    def __init__(self, url: str, patience_s: float) -> None:
        at = urlsplit(url)
        self._end = socket.create_connection((at.hostname or "", at.port or 80), patience_s)
        key = base64.b64encode(os.urandom(16)).decode()
        self._end.sendall(
            f"GET {at.path or '/'} HTTP/1.1\r\nHost: {at.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self._stream = self._end.makefile("rb")
        status = self._stream.readline()
        assert b" 101 " in status, status
        while self._stream.readline().strip():
            pass  # the other headers say nothing we need

    def send(self, text: str) -> None:
        self._frame(_TEXT, text.encode())

    def receive(self) -> str:
        whole = b""
        while True:
            first, second = self._read(2)
            size = second & ~_MASKED
            if size == 126:
                [size] = struct.unpack(">H", self._read(2))
            elif size == 127:
                [size] = struct.unpack(">Q", self._read(8))
            part, kind = self._read(size), first & 0x0F
            if kind == _CLOSE:
                raise ConnectionError("the browser hung up")
            if kind == _PING:
                self._frame(_PONG, part)
            if kind in (_PING, _PONG):
                continue
            whole += part
            if first & _LAST:
                return whole.decode()

    def close(self) -> None:
        self._stream.close()
        self._end.close()

    def _read(self, size: int) -> bytes:
        found = self._stream.read(size)
        if len(found) < size:
            raise ConnectionError("the browser is gone")
        return found

    def _frame(self, kind: int, content: bytes) -> None:
        size = len(content)
        if size < 126:
            head = struct.pack(">BB", _LAST | kind, _MASKED | size)
        elif size < 1 << 16:
            head = struct.pack(">BBH", _LAST | kind, _MASKED | 126, size)
        else:
            head = struct.pack(">BBQ", _LAST | kind, _MASKED | 127, size)
        mask = os.urandom(4)
        hidden = bytes(each ^ mask[at % 4] for at, each in enumerate(content))
        self._end.sendall(head + mask + hidden)
