"""The installable web app: manifest, service worker, offline pages.

The service worker caches what works offline: one page with the help of every table and the fairness
view, its files, and the verifier. It never caches a reply of the API.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from typing import Any

import msgspec
from litestar import MediaType, Response, get

from tapisvert.web.app_page import language_of, offline_page, sent
from tapisvert.web.assets import FOLDER, base, modules, of_game
from tapisvert.web.session import Call, house
from tapisvert.web.verifier import verifier_page
from tapisvert.words import catalogue

PAGES = ("/offline", "/verifier")
_VIEWS = ("app", "views/offline", "views/help", "views/fair", "views/panels")
_FILES = (
    "app.css",
    "css/light.css",
    "css/large-cards.css",
    "icon.svg",
    "fonts/display.woff2",
    "fonts/ui.woff2",
)
_INK, _FELT = "#061814", "#0b4438"


@get("/manifest.webmanifest", media_type="application/manifest+json", include_in_schema=False)
async def manifest(request: Call) -> dict[str, Any]:
    """Serve the web app manifest."""
    words = catalogue(language_of(request))
    sizes = (("icon.svg", "any", "any"), ("icon-192.png", "192x192", "any"))
    larger = (("icon-512.png", "512x512", "any"), ("icon-maskable.png", "512x512", "maskable"))
    return {
        "id": "/",
        "name": words.write("page.house"),
        "short_name": words.write("page.house"),
        "description": words.write("page.about"),
        "lang": words.language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": _INK,
        "theme_color": _INK,
        "categories": ["games", "education"],
        "icons": [
            {
                "src": f"{base()}/{name}",
                "sizes": size,
                "type": "image/svg+xml" if name.endswith("svg") else "image/png",
                "purpose": purpose,
            }
            for name, size, purpose in (*sizes, *larger)
        ],
    }


@get("/offline", media_type=MediaType.HTML, include_in_schema=False)
async def offline(request: Call) -> Response[bytes]:
    """Serve the page that the worker caches for offline use."""
    return sent(request, offline_page(house(request).games(), language_of(request)))


@get("/worker.js", media_type="text/javascript", include_in_schema=False)
async def worker(request: Call) -> Response[str]:
    """Serve the service worker; its text changes whenever a cached file changes."""
    games = house(request).games()
    files = offline_files(tuple(game.id for game in games))
    kept = [*PAGES, *(f"{base()}/{name}" for name in files)]
    page = offline_page(games, "en")
    name = hashlib.sha256(page + verifier_page().encode()).hexdigest()[:16]
    script = (FOLDER / "worker.js").read_text(encoding="utf-8")
    script = script.replace("{name}", name).replace(
        "/*{files}*/", msgspec.json.encode(kept).decode()
    )
    return Response(script)


@cache
def offline_files(games: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files the offline page may load, with each game's rankings for its help."""
    views = (f"js/{view}.js" for view in _VIEWS)
    rankings = (of_game(game, "rankings.js") for game in games)
    found = dict.fromkeys(name for entry in (*views, *rankings) for name in modules(entry))
    return (*_FILES, *found)


@get("/verifier", media_type=MediaType.HTML, include_in_schema=False)
async def opened_verifier(request: Call) -> Response[bytes]:
    """Serve the verifier as a page: the same file as the download, under a policy by hashes."""
    headers = {"Content-Security-Policy": _policy()}
    return sent(request, verifier_page().encode(), headers)


@cache
def _policy() -> str:
    """Return a policy that allows only the verifier's own script and style, by hash."""
    allowed = {
        tag: " ".join(
            f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
            for text in re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", verifier_page(), re.DOTALL)
        )
        for tag in ("script", "style")
    }
    return (
        f"default-src 'none'; script-src {allowed['script']}; style-src {allowed['style']};"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
