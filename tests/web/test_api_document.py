"""The API matches its description: OpenAPI, error codes, pages and headers."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from httpx import Response

from houses import PLAYER_WINS
from tapisvert.rounds import replies
from tapisvert.web.problems import STATUS
from tapisvert.words import LANGUAGES
from web.scene import STUD, Call, Scene, Seating
from web.shapes import assert_shapes, fits

PAGES = {
    *("/", "/errors", "/history", "/fair", "/table/{game}", "/r/{round_id}", "/fair/{round_id}"),
    *("/help", "/help/{game}", "/offline", "/statistics", "/drill/{game}"),
    *("/rules/{game}", "/position/{game}", "/card/{game}", "/session"),
    *("/again/{round_id}/{step}", "/lesson/{game}"),
}
FILES = {
    "/position/{game}/picture.svg",
    *("/par/{page}", "/strategy/{page}", "/certificate/{round_id}"),
    *("/verifier", "/verifier.html", "/static/{tree}/{path}"),
    *("/manifest.webmanifest", "/worker.js", "/metrics", "/rounds/{round_id}/certificate"),
}
POSITION = "player=AsKdQh5c3d&house=Ac"
DOCUMENT = "/api/v1/openapi.json"


def documented(scene: Scene) -> dict[str, Any]:
    document: dict[str, Any] = scene.send(Call("GET", DOCUMENT)).json()
    return document


def routes_of(scene: Scene) -> dict[str, set[str]]:
    """Return the methods of every route, except OPTIONS."""
    return {
        re.sub(r":\w+}", "}", route.path): set(getattr(route, "methods", ())) - {"OPTIONS"}
        for route in scene.client.app.routes
    }


# OpenAPI ------------------------------------------------------------------------------------------


def test_the_document_is_OpenAPI_3_1_and_lists_every_route_and_only_those(scene: Scene) -> None:
    document = documented(scene)
    assert document["openapi"].startswith("3.1.")
    described = {
        path: {method.upper() for method in operations}
        for path, operations in document["paths"].items()
    }
    served = routes_of(scene)
    del served[DOCUMENT]
    assert described == {path: served[path] for path in served if path.startswith("/api/v1/")}


def test_there_is_nothing_but_the_api_its_document_and_the_pages(scene: Scene) -> None:
    others = {path for path in routes_of(scene) if not path.startswith("/api/v1/")}
    assert others == PAGES | FILES


def test_every_operation_is_told_in_a_sentence_and_has_a_name_of_its_own(scene: Scene) -> None:
    operations = [
        operation for path in documented(scene)["paths"].values() for operation in path.values()
    ]
    assert all(operation["description"].endswith(".") for operation in operations)
    assert len({operation["operationId"] for operation in operations}) == len(operations)


def test_the_document_knows_nothing_of_this_machine(scene: Scene) -> None:
    text = scene.send(Call("GET", DOCUMENT)).text
    assert not re.search(r"https?://|/work/|/home/|site-packages|tapisvert\.", text)


def test_the_check_of_shapes_notices_what_is_missing_extra_or_of_another_kind(scene: Scene) -> None:
    document = documented(scene)
    schema = {"$ref": "#/components/schemas/Wallet"}
    wallet = scene.send(Call("GET", "/api/v1/wallet")).json()
    assert fits(wallet, schema, document)
    spoilt: list[Any] = [{**wallet, "held_cents": "0"}, {**wallet, "held_cents": True}]
    spoilt += [{**wallet, "more": 1}, {"currency": "FUN"}, []]
    assert not any(fits(each, schema, document) for each in spoilt)


def one_of_each(guest: Any) -> Iterator[tuple[str, str, Response]]:
    """Call each operation once; yield method, documented path and response."""
    yield "post", "/guests", guest.post("/guests", {"bearer": True})
    yield "post", "/sessions", guest.post("/sessions", {"token": guest.token})
    yield "post", "/seats", guest.post("/seats", {"game": STUD})
    opened = guest.open({"ante": 1000, "bonus": 500})
    yield "post", "/rounds", opened
    round_id = opened.json()["round"]["id"]
    yield "get", "/rounds/{round_id}/proof", guest.get(f"/rounds/{round_id}/proof")
    yield "get", "/rounds/{round_id}/advice", guest.get(f"/rounds/{round_id}/advice")
    yield "post", "/rounds/{round_id}/choices", guest.choose(round_id, "call")
    yield "post", "/rounds/{round_id}/choices", guest.choose(round_id, "play")
    for rest in ("", "/recall", "/proof", "/what-if", "/what-if/advice", "/review"):
        yield "get", f"/rounds/{{round_id}}{rest}", guest.get(f"/rounds/{round_id}{rest}")
    plain = (
        "/rounds",
        "/statistics",
        "/wallet",
        "/wallet/transfers",
        "/games",
        "/health",
        "/coach",
    )
    for path in (*plain, "/jackpots", "/jackpots/stream"):
        yield "get", path, guest.get(path)
    yield "get", "/drill/{game}", guest.get(f"/drill/{STUD}")
    yield "get", "/positions/{game}", guest.get(f"/positions/{STUD}")
    yield "get", "/positions/{game}", guest.get(f"/positions/{STUD}?{POSITION}")
    yield "get", "/games/{game}/card", guest.get(f"/games/{STUD}/card")
    yield "get", "/practice/{game}", guest.get(f"/practice/{STUD}")
    asked = guest.post(f"/practice/{STUD}/questions", {})
    yield "post", "/practice/{game}/questions", asked
    said = {"question": asked.json()["id"], "choice": "fold"}
    yield "post", "/practice/{game}/answers", guest.post(f"/practice/{STUD}/answers", said)
    yield "get", "/games/{game}/variants", guest.get(f"/games/{STUD}/variants")
    yield "post", "/games/{game}/rules", guest.post(f"/games/{STUD}/rules", {})
    yield "get", "/lessons/{game}", guest.get(f"/lessons/{STUD}")
    yield "get", "/games/{game}", guest.get(f"/games/{STUD}")
    yield "get", "/words/{language}", guest.get("/words/fr")
    yield "post", "/rounds/{round_id}/seen", guest.post(f"/rounds/{round_id}/seen")
    yield "post", "/wallet/play-money", guest.post("/wallet/play-money")


def test_replies_have_the_shape_the_document_gives_them(seating: Seating) -> None:
    _, guest = seating(PLAYER_WINS)
    document = guest.get("/openapi.json").json()
    asked = assert_shapes(document, one_of_each(guest))
    assert asked == {  # the operator's half is in test_operator.py
        (method, path)
        for path, methods in document["paths"].items()
        for method in methods
        if not path.startswith("/api/v1/operator/")
    }


# Error codes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_is_shown_where_its_type_points(scene: Scene, language: str) -> None:
    page = scene.send(Call("GET", "/errors"), language)
    assert page.status_code == 200
    assert f'lang="{language}"' in page.text
    for code, status in STATUS.items():
        assert f'id="{code}"' in page.text
        assert f"{code} ({status})" in page.text
    assert "…." not in page.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_errors_leads_back_and_to_the_other_language(
    scene: Scene, language: str
) -> None:
    first = scene.send(Call("GET", "/errors"), language).text
    bar, _, _ = first.partition("<main")
    assert '<a class="brand" href="/">' in bar
    (other,) = set(LANGUAGES) - {language}
    assert f'href="/errors?language={other}"' in bar
    there = scene.send(Call("GET", f"/errors?language={other}"), language).text
    assert f'<html lang="{other}"' in there
    assert f'href="/errors?language={language}"' in there


# Pages and headers --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(PAGES))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_asks_nothing_of_another_host(scene: Scene, path: str, language: str) -> None:
    page = scene.send(Call("GET", path), language)
    assert page.status_code == 200
    assert not re.search(r"https?:|[\"'(]\s*//|@import|<iframe|data:| style=| on\w+=", page.text)
    for script in re.findall(r"<script([^>]*)>", page.text):
        assert re.search(r' src="/static/| type="application/json"', script)  # nothing inline runs
    for address in re.findall(r"(?:href|src|action)=\"([^\"]*)\"", page.text):
        assert address.startswith("/")
        target = scene.send(Call("GET", address))
        assert target.status_code == 200, address


ANSWERS = {
    200: Call("GET", "/api/v1/wallet"),
    201: Call("POST", "/api/v1/guests"),
    204: Call("OPTIONS", "/api/v1/wallet"),
    400: Call("POST", "/api/v1/seats", b"{"),
    401: Call("GET", "/api/v1/wallet", headers={"Authorization": None}),
    403: Call("POST", "/api/v1/guests", headers={"Origin": "null"}),
    404: Call("GET", "/api/v1/rounds/nothing"),
    409: Call("POST", "/api/v1/wallet/play-money"),
    413: Call("POST", "/api/v1/seats", b" " * 20_000),
    415: Call("POST", "/api/v1/seats", b"{}", {"Content-Type": "text/plain"}),
    421: Call("GET", "/", headers={"Host": "evil.example"}),
}
NOWHERE = {
    "no such page": Call("GET", "/nothing"),
    "no such route": Call("GET", "/api/v1/nothing"),
    "no such method": Call("DELETE", "/api/v1/wallet"),
    "no such page of the document": Call("GET", "/openapi/nothing"),
}


def assert_guarded(answer: Response) -> None:
    """Assert that a reply has the security headers."""
    headers = answer.headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    policy = headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "frame-ancestors 'none'"} <= set(policy)
    assert not re.search(r"https?:|unsafe|\*", headers["content-security-policy"])
    assert "server" not in headers


@pytest.mark.parametrize("status", ANSWERS)
def test_every_reply_has_the_security_headers(scene: Scene, status: int) -> None:
    answer = scene.send(ANSWERS[status])
    assert answer.status_code == status
    assert_guarded(answer)


@pytest.mark.parametrize("path", [*sorted(PAGES), DOCUMENT, "/api/v1/games", "/api/v1/words/fr"])
def test_every_page_has_the_security_headers(scene: Scene, path: str) -> None:
    assert_guarded(scene.send(Call("GET", path)))


def test_a_crash_has_the_security_headers_and_tells_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replies, "view", None)  # the table tips over
    call = Call("GET", f"/api/v1/rounds/{scene.open_id}", headers=scene.as_bea())
    scene.refuses(call, "request/failed", 500)
    answer = scene.send(call)
    assert "NoneType" not in answer.text
    assert_guarded(answer)


@pytest.mark.parametrize("call", NOWHERE.values(), ids=NOWHERE)
def test_a_reply_from_nowhere_has_the_security_headers_too(scene: Scene, call: Call) -> None:
    assert_guarded(scene.send(call))


# The process --------------------------------------------------------------------------------------


def test_the_web_process_imports_neither_numpy_nor_numba() -> None:
    code = (
        "import sys, tapisvert.web, tapisvert.cli.serve, tapisvert.cli.app\n"
        "print(sorted({'numpy', 'numba', 'scipy', 'llvmlite'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
