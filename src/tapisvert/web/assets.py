"""Static files: read once, and served under a hash of all of them, cacheable for ever.

A page names its files under `/static/<hash>/`, and modules import each other by relative paths,
so a browser never mixes files of two versions and never requests the same file twice.

The browser files of a game are in its own folder and are served as `games/<id>/`. Its `table.css`,
if present, becomes part of `app.css`.
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
# The browser files in a game's folder: the table's layout, and the hands its help draws.
_OF_A_GAME = ("layout.js", "rankings.js")
STYLE = "app.css"
STYLE_OF_A_GAME = "table.css"  # optional
GAMES_PLACE = b"/* {games} */\n"  # placeholder in `app.css`, above the rules for small screens
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
_PACKED = (".woff2", ".png")  # formats that are already compressed
_COMMENT = re.compile(rb"[ \t]*/\*.*?\*/\n?", re.DOTALL)
# Comments of a module: whole lines, then those within a line, which are types. Comments are a
# quarter of the scripts. tests/web/test_comments.py compares the syntax trees.
_COMMENT_LINES = re.compile(
    rb"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n", re.DOTALL | re.MULTILINE
)
_COMMENT_WITHIN = re.compile(rb"/\*.*?\*/ ?", re.DOTALL)
_IMPORT = re.compile(r"^import\b[^;'\"`]*'([^']+)';$", re.MULTILINE)  # may span lines


class Asset(Struct, frozen=True):
    """A static file, ready to send."""

    content_type: str
    plain: bytes
    packed: bytes | None


@cache
def assets() -> dict[str, Asset]:
    """Return every static file, by its path."""
    found = {}
    for name, path in files():
        plain = _served(name, path)
        packed = None if path.suffix in _PACKED else gzip.compress(plain, 9, mtime=0)
        found[name] = Asset(_TYPES[path.suffix], plain, packed)
    return found


def files() -> Iterator[tuple[str, Path]]:
    """Yield each static file with the path it is served at."""
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in _TYPES:
            yield path.relative_to(FOLDER).as_posix(), path
    for game in GAMES.values():
        for name in _OF_A_GAME:
            yield of_game(game.id, name), game.folder / name


def _served(name: str, path: Path) -> bytes:
    """Return a file as it is served: our scripts and styles have no comments."""
    if name == STYLE:
        return _style(path)
    if path.suffix == ".css":
        return _COMMENT.sub(b"", path.read_bytes())
    if path.suffix == ".js" and name.startswith(("js/", "games/")):
        return _COMMENT_WITHIN.sub(b"", _COMMENT_LINES.sub(b"", path.read_bytes()))
    return path.read_bytes()


def _style(path: Path) -> bytes:
    """Return the style sheet with the rules of every game in it, without comments."""
    own = (game.folder / STYLE_OF_A_GAME for game in GAMES.values())
    rules = b"".join(file.read_bytes() for file in own if file.is_file())
    before, _, after = path.read_bytes().partition(GAMES_PLACE)
    return _COMMENT.sub(b"", before + rules + after)  # comments are a tenth of the file


def of_game(game: str, name: str) -> str:
    """Return the path at which a file of a game is served.

    >>> of_game("casino-stud", "layout.js")
    'games/casino-stud/layout.js'
    """
    return f"games/{game}/{name}"


@cache
def base() -> str:
    """Return the URL prefix of all static files."""
    tree = hashlib.sha256()
    for name, asset in assets().items():
        tree.update(name.encode() + b"\0" + hashlib.sha256(asset.plain).digest())
    return f"/static/{tree.hexdigest()[:16]}"


@cache
def modules(entry: str) -> tuple[str, ...]:
    """Return a module and its static imports, so that a page can preload them together."""
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
    """Serve a static file."""
    asset = assets().get(str(path).lstrip("/"))
    if asset is None or not base().endswith(f"/{tree}"):
        raise Refused("request/not_found")
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if asset.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.packed, media_type=asset.content_type, headers=headers)
    return Response(asset.plain, media_type=asset.content_type, headers=headers)
