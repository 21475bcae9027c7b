"""Every route of the OpenAPI document, and a request to it about a person.

Only the values of fields are listed by hand: a route with an unknown parameter, body or query
raises an error here, so that it cannot be missing from the matrix.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from security.cast import GAME_OF, Person
from web.office import MONEY, WHY

Kind = Literal["open to all", "player", "operator"]
OPERATORS = "/api/v1/operator/"


@dataclass(frozen=True)
class Route:
    """An operation of the document."""

    method: str
    path: str
    kind: Kind
    parameters: tuple[str, ...]  # in the path
    query: tuple[str, ...]
    body: str | None  # the name of its schema
    success: int

    @property
    def name(self) -> str:
        return f"{self.method} {self.path.removeprefix('/api/v1')}"

    @property
    def names_a_round(self) -> bool:
        """Return whether the path or the body contains a round id."""
        return "round_id" in self.parameters or self.body == "OpenRequest"


@dataclass(frozen=True)
class Asked:
    """A request without its caller."""

    route: Route
    path: str
    body: object = None
    about: str = ""  # the state of the round it names
    key: str | None = None

    def about_nobody(self, names: Mapping[str, str]) -> Asked:
        """Return the same request with ids that do not exist."""
        path, body = self.path, self.body
        for name, other in names.items():
            path = path.replace(name, other)
        if isinstance(body, dict):
            body = {field: names.get(str(value), value) for field, value in body.items()}
        return replace(self, path=path, body=body, key=None)


def routes_of(document: dict[str, Any]) -> list[Route]:
    return [
        _route(path, method, operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]


def _route(path: str, method: str, operation: dict[str, Any]) -> Route:
    if path.startswith(OPERATORS):
        kind: Kind = "operator"
    else:
        kind = "player" if operation.get("security") else "open to all"
    places: dict[str, list[str]] = {"path": [], "query": [], "header": []}
    for parameter in operation.get("parameters", []):
        places[parameter["in"]].append(parameter["name"])
    assert set(places["header"]) <= {"Idempotency-Key"}, f"{path} takes a header unknown here"
    (success,) = [int(status) for status in operation["responses"] if status < "300"]
    return Route(
        method.upper(),
        path,
        kind,
        tuple(places["path"]),
        tuple(places["query"]),
        _schema_of(operation),
        success,
    )


def _schema_of(operation: dict[str, Any]) -> str | None:
    if "requestBody" not in operation:
        return None
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    (reference,) = [each["$ref"] for each in [schema, *schema.get("oneOf", ())] if each.get("$ref")]
    return str(reference).rpartition("/")[2]


def requests_about(route: Route, victim: Person) -> Iterator[Asked]:
    """Yield a valid request to a route; if it names a round, one for each round of a person."""
    # The list of rounds is asked for whole: its filter by game would leave most of it out.
    listed = route.name == "GET /rounds"
    said = ((name, _QUERY[name]) for name in route.query if not (listed and name == "game"))
    query = "&".join(f"{name}={value}" for name, value in said if value)
    states = victim.rounds if "round_id" in route.parameters else {"": ""}
    for state, round_id in states.items():
        filled = {
            "round_id": round_id,
            "player_id": victim.player_id,
            "game": GAME_OF["settled"],
            "language": "en",
        }
        path = route.path.format(**{name: filled[name] for name in route.parameters})
        yield Asked(route, f"{path}?{query}" if query else path, _body(route, victim), state)


def replayed(routes: list[Route], victim: Person) -> Iterator[Asked]:
    """Yield exact copies of the person's own commands, with their keys."""
    by_name = {route.name: route for route in routes}
    for path, body, key in victim.sent:
        route = by_name["POST /rounds" if path == "/rounds" else "POST /rounds/{round_id}/choices"]
        yield Asked(route, f"/api/v1{path}", body, "replayed", key)


# A choice names no person and is left out.
_QUERY = {"since": "0", "status": "open", "before": str(2**62), "choice": "", "game": "ultimate"}
_QUERY |= {"from": "2020-01-01T00:00:00Z", "to": ""}
_QUERY["utc_offset_min"] = "0"


def _body(route: Route, victim: Person) -> object:
    if route.body is None:
        return None
    return {
        "GuestRequest": {"bearer": True},
        "SessionRequest": {"token": "nobody's"},  # a token is a player's only credential
        "SeatRequest": {"game": "ultimate"},
        "OpenRequest": victim.opening(),
        "ChoiceRequest": {"step": 0, "choice": "play"},
        "NoFields": {},
        "QuestionRequest": {},
        "AnswerRequest": {"question": "nobody's", "choice": "fold"},
        "RulesRequest": {"variant": "fortune-5000"},
        "PlayerRequest": {"currency": "EUR"},
        "MoneyRequest": MONEY,
        "VoidRequest": WHY,
        "RevokeRequest": {"scope": f"player:{victim.player_id}", **WHY},
        "StopRequest": {"scope": f"player:{victim.player_id}", **WHY},
    }[route.body]
