"""Two servers that get the same requests: one with hot routes, one with the framework only.

Their houses have the same cards and ids. Requests are ASGI calls, so they can have any form.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from litestar import Litestar

from coach.aside import run_aside
from houses import PLAYER_WINS, client_of, counting_entropy, make_house, opening
from tapisvert.rounds import PlayerService
from tapisvert.web import app as server
from tapisvert.web.hot_routes import HotRoutes
from tapisvert.web.problems import CODE
from web.scene import STUD

SEATS, ROUNDS, WALLET = "/api/v1/seats", "/api/v1/rounds", "/api/v1/wallet"
JSON = (b"content-type", b"application/json")
Header = tuple[bytes, bytes]


@dataclass(frozen=True)
class Asked:
    """A request as an ASGI server passes it on, with its body in pieces."""

    method: str
    path: str
    pieces: tuple[bytes | None, ...] = (b"",)
    query: bytes = b""
    headers: tuple[Header, ...] = ()

    def with_header(self, name: bytes, value: bytes) -> Asked:
        return replace(self, headers=(*self.headers, (name, value)))


@dataclass(frozen=True)
class Answer:
    """A response, and the fields the access log and the metrics get."""

    status: int
    headers: list[Header]  # in their order
    body: bytes
    route: str | None
    code: str | None


@dataclass
class Watched:
    """A server, and the number of requests its framework handled."""

    house: PlayerService
    app: Litestar
    passed: list[str] = field(default_factory=list)

    def ask(self, asked: Asked) -> Answer:
        return run_aside(lambda: self._ask(asked))

    async def _ask(self, asked: Asked) -> Answer:
        sent: list[Any] = []
        last = len(asked.pieces) - 1
        messages: list[dict[str, Any]] = [
            {"type": "http.disconnect"}
            if piece is None
            else {"type": "http.request", "body": piece, "more_body": number < last}
            for number, piece in enumerate(asked.pieces)
        ]

        async def receive() -> Any:
            return messages.pop(0) if messages else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope: Any = {
            "type": "http",
            "method": asked.method,
            "path": asked.path,
            "raw_path": asked.path.encode(),
            "query_string": asked.query,
            "root_path": "",
            "scheme": "http",
            "http_version": "1.1",
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 2),
            "headers": [(b"host", b"127.0.0.1"), *asked.headers],
        }
        await self.app(scope, receive, send)
        start, *rest = sent
        body = b"".join(message["body"] for message in rest)
        told = scope.get("path_template"), scope.get(CODE)
        return Answer(start["status"], list(start["headers"]), body, *told)


class Pair:
    """Two servers with equal houses that get the same requests."""

    def __init__(self, folder: Path) -> None:
        self.hot = _watched(folder / "hot.db", hot=True)
        self.plain = _watched(folder / "plain.db", hot=False)
        guest = msgspec.json.decode(self.ask(json_of("/api/v1/guests", {"bearer": True})).body)
        self.token = guest["token"].encode()
        self.bearer = (b"authorization", b"Bearer " + self.token)

    def ask(self, asked: Asked) -> Answer:
        """Send a request to both; assert equal responses."""
        answer, expected = self.hot.ask(asked), self.plain.ask(asked)
        assert answer == expected, asked
        return answer

    def command(self, path: str, body: object, key: bytes) -> Any:
        """Send a command that succeeds; return the reply."""
        asked = json_of(path, body).with_header(*self.bearer).with_header(b"idempotency-key", key)
        answer = self.ask(asked)
        assert answer.status in (200, 201), answer
        return msgspec.json.decode(answer.body)

    def open(self, key: bytes) -> str:
        """Take a seat and open a round; return its id."""
        seat = self.command(SEATS, {"game": STUD}, b"")
        asked = opening(seat, {"ante": 1000})
        round_id: str = self.command(ROUNDS, asked, key)["round"]["id"]
        return round_id


def _watched(path: Path, *, hot: bool) -> Watched:
    house = make_house(path, PLAYER_WINS, entropy=counting_entropy())
    passed: list[str] = []

    def build(app: Litestar, *given: Any) -> Any:
        framework = app.asgi_handler

        async def watched(scope: Any, receive: Any, send: Any) -> None:
            passed.append(scope["path"])
            await framework(scope, receive, send)

        app.asgi_handler = watched
        return HotRoutes(app, *given) if hot else watched

    with patch.object(server, "HotRoutes", build):
        app = client_of(house).app
    return Watched(house, app, passed)


def json_of(path: str, body: object) -> Asked:
    return Asked("POST", path, (msgspec.json.encode(body),), headers=(JSON,))
