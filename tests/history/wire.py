"""Access to a real `tapis serve` over HTTP, and a recording with a server that is killed (-9).

The outcome of a request whose connection breaks is unknown. The client sends it again under the
same key when the server is back.
"""

from __future__ import annotations

import contextlib
import http.client
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec

from crash.server import Server
from history.closing import close_books
from history.doors import NotSent
from history.people import Board, Person
from history.record import OPERATORS, RECORDER, arrivals, crowd, let_run, operators
from history.records import FAILED, GRANTED, Answer, Log, Request
from tapisvert.cli.serve import open_house
from tapisvert.operations.operator_service import OperatorService
from tapisvert.refusal import unwrap

WAVE = 5_000  # operations until other people come
KILL_EVERY = 1_500
_BREAKS = (OSError, http.client.HTTPException)

# The route of each request, and the fields in its path.
ROUTES: dict[str, tuple[str, str]] = {
    "guest": ("POST", "/guests"),
    "seat": ("POST", "/seats"),
    "open": ("POST", "/rounds"),
    "choose": ("POST", "/rounds/{round_id}/choices"),
    "more": ("POST", "/wallet/play-money"),
    "seen": ("POST", "/rounds/{round_id}/seen"),
    "wallet": ("GET", "/wallet"),
    "rounds": ("GET", "/rounds"),
    "round": ("GET", "/rounds/{round_id}"),
    "recall": ("GET", "/rounds/{round_id}/recall"),
    "proof": ("GET", "/rounds/{round_id}/proof"),
    "transfers": ("GET", "/wallet/transfers"),
    "player": ("POST", "/operator/players"),
    "show": ("GET", "/operator/players/{player_id}"),
    "deposit": ("POST", "/operator/players/{player_id}/deposits"),
    "withdraw": ("POST", "/operator/players/{player_id}/withdrawals"),
    "pay-debt": ("POST", "/operator/players/{player_id}/debt-payments"),
    "void": ("POST", "/operator/rounds/{round_id}/void"),
    "stop": ("POST", "/operator/stops"),
    "resume": ("POST", "/operator/resumptions"),
    "stops": ("GET", "/operator/stops"),
    "events": ("GET", "/operator/events"),
}


class WireDoor:
    """One connection per thread, to any listening server."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._own = threading.local()
        self._lines: list[http.client.HTTPConnection] = []

    def send(self, request: Request) -> Answer | None:
        """Send a request and wait; return None if the connection broke."""
        method, path, body = address(request)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if request.token is not None:
            headers["Authorization"] = f"Bearer {request.token}"
        if request.key is not None:
            headers["Idempotency-Key"] = request.key
        line = self._line()
        try:
            line.request(method, path, body, headers)
            reply = line.getresponse()
            return _answer(reply.status, reply.read())
        except _BREAKS:
            self._hang_up()
            return None

    def lose(self, request: Request) -> None:
        """Send a request, and disconnect before the answer."""
        method, path, body = address(request)
        headers = {"Content-Type": "application/json", "Idempotency-Key": request.key or ""}
        headers["Authorization"] = f"Bearer {request.token}"
        with contextlib.suppress(*_BREAKS):
            self._line().request(method, path, body, headers)
        self._hang_up()

    def _line(self) -> http.client.HTTPConnection:
        line: http.client.HTTPConnection | None = getattr(self._own, "line", None)
        if line is None:
            line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            try:
                line.connect()
            except OSError:
                raise NotSent from None
            self._own.line = line
            self._lines.append(line)
        return line

    def close(self) -> None:
        """Close all connections, when none is in use."""
        for line in self._lines:
            line.close()

    def _hang_up(self) -> None:
        line: http.client.HTTPConnection | None = getattr(self._own, "line", None)
        if line is not None:
            line.close()
            self._own.line = None


def address(request: Request) -> tuple[str, str, bytes | None]:
    """Return method, path and body of a request."""
    method, path = ROUTES[request.kind]
    left = {name: value for name, value in request.args.items() if f"{{{name}}}" not in path}
    path = "/api/v1" + path.format(**request.args)
    since = {"since": left.pop("since")} if "since" in left else {}
    asked = since if method == "POST" else {**left, **since}
    told = {name: value for name, value in asked.items() if value is not None}
    query = f"?{urlencode(told)}" if told else ""
    if request.kind == "guest":
        left = {"bearer": True}
    body = msgspec.json.encode(left) if method == "POST" and left else None
    return method, path + query, body


def _answer(status: int, body: bytes) -> Answer:
    if status < 400:
        return Answer(GRANTED, body.decode() or "null")
    told: dict[str, Any] = msgspec.json.decode(body)
    code = FAILED if status >= 500 else told["code"]
    return Answer(code, msgspec.json.encode(told["args"]).decode())


class Executioner(threading.Thread):
    """Kills the server repeatedly, and restarts it."""

    def __init__(self, server: Server, log: Log, until: int) -> None:
        super().__init__(daemon=True)
        self.server, self.log, self.until = server, log, until
        self.kills = 0

    def run(self) -> None:
        """Kill the server after every n operations."""
        following = self.log.operations + KILL_EVERY
        while self.log.operations < self.until:
            if self.log.operations >= following:
                self.server.kill()
                self.server.start()
                self.kills += 1
                following = self.log.operations + KILL_EVERY
            threading.Event().wait(0.005)


class Recorded(NamedTuple):
    """How often the server died, and the exceptions of clients."""

    kills: int
    broken: list[str]


def record_http(
    path: Path, operations: int, progress: Callable[[int], None] = lambda done: None
) -> Recorded:
    """Record this many operations, and the closing ones."""
    with tempfile.TemporaryDirectory() as folder, Log(path) as log:
        server, board = Server(Path(folder)), Board()
        tokens = _operators(server.database, log)
        server.start()
        door, kills = WireDoor(server.port), 0
        everyone: list[Person] = []
        broken: list[str] = []
        try:
            day = {"delay_s": None, "tight": False, "stacked": False}
            log.run(RECORDER, Request("start", args=day), lambda _: Answer(GRANTED, "null"))
            waves = max(1, round(operations / WAVE))
            for number in range(waves):
                people = arrivals(number)
                everyone += people
                board.come(people, stay=2 if number else 0)
                until = operations * (number + 1) // waves
                executioner = Executioner(server, log, until)
                executioner.start()
                broken += let_run(crowd(door, log, board, tokens, until), log, progress)
                executioner.join()
                kills += executioner.kills
            close_books(log, door, board, everyone, tokens[OPERATORS[0]], progress)
        finally:
            door.close()
            server.kill()
            server.client.close()
    return Recorded(kills, broken)


def _operators(database: Path, log: Log) -> dict[str, str]:
    """Create operators before the server is started."""
    house = open_house(database)

    def send(request: Request) -> Answer:
        service = OperatorService(house, "cli")
        made = service.command(lambda operator: operator.create_operator(**request.args))
        return Answer(GRANTED, msgspec.json.encode(unwrap(made.result())).decode())

    try:
        return operators(send, log)
    finally:
        house.store.close()
