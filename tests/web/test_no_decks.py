"""R9: no route accepts a card, a deck or a result: one loop over the bodies of the API's document.

A route that is added is in the document (test_api_document.py), and so in this loop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from houses import Guest
from web.office import Room, open_room
from web.scene import everything

FROM_OUTSIDE = ("deck", "cards", "hand", "server_seed", "result", "returned_cents", "answers")
# Maps whose keys are data; what they may hold is checked by the sheet of the game.
MAPS = {("OpenRequest", "stakes"), ("RulesRequest", "changes")}


@pytest.fixture(scope="module")
def room(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with open_room(tmp_path_factory.mktemp("room") / "tapis.db") as made:
        yield made


@pytest.fixture(scope="module")
def document(room: Room) -> dict[str, Any]:
    found: dict[str, Any] = room.guest.get("/openapi.json").json()
    return found


def bodies(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield path and schema name of every operation that is no query."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method == "get":
                continue
            assert method == "post"
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            (name,) = re.findall(r"schemas/(\w+)", str(schema))
            yield path, name


def example(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the smallest body of a schema, which may be refused for other reasons."""
    plain = {"string": "x", "integer": 1, "object": {}}
    return {name: plain[schema["properties"][name]["type"]] for name in schema["required"]}


def test_R9_no_body_of_the_document_has_a_place_for_a_deck(document: dict[str, Any]) -> None:
    schemas, seen = document["components"]["schemas"], set()
    for _, name in bodies(document):
        assert schemas[name]["additionalProperties"] is False, name
        for field, schema in schemas[name]["properties"].items():
            assert field not in FROM_OUTSIDE
            kinds = {each["type"] for each in schema.get("oneOf", [schema])}
            assert "array" not in kinds, (name, field)
            if "object" in kinds:
                seen.add((name, field))
    assert seen == MAPS


def test_R9_every_route_refuses_a_card_a_deck_or_a_result(
    room: Room, document: dict[str, Any]
) -> None:
    before, routes = everything(room.house), list(bodies(document))
    at = {"game": "casino-stud", "round_id": room.round_id, "player_id": room.player_id}
    for path, name in routes:
        who: Guest = room.clerk if "/operator/" in path else room.guest
        body = example(document["components"]["schemas"][name])
        for extra in FROM_OUTSIDE:
            given = {**body, extra: ["As", "Ks"]}
            refused = who.post(path.removeprefix("/api/v1").format(**at), given)
            problem = refused.json()
            assert (refused.status_code, problem["code"]) == (400, "request/malformed"), path
            assert extra in problem["detail"]
    assert len(routes) >= 18
    assert everything(room.house) == before
