"""No player can read or change another player's data, on any route.

The matrix is made from the served OpenAPI document: every route, called by every unauthorized
caller, about every round of another player in every state, and with exact copies of that player's
commands and keys. Responses are searched for the owner's data, and all rows of the database are
compared before and after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from rounds.house_with_operator import findings
from security.cast import Cast, Person, cast_in
from security.matrix import Caller, Cell, Matrix, found_in
from security.routes import Asked, Route, requests_about, routes_of
from tapisvert.operations import operator_service
from tapisvert.players.player import Player
from tapisvert.rounds import load, player_service, repository
from tapisvert.rounds.round import Round
from tapisvert.store import Tx
from tiers import one_in

PEOPLE = ("guest A", "guest B", "real money")
CELLS_MIN = 500  # per victim; fewer would mean missing cases
# Restricted pages: those of a round belong to its player, metrics to an operator.
NOT_PUBLIC = {
    "/rounds/{round_id}/certificate": {401, 404},
    "/certificate/{round_id}": {401, 404},
    "/metrics": {200, 401},
    "/position/{game}/picture.svg": {422},  # without a position
}
# Requests that are refused even to their authorized caller.
NOT_GRANTED = {
    ("POST /sessions", "guest A"): {401},
    ("POST /sessions", "real money"): {401},
    ("POST /wallet/play-money", "guest A"): {409},
    ("POST /wallet/play-money", "real money"): {409, 403},  # not broke, and no guest
    ("POST /games/{game}/rules", "real money"): {403},
    ("POST /practice/{game}/answers", "guest A"): {409},  # to a question that was never asked
    ("POST /practice/{game}/answers", "real money"): {409},
    ("POST /operator/players/{player_id}/deposits", "guest A"): {403},
    ("POST /operator/players/{player_id}/withdrawals", "guest A"): {403},
}


ONLY_COUNTS = {"GET /practice/{game}"}  # too small to be anybody's secret


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matrix]:
    with cast_in(tmp_path_factory.mktemp("matrix")) as cast:
        yield Matrix(cast)
        assert findings(cast.house) == ()


@pytest.mark.parametrize("name", one_in(3, PEOPLE))
def test_nobody_reads_or_moves_what_is_another_players(matrix: Matrix, name: str) -> None:
    cells = list(matrix.cells(matrix.cast.people[name]))
    assert [fault for cell in cells for fault in matrix.faults(cell)] == []
    assert {cell.asked.route for cell in cells} == set(matrix.routes)
    callers = {cell.caller.name for cell in cells}
    print(f"{len(matrix.routes)} routes, {len(callers)} callers, {len(cells)} requests")
    assert len(cells) >= CELLS_MIN


def test_every_state_of_a_round_is_asked_for(matrix: Matrix) -> None:
    person = matrix.cast.people["guest A"]
    rows = matrix.cast.house.store.read(
        lambda tx: tx.rows(
            "SELECT DISTINCT state FROM rounds WHERE player_id = ?", [person.player_id]
        )
    ).result()
    assert {state for (state,) in rows} == {"seated", "retired", "open", "settled", "voided"}
    for route in matrix.routes:
        if "round_id" in route.parameters:
            asked = {each.about for each in requests_about(route, person)}
            assert asked == set(person.rounds)
            assert len(asked) == 6


@pytest.mark.parametrize("name", one_in(3, PEOPLE))
def test_no_page_carries_what_is_another_players(matrix: Matrix, name: str) -> None:
    """The pages are not in the document; they embed the wallet and rounds of their visitor."""
    victim, before = matrix.cast.people[name], matrix.cast.all_rows()
    (route,) = [route for route in matrix.routes if route.name == "GET /wallet"]
    for path in pages(matrix.cast):
        rounds = [*victim.rounds.values()]
        for round_id in rounds if "round_id" in path else rounds[:1]:
            filled = path.format(round_id=round_id, game="ultimate", page="ultimate.html", step="0")
            asked = Asked(route, filled)
            for caller in matrix.callers(victim, route):
                answer = matrix.send(asked, caller.headers)
                assert answer.status_code in NOT_PUBLIC.get(path, {200}), (path, caller.name)
                secrets = matrix.secrets(victim, caller) - {round_id}
                assert found_in(answer, secrets) == set(), (path, caller.name)
    assert matrix.cast.all_rows() == before


def pages(cast: Cast) -> set[str]:
    """Return every URL outside the API and the static files."""
    served = {re.sub(r":\w+}", "}", route.path) for route in cast.client.app.routes}
    return {path for path in served if not path.startswith(("/api/", "/static/"))}


def test_a_route_nobody_has_thought_of_is_an_error_and_no_hole(matrix: Matrix) -> None:
    get = {"responses": {"200": {}}, "security": [{"bearer": []}]}
    session = {"name": "session_id", "in": "path"}
    strange: list[tuple[str, dict[str, Any]]] = [
        ("/api/v1/keepsakes/{session_id}", {**get, "parameters": [session]}),
        ("/api/v1/keepsakes", {**get, "parameters": [{"name": "of", "in": "query"}]}),
        ("/api/v1/keepsakes", {**get, "requestBody": _body_of("KeepsakeRequest")}),
    ]
    for path, operation in strange:
        (route,) = routes_of({"paths": {path: {"post": operation}}})
        with pytest.raises(KeyError):
            list(requests_about(route, matrix.cast.people["guest A"]))
    header = {**get, "parameters": [{"name": "X-Player", "in": "header"}]}
    with pytest.raises(AssertionError, match="a header unknown here"):
        routes_of({"paths": {"/api/v1/sessions": {"get": header}}})


def _body_of(schema: str) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}}


# Controls -----------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Matrix]:
    """Return a matrix on a fresh house, for tests that plant faults."""
    with cast_in(tmp_path) as cast:
        yield Matrix(cast)


@pytest.mark.parametrize("name", ["guest A", "real money"])
def test_the_same_requests_are_granted_to_whose_they_are(own: Matrix, name: str) -> None:
    """Control: the matrix's requests are valid, and leaked responses would be detected."""
    person, stranger = own.cast.people[name], Caller("nobody", {})
    for route in sorted(own.routes, key=lambda route: route.method):  # GET goes first
        asked = _first_that_can_be_granted(route, person)
        token = own.cast.clerk.token if route.kind == "operator" else person.guest.token
        answer = own.send(asked, {"Authorization": f"Bearer {token}"})
        granted = NOT_GRANTED.get((route.name, name), {route.success})
        assert answer.status_code in granted, (route.name, answer.text)
        if route.kind == "player" and route.method == "GET" and route.name not in ONLY_COUNTS:
            assert found_in(answer, own.secrets(person, stranger)), route.name
    assert findings(own.cast.house) == ()


def _first_that_can_be_granted(route: Route, person: Person) -> Asked:
    wanted = "open" if route.path.endswith(("}/choices", "}/advice")) else "settled"
    return next(each for each in requests_about(route, person) if each.about in ("", wanted))


def flagged(matrix: Matrix) -> set[str]:
    """Return the routes with a finding about guest A."""
    cells: list[Cell] = [
        cell
        for cell in matrix.cells(matrix.cast.people["guest A"])
        if cell.caller.name in ("guest B", "nobody")
    ]
    return {cell.asked.route.name for cell in cells if matrix.faults(cell)}


def test_without_the_check_of_ownership_every_route_of_a_round_is_flagged(
    own: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = repository.rounds_for

    def anyones(tx: Tx, player_id: str, round_id: str) -> Round | None:
        return repository.find_any(tx, round_id)

    def anyones_for(tx: Tx, wanted: Sequence[tuple[str, str]]) -> list[Round]:
        named = [(player_id, repository.find_any(tx, name)) for player_id, name in wanted if name]
        return mine(tx, wanted) + [replace(each, player_id=who) for who, each in named if each]

    rounds = {each.name for each in own.routes if each.kind == "player" and each.names_a_round}
    monkeypatch.setattr(repository, "find_round", anyones)
    monkeypatch.setattr(repository, "rounds_for", anyones_for)
    assert flagged(own) >= rounds
    assert len(rounds) == 10


def test_with_every_token_good_for_one_player_every_route_of_players_is_flagged(
    own: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = Player(own.cast.people["guest A"].player_id, "FUN")
    monkeypatch.setattr(player_service, "player_of", lambda tx, token: victim)
    monkeypatch.setattr(load, "players_of", lambda tx, tokens: dict.fromkeys(tokens, victim))
    routes = {each.name for each in own.routes if each.kind == "player"}
    assert flagged(own) == routes | {"POST /sessions"}


def test_with_everyone_an_operator_every_route_of_operators_is_flagged(
    own: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operator_service, "operator_of", lambda tx, token: "anne")
    assert flagged(own) == {each.name for each in own.routes if each.kind == "operator"}
