"""The plain pages: what this server is, and what its error codes mean."""

from __future__ import annotations

from html import escape
from typing import Any

from litestar import MediaType, get

from tapisvert.rounds import House
from tapisvert.web.api import API
from tapisvert.web.document import document
from tapisvert.web.problems import STATUS
from tapisvert.web.session import Call
from tapisvert.words import Catalogue, catalogue, pick

_STYLE = """
:root { color-scheme: dark; }
body { margin: 0; min-height: 100vh; background: radial-gradient(#14705a, #05231d) #05231d;
  color: #f3efe4; font: 1.1rem/1.6 Georgia, "Times New Roman", serif; }
main { max-width: 44rem; margin: 0 auto; padding: 10vh 1.5rem 4rem; }
h1 { color: #e8c474; font-size: 2.6rem; font-weight: normal; letter-spacing: 0.04em; }
h2 { color: #e8c474; font-size: 1.2rem; font-weight: normal; margin-top: 2.5rem; }
a { color: #f3efe4; } a:focus-visible { outline: 3px solid #ffe08a; }
dt { font-family: ui-monospace, monospace; color: #e8c474; font-size: 1rem; margin-top: 1rem; }
dd { margin: 0 0 0 1rem; }
"""


def _page(words: Catalogue, title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="{words.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/style.css"></head>'
        f"<body><main>{body}</main></body></html>"
    )


def _words(request: Call) -> Catalogue:
    return catalogue(pick(request.headers.get("accept-language", "")))


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def home(request: Call) -> str:
    """Say what this server is and where to go."""
    words = _words(request)
    house: House = request.app.state.house
    games = "".join(
        f'<li><a href="/api/v1/games/{game.id}">'
        f"{escape(words.write('title', {}, game.id))}</a></li>"
        for game in house.games()
    )
    return _page(
        words,
        "Tapis Vert",
        f"<h1>Tapis Vert</h1><p>{escape(words.write('page.lead'))}</p>"
        f"<h2>{escape(words.write('page.games'))}</h2><ul>{games}</ul>"
        f'<h2>API</h2><ul><li><a href="/api/v1/openapi.json">'
        f"{escape(words.write('page.api'))}</a></li>"
        f'<li><a href="/errors">{escape(words.write("page.errors"))}</a></li></ul>',
    )


@get("/errors", media_type=MediaType.HTML, include_in_schema=False)
async def errors(request: Call) -> str:
    """List every error code with its sentence; `type` of a problem points here."""
    words = _words(request)
    rows = "".join(
        f'<dt id="{code}">{code} ({status})</dt><dd>{escape(words.outline(f"error.{code}"))}</dd>'
        for code, status in STATUS.items()
    )
    title = words.write("page.errors")
    lead = words.write("page.errors-lead")
    return _page(words, title, f"<h1>{escape(title)}</h1><p>{escape(lead)}</p><dl>{rows}</dl>")


@get("/style.css", media_type="text/css", include_in_schema=False)
async def style() -> str:
    """Serve the plain pages' style."""
    return _STYLE


@get("/api/v1/openapi.json", include_in_schema=False)
async def openapi() -> dict[str, Any]:
    """Describe the API in OpenAPI 3.1."""
    return document(API)
