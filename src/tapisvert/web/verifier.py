"""The downloadable verifier: one self-contained page that checks a deal offline.

The file contains `deal.js` unchanged and the words of both languages. It makes no network request.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path

import msgspec

from tapisvert.games.registry import GAMES
from tapisvert.web.bundle import inline, put
from tapisvert.words import LANGUAGES, catalogue

_STATIC = Path(__file__).parent / "static"
_WORDS = re.compile(r"(verifier|verify|card|rank|suit)\..*|[^.]+\.title|error\.proof/unreadable")


@cache
def verifier_page() -> str:
    """Return the HTML of the verifier."""
    page = (_STATIC / "verifier.html").read_text(encoding="utf-8")
    module = (_STATIC / "js" / "deal.js").read_text(encoding="utf-8")
    page = put(page, "/*{deal.js}*/", inline(module))
    page = put(page, "<!--{no-script}-->", _no_script())
    page = put(page, "/*{games}*/ {}", _games())
    return put(page, "/*{words}*/ {}", _words())


def _games() -> str:
    facts = {
        game.id: {"cards": len(game.sheet_type.deck), "dealt": game.cards_dealt}
        for game in GAMES.values()
    }
    return msgspec.json.encode(facts).decode()


def _words() -> str:
    told = {language: catalogue(language).templates.items() for language in LANGUAGES}
    ours = {
        language: {key: text for key, text in rows if _WORDS.fullmatch(key)}
        for language, rows in told.items()
    }
    return msgspec.json.encode(ours).decode().replace("<", "\\u003c")


def _no_script() -> str:
    told = ((language, catalogue(language).write("verifier.no-script")) for language in LANGUAGES)
    return "".join(f'<p lang="{language}">{escape(text)}</p>' for language, text in told)
