"""Par sheets, strategies and certificates opened as pages of this server.

Each is the same document as its download, with a bar above it: links back, and the download. A
policy allows only the document's own scripts and styles, by hash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path

from litestar import MediaType, Response, get
from litestar.params import FromPath

from tapisvert.par.page import kept_par_sheet, kept_strategy
from tapisvert.web.app_page import language_of, sent
from tapisvert.web.bundle import allowed
from tapisvert.web.certificate.route import written
from tapisvert.web.session import Call, house
from tapisvert.words import Catalogue, catalogue

_STYLE = Path(__file__).with_name("document_pages.css")
_DOCUMENTS = {"par": kept_par_sheet, "strategy": kept_strategy}
_META_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n?')


def opened(page: str, words: Catalogue, ways: Mapping[str, str], download: str) -> str:
    """Return a document with a bar: links back, by address, and the download."""
    links = "".join(f'<a href="{escape(to)}">{escape(name)}</a>' for to, name in ways.items())
    save = f'<a href="{escape(download)}" download>{escape(words.write("par.save"))}</a>'
    bar = f'<nav class="way" aria-label="{escape(words.write("par.ways"))}">{links}{save}</nav>'
    style = _STYLE.read_text(encoding="utf-8")
    framed = page.replace("<body>", f"<body><style>{style}</style>{bar}", 1)
    return _META_POLICY.sub("", framed, count=1)  # the header has the policy, with the bar's style


def policy(page: str) -> str:
    """Return a policy that allows only the scripts and styles of this page, by hash."""
    hashes = {
        tag: " ".join(
            allowed(text) for text in re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", page, re.DOTALL)
        )
        for tag in ("script", "style")
    }
    return (
        f"default-src 'none'; script-src {hashes['script'] or repr('none')};"
        f" style-src {hashes['style']}; base-uri 'none'; form-action 'none';"
        " frame-ancestors 'none'"
    )


def _shown(
    request: Call, page: str, language: str, ways: Mapping[str, str], download: str
) -> Response[bytes]:
    words = catalogue(language)
    named = {to: words.write(name) for to, name in ways.items()}
    shown = opened(page, words, named, download)
    return sent(request, shown.encode(), {"Content-Security-Policy": policy(shown)})


@get("/par/{page:str}", media_type=MediaType.HTML, include_in_schema=False)
async def par(request: Call, page: FromPath[str]) -> Response[bytes]:
    """Serve the par sheet of a game: a page, or a download if the address ends in .html."""
    return _of_game(request, "par", page)


@get("/strategy/{page:str}", media_type=MediaType.HTML, include_in_schema=False)
async def strategy(request: Call, page: FromPath[str]) -> Response[bytes]:
    """Serve the best play of a game: a page, or a download if the address ends in .html."""
    return _of_game(request, "strategy", page)


def _of_game(request: Call, kind: str, page: str) -> Response[bytes]:
    here, language = house(request), language_of(request)
    game = here.game(page.removesuffix(".html")).id
    written_page = _DOCUMENTS[kind](here.sheet_of(game), language, here.proofs)
    if page.endswith(".html"):
        name = f"{game}-{kind}-{language}.html"
        saved = {"Content-Disposition": f'attachment; filename="{name}"'}
        return sent(request, written_page.encode(), saved)
    ways = {f"/help/{game}": "view.help", f"/table/{game}": "par.table"}
    return _shown(request, written_page, language, ways, f"/{kind}/{game}.html")


@get("/certificate/{round_id:str}", media_type=MediaType.HTML, include_in_schema=False)
async def opened_certificate(request: Call, round_id: FromPath[str]) -> Response[bytes]:
    """Serve the certificate of your finished round as a page."""
    language = language_of(request)
    page = await written(request, round_id, language)
    ways = {f"/r/{round_id}": "view.replay", "/history": "view.history"}
    download = f"/rounds/{round_id}/certificate?language={language}"
    return _shown(request, page, language, ways, download)
