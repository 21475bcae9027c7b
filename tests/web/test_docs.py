"""docs/http.md and docs/errors.md match the server: routes, codes, limits, examples."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import Any

import pytest
from litestar.testing import TestClient

from tapisvert.dealing import CLIENT_SEED_BYTES_MAX
from tapisvert.history import player_history
from tapisvert.history.round_proof import check_proof, read_proof
from tapisvert.rounds import idempotency, schemas
from tapisvert.web import http_protocol
from tapisvert.web.problems import BODY_BYTES_MAX, STATUS
from tapisvert.web.session import _COOKIE_AGE_S, COOKIE
from tapisvert.words import LANGUAGES, catalogue
from web.scene import Call, Scene
from words.test_telling import refusals

ROOT = Path(__file__).parents[2]
HTTP = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
ERRORS = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
API_PREFIX = "/api/v1"


CODES = sorted({*(code for _, code, _ in refusals()), *STATUS})
LISTED = re.findall(r"^\| `([a-z_]+/[a-z_]+)` \| (\d{3}|command line) \|", ERRORS, re.M)


# Routes -------------------------------------------------------------------------------------------


def test_every_route_is_in_the_docs_and_every_route_in_the_docs_is_served(scene: Scene) -> None:
    served = {
        f"{method} {re.sub(r':[a-z]+}', '}', route.path)}"
        for route in scene.client.app.routes
        for method in set(getattr(route, "methods", ())) - {"OPTIONS"}
    }
    described = set(re.findall(r"^### ((?:GET|POST) /\S+)$", HTTP, re.M))
    pages = {route for route in served if API_PREFIX not in route}
    assert all(f"`{page}`" in HTTP for page in pages)
    assert described == {route for route in served if API_PREFIX in route}
    mentioned = re.findall(rf"`((?:GET|POST) {API_PREFIX}/[^`?\s]*)", HTTP + ERRORS)
    assert set(mentioned) <= served


def test_the_limits_in_the_docs_are_the_limits_of_the_code() -> None:
    text_max = schemas.Text.__metadata__[0].max_length  # type: ignore[attr-defined]
    for line in (
        f"| body of a request | {BODY_BYTES_MAX} bytes;",
        "| head of a request (first line and headers) |"
        f" {http_protocol.HEAD_BYTES_MAX // 1024} KiB,"
        f" {http_protocol.HEADERS_MAX} headers;",
        f"| time for a whole request | {http_protocol.REQUEST_S_MAX:.0f} seconds;",
        f"`client_seed` | {text_max} characters |",
        f"| `client_seed` | 1 to {CLIENT_SEED_BYTES_MAX} bytes",
        f"| `Idempotency-Key` | 1 to {idempotency._KEY_LENGTH_MAX} printable ASCII characters |",
        f"| a page of rounds or transfers | {player_history.PAGE} |",
        f"lasts {_COOKIE_AGE_S // 86_400} days",
        f"cookie `{COOKIE}`",
    ):
        assert line in HTTP, line


# Codes --------------------------------------------------------------------------------------------


def test_the_sources_raise_codes_and_the_search_finds_them() -> None:
    assert {"round/unknown", "seal/key_missing", "store/newer", "stake/off_step"} <= set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_in_the_docs_and_has_words_in_both_languages(code: str) -> None:
    status = dict(LISTED)[code]
    if code in STATUS:
        assert status == str(STATUS[code])
    else:
        assert status in ("command line", "500")  # 500: what a code without a status becomes
    said = {catalogue(language).find(f"error.{code}") for language in LANGUAGES}
    assert None not in said
    assert len(said) == len(LANGUAGES)


def test_the_docs_list_each_code_once_and_none_that_is_gone() -> None:
    listed = [code for code, _ in LISTED]
    assert sorted(listed) == CODES


def test_the_command_line_prints_what_the_docs_say() -> None:
    sentence = catalogue("en").write("error.serve/port", {"port": 8000})
    assert f"tapis: {sentence} [serve/port]" in ERRORS


def test_the_problem_in_the_docs_is_the_problem_on_the_wire(scene: Scene) -> None:
    (printed,) = re.findall(r"```json\n(.*?)```", HTTP, re.S)
    call = Call("POST", "/api/v1/rounds", scene.opening(stakes={"ante": 1050}))
    assert scene.send(call, "en").json() == json.loads(printed)


# The worked session -------------------------------------------------------------------------------


def session() -> Iterator[tuple[str, str]]:
    """Yield each command of the worked session with its printed output."""
    for block in re.findall(r"```console\n(.*?)```", HTTP, re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


def curl(client: TestClient[Any], command: str, names: dict[str, str]) -> Any:
    words = iter(Template(word).safe_substitute(names) for word in shlex.split(command)[1:])
    method, url, body, headers = "", "", None, {}
    for word in words:
        match word:
            case "-s":
                pass
            case "-X":
                method = next(words)
            case "-d":
                body = next(words)
            case "-o":
                next(words)
            case "-H":
                name, _, value = next(words).partition(": ")
                headers[name] = value
            case _:
                url = word
    method = method or ("GET" if body is None else "POST")
    return client.request(method, url, content=body, headers=headers)


def shape(value: Any) -> Any:
    """Return the structure of a reply, without values that change from round to round."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items() if name != "hands"}
    return None


def test_the_worked_session_works_as_printed(client: TestClient[Any]) -> None:
    names = {"API": API_PREFIX}
    statuses, proof = [], b""
    for command, printed in session():
        if not command.startswith("curl"):
            continue
        answer = curl(client, command, names)
        statuses.append(answer.status_code)
        if "-o round.json" in command:
            proof = answer.content
        elif answer.content:
            reply = answer.json()
            assert shape(reply) == shape(json.loads(printed)), command
            names |= {"TOKEN": reply["token"]} if "token" in reply else {}
            if "round_id" in reply:
                names |= {"ROUND": reply["round_id"], "COMMITMENT": reply["commitment"]}
    assert statuses == [201, 200, 201, 200, 200, 204]
    assert check_proof(read_proof(proof, "round.json"), "round.json").true


def test_the_worked_session_prints_what_verify_prints() -> None:
    words = catalogue("en")
    printed = next(printed for command, printed in session() if command.startswith("tapis"))
    seat = next(json.loads(printed) for command, printed in session() if "/seats" in command)
    names = ("commitment", "deck", "sheet", "settlement", "promised")
    checks = [f"✓ {words.write(f'verify.{name}', seat)}" for name in names]
    assert printed.split("\n")[1:-1] == [*checks, words.write("verify.true")]


def test_the_worked_session_is_consistent_with_itself() -> None:
    commands_, replies = [], []
    for command, printed in session():
        commands_.append(command)
        if printed.startswith("{"):
            replies.append(json.loads(printed))
    guest, seat, opened, chosen = replies
    assert f"TOKEN={guest['token']}" in commands_
    assert f"ROUND={seat['round_id']}" in commands_
    assert f"COMMITMENT={seat['commitment']}" in commands_
    assert opened["round"]["commitment"] == chosen["round"]["commitment"] == seat["commitment"]
    events = opened["round"]["events"] + chosen["round"]["events"]
    assert [event["n"] for event in events] == list(range(len(events)))
    first = re.search(r"since=(\d+)", " ".join(commands_))
    assert first is not None
    assert int(first.group(1)) == chosen["round"]["events"][0]["n"]
    spent = chosen["round"]["staked_cents"] - chosen["round"]["returned_cents"]
    before = guest["wallet"]["balance_cents"]
    assert chosen["wallet"]["balance_cents"] == before - spent
