"""Checks of replies against the schemas of the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from httpx import Response

EVENTS = "text/event-stream"
KINDS = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": type(None),
}


def fits(value: Any, schema: dict[str, Any], document: dict[str, Any]) -> bool:
    """Return whether a value matches a schema; every field must be in the schema."""
    if "$ref" in schema:
        *_, name = schema["$ref"].split("/")
        return fits(value, document["components"]["schemas"][name], document)
    if "oneOf" in schema:
        return sum(fits(value, each, document) for each in schema["oneOf"]) == 1
    if "anyOf" in schema:
        return any(fits(value, each, document) for each in schema["anyOf"])
    if "const" in schema:
        return bool(value == schema["const"])
    if "enum" in schema:
        return value in schema["enum"]
    if not schema:
        return True  # an empty schema matches anything, such as a sheet value
    if not isinstance(value, KINDS[schema["type"]]) or (
        isinstance(value, bool) and schema["type"] != "boolean"
    ):
        return False
    if isinstance(value, list):
        return all(fits(each, schema["items"], document) for each in value)
    if not isinstance(value, dict):
        return True
    known, others = schema.get("properties", {}), schema.get("additionalProperties")
    return set(schema.get("required", ())) <= set(value) and all(
        fits(each, known[name], document)
        if name in known
        else others is not None and fits(each, others, document)
        for name, each in value.items()
    )


def events_in(text: str) -> list[dict[str, str]]:
    """Parse server-sent events: each a name and its data."""
    return [
        dict(line.split(": ", 1) for line in block.splitlines())
        for block in text.split("\n\n")
        if block
    ]


def assert_shapes(
    document: dict[str, Any], answers: Iterable[tuple[str, str, Response]]
) -> set[tuple[str, str]]:
    """Assert that responses match the schemas of their operations; return the operations."""
    asked = set()
    for method, path, answer in answers:
        operation = document["paths"][f"/api/v1{path}"][method]
        asked.add((method, f"/api/v1{path}"))
        responses = operation["responses"]
        described = responses.get(str(answer.status_code), responses["default"])
        if answer.status_code == 204:
            assert (answer.content, described.get("content")) == (b"", None)
            continue
        kind = answer.headers["content-type"].partition(";")[0]
        schema = described["content"][kind]["schema"]
        for said in events_in(answer.text) if kind == EVENTS else [answer.json()]:
            assert fits(said, schema, document), (path, answer.text)
    return asked
