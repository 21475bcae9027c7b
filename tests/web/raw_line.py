"""Raw TCP connections to a real `tapis serve`, for requests no HTTP client would send."""

from __future__ import annotations

import socket
from dataclasses import dataclass

import msgspec

from serving import PATIENCE_S

HOST = b"Host: 127.0.0.1\r\n"
JSON = b"Content-Type: application/json\r\n"


@dataclass(frozen=True)
class Heard:
    """A response: status, headers in lower case, body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def code(self) -> str:
        """Return the code of a problem; empty for a head refused as too large or too slow."""
        is_problem = self.headers.get("content-type") == "application/problem+json"
        return str(msgspec.json.decode(self.body)["code"]) if is_problem else ""


def get(path: bytes, headers: bytes = b"", method: bytes = b"GET") -> bytes:
    """Return the bytes of a request without a body."""
    return method + b" " + path + b" HTTP/1.1\r\n" + HOST + headers + b"\r\n"


def post(path: bytes, headers: bytes, body: bytes = b"") -> bytes:
    """Return the bytes of a POST request; the headers must give the length of its body."""
    return b"POST " + path + b" HTTP/1.1\r\n" + HOST + JSON + headers + b"\r\n" + body


# Requests that their client does not end.
BEGINNINGS = {
    "nothing": b"",
    "half a head": b"GET /api/v1/health HTTP/1.1\r\nHost: 127",
    "half a body": post(b"/api/v1/guests", b"Content-Length: 9\r\n", b"{"),
}


def chunked(body: bytes) -> bytes:
    """Return a body in chunked coding: one chunk and the end."""
    return f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"


def line_to(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE_S)


def say(port: int, request: bytes) -> Heard:
    """Send a request on a new connection; return the response."""
    with line_to(port) as line:
        line.sendall(request)
        return hear(line)


def hear(line: socket.socket) -> Heard:
    text = b""
    while b"\r\n\r\n" not in text:
        text += _more(line)
    head, _, body = text.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    headers = {
        name.lower(): value.strip() for name, _, value in (each.partition(":") for each in rest)
    }
    while len(body) < int(headers.get("content-length", "0")):
        body += _more(line)
    return Heard(int(first.split()[1]), headers, body)


def hear_to_the_end(line: socket.socket) -> bytes:
    """Read until the server closes the connection."""
    return b"".join(iter(lambda: line.recv(65_536), b""))


def _more(line: socket.socket) -> bytes:
    data = line.recv(65_536)
    assert data, "the server has hung up without an answer"
    return data
