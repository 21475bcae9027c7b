"""HEAD equals GET on every route: same status, same headers, no body."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from houses import PLAYER_WINS, make_house
from serving import served
from tapisvert.web import create_app
from tapisvert.web.assets import assets, base
from tapisvert.web.http_protocol import HttpProtocol
from tapisvert.web.jackpots import Board
from web.office import Room, open_room
from web.raw_line import hear, line_to
from web.scene import STUD, Call, Scene, code_of
from web.test_metrics import told

STATIC = base().removeprefix("/static/")
MADE_UP = {"DELETE", "PUT", "PATCH", "QUERY"}


def addresses(scene: Scene) -> list[str]:
    """Return a URL of every route that accepts GET."""
    values = {
        "game": STUD,
        "round_id": scene.ended_id,
        "language": "fr",
        "page": f"{STUD}.html",
        "tree": STATIC,
        "path": "app.css",
        "player_id": scene.ann.token,
        "step": "0",
    }
    found = [
        re.sub(r"{(\w+):\w+}", lambda name: values[name[1]], route.path)
        for route in scene.client.app.routes
        if "GET" in getattr(route, "methods", ())
    ]
    assert len(found) > 40
    return found


def assert_alike(scene: Scene, call: Call, language: str = "") -> int:
    """Assert that HEAD and GET agree on a call; return their status."""
    given, asked = (
        scene.send(Call(method, call.path, headers=call.headers), language)
        for method in ("GET", "HEAD")
    )
    assert (asked.status_code, asked.content) == (given.status_code, b""), call
    assert sorted(asked.headers.multi_items()) == sorted(given.headers.multi_items()), call
    if "content-length" in given.headers and "content-encoding" not in given.headers:
        assert int(asked.headers["content-length"]) == len(given.content), call
    return given.status_code


def test_every_route_answers_HEAD_as_GET(scene: Scene) -> None:
    found = {
        path: assert_alike(scene, Call("", path, headers=scene.as_cy()))
        for path in addresses(scene)
    }
    assert sum(status == 200 for status in found.values()) > 30, found


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_refusal_answers_HEAD_as_GET(scene: Scene, language: str) -> None:
    nobody = {"Authorization": None}
    seen = {
        assert_alike(scene, Call("", path, headers=headers), language)
        for path in (
            *addresses(scene),
            "/nothing",
            "/api/v1/nothing",
            "/api/v1/seats",
            "/static/x/y",
        )
        for headers in (nobody, {"Host": "evil.example"}, {**nobody, "Accept": "text/html"})
    }
    assert seen >= {200, 401, 404, 405, 421}


def test_every_file_answers_HEAD_as_GET_packed_or_not(scene: Scene) -> None:
    for name in assets():
        for encoding in ("gzip", "identity"):
            headers = {"Accept-Encoding": encoding}
            assert assert_alike(scene, Call("", f"{base()}/{name}", headers=headers)) == 200


@pytest.mark.parametrize("method", sorted(MADE_UP))
def test_other_methods_are_refused_as_ever(scene: Scene, method: str) -> None:
    for path in ("/api/v1/wallet", "/"):
        answer = scene.send(Call(method, path))
        assert code_of(answer) == (405, "request/method")
        assert answer.json()["args"] == {"method": method}


def test_HEAD_moves_nothing_and_is_counted_as_HEAD(tmp_path: Path) -> None:
    def counted(room: Room) -> float:
        name = 'tapis_requests_total{method="HEAD",route="/api/v1/wallet",status="200"}'
        return told(room.clerk).get(name, 0)

    with open_room(tmp_path / "tapis.db") as room:
        before = counted(room)
        room.guest.client.head("/api/v1/wallet", headers=room.guest.headers(None))
        assert counted(room) == before + 1


# On a real line -----------------------------------------------------------------------------------


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    house = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    board = Board(house)
    with served(create_app(house, board=board), http=HttpProtocol) as (_, found):
        yield found
        board.close()


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/health", "/api/v1/jackpots/stream", "/nothing", "/api/v1/wallet"]
)
def test_on_the_line_the_next_answer_follows_at_once(port: int, path: str) -> None:
    """A body, or an endless stream, would come before the next response."""
    with line_to(port) as line:
        line.sendall(f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += line.recv(65_536)
        assert head.startswith(b"HTTP/1.1 ")
        line.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        rest = head.partition(b"\r\n\r\n")[2]
        assert rest == b""
        assert hear(line).body == b'{"status":"ok","dealing":"ok"}'
