"""The pages without script: error codes, unknown addresses, and the OpenAPI document."""

from __future__ import annotations

from html import escape
from typing import Any

from litestar import MediaType, Response, get
from litestar.exceptions import HTTPException
from litestar.params import FromQuery

from tapisvert.web.advice import COACH_API
from tapisvert.web.api import API
from tapisvert.web.app_page import language_of
from tapisvert.web.assets import base
from tapisvert.web.cards import CARD_API
from tapisvert.web.drill import DRILL_API
from tapisvert.web.jackpots import JACKPOT_API
from tapisvert.web.lessons import LESSONS_API
from tapisvert.web.openapi import document
from tapisvert.web.operator import OPERATOR_API
from tapisvert.web.positions import POSITIONS_API
from tapisvert.web.practice import PRACTICE_API
from tapisvert.web.problems import STATUS, on_http_error
from tapisvert.web.review import REVIEW_API
from tapisvert.web.rules import RULES_API
from tapisvert.web.session import Call
from tapisvert.web.statistics import STATISTICS_API
from tapisvert.web.what_if import WHAT_IF_API
from tapisvert.words import LANGUAGES, Catalogue, catalogue

APIS = (
    API,
    COACH_API,
    WHAT_IF_API,
    REVIEW_API,
    JACKPOT_API,
    STATISTICS_API,
    DRILL_API,
    POSITIONS_API,
    LESSONS_API,
    RULES_API,
    CARD_API,
    PRACTICE_API,
    OPERATOR_API,
)


def page(words: Catalogue, title: str, body: str, path: str = "") -> str:
    """Return a complete HTML page in the house style; with a path it has a switch of language."""
    lobby = escape(words.write("view.lobby"))
    other = next(each for each in LANGUAGES if each != words.language)
    switch = (
        f'<a class="act" href="{path}?language={other}" lang="{other}" hreflang="{other}">'
        f"{escape(words.write('shell.other-language'))}</a>"
        if path
        else ""
    )
    return (
        f'<!doctype html><html lang="{words.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>"
        f'<link rel="icon" href="{base()}/icon.svg">'
        f'<link rel="stylesheet" href="{base()}/app.css"></head>'
        f'<body class="plain"><header class="bar"><a class="brand" href="/">'
        f'<span class="logo" aria-hidden="true"></span>{lobby}</a>{switch}</header>'
        f'<main class="page"><h1>{escape(title)}</h1>{body}</main></body></html>'
    )


@get("/errors", media_type=MediaType.HTML, include_in_schema=False)
async def errors(request: Call, language: FromQuery[str] = "") -> str:
    """List every error code with its sentence; the `type` of a problem links here."""
    words = catalogue(language if language in LANGUAGES else language_of(request))
    rows = "".join(
        f'<dt id="{code}">{code} ({status})</dt><dd>{escape(words.outline(f"error.{code}"))}</dd>'
        for code, status in STATUS.items()
    )
    lead = escape(words.write("page.errors-lead"))
    api = f'<a href="/api/v1/openapi.json">{escape(words.write("page.api"))}</a>'
    body = f'<p>{lead} {api}</p><dl class="codes">{rows}</dl>'
    return page(words, words.write("page.errors"), body, "/errors")


def on_lost(request: Call, error: HTTPException) -> Response[Any]:
    """Respond to an unknown address: HTML for a browser, a problem document for a program."""
    reading = "text/html" in request.headers.get("accept", "")
    if error.status_code != 404 or not reading or request.url.path.startswith("/api/"):
        return on_http_error(request, error)
    words = catalogue(language_of(request))
    body = f"<p>{escape(words.write('page.lost'))}</p>"
    html = page(words, words.write("error.request/not_found"), body)
    return Response(html, status_code=404, media_type=MediaType.HTML)


@get("/api/v1/openapi.json", include_in_schema=False)
async def openapi() -> dict[str, Any]:
    """Serve the OpenAPI 3.1 document."""
    return document(*APIS)
