"""What programs outside this project depend on: nothing of it has changed since commit 795e69f.

Compared are the OpenAPI document, the error codes with their HTTP statuses, and the JSON that
commands print. What was recorded must still be there and mean the same; what was added since is
listed here, so that adding something is a decision.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.typed import typed
from tapisvert.web.openapi import document
from tapisvert.web.pages import APIS
from tapisvert.web.problems import STATUS

RECORDED: dict[str, Any] = json.loads(
    Path(__file__).with_name("contracts_at_795e69f.json").read_text("utf-8")
)
PROSE = {"description", "summary", "title", "operationId"}
_NO_NUL = "a NUL character was refused before; the document says so now"
_CURRENCY = "a pot shown in the player's currency"
_POSITION = "the page of positions, and the way to it from a question"
_REVIEW = "looking back at one's play"
_RULES = "a table of play money by other rules than the house's"
_CARD = "the strategy card of a table, and its rules that apply to a question"
_PRACTICE = "practice that remembers mistakes"
# By route, method and name: why it is there.
ADDED = {
    "/api/v1/coach": "whether the coach is ready",
    "/api/v1/operator/revocations": "sessions ended by an operator",
    "/api/v1/games get conversion": _CURRENCY,
    "/api/v1/games/{game} get conversion": _CURRENCY,
    "/api/v1/jackpots get converted": _CURRENCY,
    "/api/v1/games get rules": _RULES,
    "/api/v1/games/{game} get rules": _RULES,
    "/api/v1/games/{game}/rules": _RULES,
    "/api/v1/games/{game}/variants": _RULES,
    "/api/v1/rounds get rules": _RULES,
    "/api/v1/positions/{game}": _POSITION,
    "/api/v1/rounds/{round_id}/advice get position": _POSITION,
    "/api/v1/rounds/{round_id}/what-if/advice get position": _POSITION,
    "/api/v1/drill/{game} get position": _POSITION,
    "/api/v1/games/{game}/card": _CARD,
    "/api/v1/rounds/{round_id}/advice get rules": _CARD,
    "/api/v1/rounds/{round_id}/what-if/advice get rules": _CARD,
    "/api/v1/drill/{game} get rules": _CARD,
    "/api/v1/rounds/{round_id}/advice get chart_cell": _CARD,
    "/api/v1/rounds/{round_id}/what-if/advice get chart_cell": _CARD,
    "/api/v1/drill/{game} get chart_cell": _CARD,
    **dict.fromkeys((f"/api/v1/rounds get {each}" for each in ("game", "from", "to")), _REVIEW),
    "/api/v1/rounds/{round_id}/review": _REVIEW,
    "/api/v1/lessons/{game}": "the rules by doing",
    "/api/v1/practice/{game}": _PRACTICE,
    "/api/v1/practice/{game}/answers": _PRACTICE,
    "/api/v1/practice/{game}/questions": _PRACTICE,
    "/api/v1/operator/rounds/{round_id}/void post refunded_cents": "what a void gave back",
    "/api/v1/rounds/{round_id} get maximum": "a longer `since` was refused before",
    "/api/v1/rounds/{round_id}/choices post maximum": "a longer `since` was refused before",
    "/api/v1/operator/players/{player_id}/deposits post pattern": _NO_NUL,
    "/api/v1/operator/players/{player_id}/withdrawals post pattern": _NO_NUL,
    "/api/v1/operator/resumptions post pattern": _NO_NUL,
    "/api/v1/operator/rounds/{round_id}/void post pattern": _NO_NUL,
    "/api/v1/operator/stops post pattern": _NO_NUL,
    "/api/v1/rounds post pattern": _NO_NUL,
}
CODES_ADDED = {
    "cashier/balance",
    "coach/not_installed",
    "game/incomplete",
    "ledger/overflow",
    "request/unknown_method",
    "position/card",
    "position/count",
    "position/impossible",
    "position/too_long",
    "position/twice",
    "position/unknown_name",
    "position/unreadable",
    "practice/answered",
    "practice/stale",
    "practice/unknown_theme",
    "rules/invalid",
    "rules/unknown_figure",
    "rules/both",
    "rules/of_the_house",
    "rules/real_money",
    "rules/too_many",
    "rules/unknown",
    "revoke/unknown",
}
# By command: fields of its JSON.
JSON_ADDED = {"simulate": {"longest_won", "longest_lost", "drawdown"}}
POSITION = '{"game":"casino-stud","player":["As","Kd","Qh","5c","3d"],"house":["Ac"]}\n'


def resolved(value: Any, schemas: dict[str, Any]) -> Any:
    """Return a part of an OpenAPI document with every reference replaced, and without prose."""
    if isinstance(value, list):
        return [resolved(each, schemas) for each in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return resolved(schemas[value["$ref"].rpartition("/")[2]], schemas)
    return {
        key: resolved(each, schemas)
        for key, each in value.items()
        if key not in PROSE or not isinstance(each, str)
    }


def paths(described: dict[str, Any]) -> Any:
    """Return all paths of an OpenAPI document, each whole."""
    return resolved(described["paths"], described["components"]["schemas"])


def name(at: tuple[str, ...]) -> str:
    """Name a place of the document by its route, its method and its last part."""
    return " ".join(at if len(at) < 3 else (*at[:2], at[-1]))


def differences(old: Any, new: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Name what is gone, changed or added, each by where it stands."""
    if isinstance(old, dict) and isinstance(new, dict):
        yield from (("gone", name((*at, key))) for key in old if key not in new)
        yield from (("added", name((*at, key))) for key in new if key not in old)
        for key in old.keys() & new.keys():
            yield from differences(old[key], new[key], (*at, key))
    elif isinstance(old, list) and isinstance(new, list):
        if any(isinstance(each, dict | list) for each in old):  # parameters, alternatives: in order
            more = new[len(old) :] if at[-1:] == ("parameters",) else []
            if more and not any(each.get("required") for each in more):
                yield from (("added", name((*at, each["name"]))) for each in more)
            elif len(old) != len(new):
                yield "changed", name(at)
            for place, (before, now) in enumerate(zip(old, new, strict=False)):
                yield from differences(before, now, (*at, str(place)))
        else:
            yield from differences(dict.fromkeys(old), dict.fromkeys(new), at)
    elif old != new:
        yield "changed", f"{name(at)}: {old!r} is now {new!r}"


def shape(value: Any) -> Any:
    """Return the names and types of a JSON value; of a list, of its first element."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def test_every_route_takes_and_gives_what_it_did() -> None:
    today = json.loads(json.dumps(document(*APIS)))
    found = set(differences(paths(RECORDED["openapi"]), paths(today)))
    assert found == {("added", place) for place in ADDED}


def test_a_change_of_the_document_is_noticed() -> None:
    """Control: a field that is gone, renamed, of another type or newly required is named."""
    old = paths(RECORDED["openapi"])
    new = json.loads(json.dumps(old))
    reply = new["/api/v1/wallet"]["get"]["responses"]["200"]["content"]["application/json"][
        "schema"
    ]
    reply["properties"]["balance"] = reply["properties"].pop("balance_cents")
    reply["properties"]["currency"]["type"] = "integer"
    reply["required"].append("balance")
    new["/api/v1/rounds/{round_id}"]["get"]["parameters"].append({"name": "x", "required": True})
    assert set(differences(old, new)) == {
        ("changed", "/api/v1/rounds/{round_id} get parameters"),
        ("gone", "/api/v1/wallet get balance_cents"),
        ("added", "/api/v1/wallet get balance"),
        ("changed", "/api/v1/wallet get type: 'string' is now 'integer'"),
    }


def test_every_error_code_has_the_status_it_had() -> None:
    assert {code: STATUS[code] for code in RECORDED["status"]} == RECORDED["status"]
    assert STATUS.keys() - RECORDED["status"].keys() == CODES_ADDED


@pytest.mark.parametrize(
    "command",
    [
        "prove casino-stud --json",
        "strategy casino-stud --json",
        "simulate casino-stud --rounds 1000 --seed 7 --json",
        "advise",
    ],
)
def test_a_command_prints_the_json_it_did(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(POSITION.encode())))
    words = command.split()
    done = typed(*words)
    assert done.returncode == 0, done.stderr
    recorded = RECORDED["json"][f"{words[0]} casino-stud"]
    found = set(differences(recorded, shape(json.loads(done.stdout))))
    assert {(kind, place.split()[-1]) for kind, place in found} == {
        ("added", field) for field in JSON_ADDED.get(words[0], ())
    }
