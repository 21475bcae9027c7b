"""The browser's files. They are read once and served under a hash of them all, for ever cacheable.

A page names its files under `/static/<hash>/`, and modules import each other by relative paths,
so a browser never mixes the files of two versions and never asks twice for the same one.

A game keeps its browser files in its own folder; they are served as `games/<id>/`. Its `table.css`,
if it has one, is served as a part of `app.css`.
"""

from __future__ import annotations

import gzip
import hashlib
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import FromPath
from msgspec import Struct

from tapisvert.games.registry import GAMES
from tapisvert.refusal import Refused

FOLDER = Path(__file__).parent / "static"
# What a browser needs of a game's folder: the table's layout, and the hands that its help draws.
_OF_A_GAME = ("layout.js", "rankings.js")
STYLE = "app.css"
STYLE_OF_A_GAME = "table.css"  # optional
GAMES_PLACE = b"/* {games} */\n"  # where these stand in `app.css`: before what small felts change
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
_PACKED = (".woff2", ".png")  # compressed already
_COMMENT = re.compile(rb"[ \t]*/\*.*?\*/\n?", re.DOTALL)
_IMPORT = re.compile(r"^import\b[^;'\"`]*'([^']+)';$", re.MULTILINE)  # over several lines, too


class Asset(Struct, frozen=True):
    """One file as it goes out."""

    content_type: str
    plain: bytes
    packed: bytes | None


@cache
def assets() -> dict[str, Asset]:
    """Return every file the browser may ask for, by its path."""
    found = {}
    for name, path in _files():
        plain = _style(path) if name == STYLE else path.read_bytes()
        packed = None if path.suffix in _PACKED else gzip.compress(plain, 9, mtime=0)
        found[name] = Asset(_TYPES[path.suffix], plain, packed)
    return found


def _files() -> Iterator[tuple[str, Path]]:
    """Yield every file by the path it is served at."""
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in _TYPES:
            yield path.relative_to(FOLDER).as_posix(), path
    for game in GAMES.values():
        for name in _OF_A_GAME:
            yield of_game(game.id, name), game.folder / name


def _style(path: Path) -> bytes:
    """Return the style sheet with the rules of every game in it, without comments."""
    own = (game.folder / STYLE_OF_A_GAME for game in GAMES.values())
    rules = b"".join(file.read_bytes() for file in own if file.is_file())
    before, _, after = path.read_bytes().partition(GAMES_PLACE)
    return _COMMENT.sub(b"", before + rules + after)  # they would be a tenth of it


def of_game(game: str, name: str) -> str:
    """Return the path that a file of a game is served at.

    >>> of_game("casino-stud", "layout.js")
    'games/casino-stud/layout.js'
    """
    return f"games/{game}/{name}"


@cache
def base() -> str:
    """Return the address all files lie under."""
    tree = hashlib.sha256()
    for name, asset in assets().items():
        tree.update(name.encode() + b"\0" + hashlib.sha256(asset.plain).digest())
    return f"/static/{tree.hexdigest()[:16]}"


@cache
def modules(entry: str) -> tuple[str, ...]:
    """Return a module and all it imports at once, so that a page can ask for them together."""
    found: dict[str, None] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop(0)
        if name in found:
            continue
        found[name] = None
        for target in _IMPORT.findall(assets()[name].plain.decode()):
            waiting.append(posixpath.normpath(posixpath.join(posixpath.dirname(name), target)))
    return tuple(found)


@get("/static/{tree:str}/{path:path}", include_in_schema=False)
async def static(
    request: Request[None, None, State], tree: FromPath[str], path: FromPath[Path]
) -> Response[bytes]:
    """Serve a file of the browser's."""
    asset = assets().get(str(path).lstrip("/"))
    if asset is None or not base().endswith(f"/{tree}"):
        raise Refused("request/not_found")
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if asset.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.packed, media_type=asset.content_type, headers=headers)
    return Response(asset.plain, media_type=asset.content_type, headers=headers)
