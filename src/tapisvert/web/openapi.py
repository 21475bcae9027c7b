"""The OpenAPI document: made by the framework from the handlers, plus what it cannot know."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from litestar import Litestar, Router
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme

from tapisvert import __version__
from tapisvert.web.problems import PROBLEM_JSON, Problem
from tapisvert.web.session import COOKIE

_PARAMETERS: dict[str, dict[str, Any]] = {
    "Idempotency-Key": {"type": "string", "pattern": "^[!-~]([ -~]{0,253}[!-~])?$"},
    "status": {"type": "string", "enum": ["open", "unseen"]},
    "since": {"type": "integer", "minimum": 0, "maximum": 10**40 - 1, "default": 0},
    "before": {"type": ["integer", "null"], "minimum": 0, "maximum": 2**63 - 1},
}
_OPEN_TO_ALL = ("/guests", "/sessions", "/games", "/jackpots", "/words", "/coach", "/health")


@cache
def document(*apis: Router) -> dict[str, Any]:
    """Describe the API. A second application does it, so that the real one has no other routes."""
    described = Litestar(
        route_handlers=list(apis),
        openapi_config=OpenAPIConfig(
            title="Tapis Vert",
            version=__version__,
            description="Casino table games: seats, rounds, wallet. Every refusal is a problem"
            " with a stable code; /errors lists them.",
            use_handler_docstrings=True,
            components=Components(
                security_schemes={
                    "cookie": SecurityScheme("apiKey", name=COOKIE, security_scheme_in="cookie"),
                    "bearer": SecurityScheme("http", scheme="bearer"),
                }
            ),
        ),
        logging_config=None,
    ).openapi_schema.to_schema()
    schemas = described["components"]["schemas"]
    # The table itself refuses a stake that is not a number, by name; the document says so ahead.
    schemas["OpenRequest"]["properties"]["stakes"] = {
        "type": "object",
        "additionalProperties": {"type": "integer", "minimum": 1},
        "examples": [{"ante": 1000, "bonus": 100}],
    }
    schemas["Problem"] = _problem_schema()
    for name in schemas:
        if name.endswith("Request") or name == "NoFields":
            schemas[name]["additionalProperties"] = False
    for path, operations in described["paths"].items():
        for operation in operations.values():
            _finish(operation)
            if not any(open_ in path for open_ in _OPEN_TO_ALL):
                # An operator is a program: no page of another site can act with its cookie.
                schemes = ("bearer",) if "/operator/" in path else ("cookie", "bearer")
                operation["security"] = [{scheme: []} for scheme in schemes]
    return described


def _finish(operation: dict[str, Any]) -> None:
    """Say that anything can be refused, and what parameters may be."""
    problem = {"$ref": "#/components/schemas/Problem"}
    done = {code: said for code, said in operation["responses"].items() if code < "300"}
    refused = {"description": "Refused.", "content": {PROBLEM_JSON: {"schema": problem}}}
    operation["responses"] = {**done, "default": refused}
    if "oneOf" in str(operation.get("requestBody", "")):
        operation["requestBody"]["required"] = False
    for parameter in operation.get("parameters", []):
        parameter["schema"] = _PARAMETERS.get(parameter["name"], parameter["schema"])
        if parameter["name"] == "Idempotency-Key":
            parameter["required"] = True


def _problem_schema() -> dict[str, Any]:
    _, components = msgspec.json.schema_components([Problem])
    schema: dict[str, Any] = components["Problem"]
    return schema
