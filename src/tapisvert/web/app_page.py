"""The page of the browser client, with the data of its first view: words, games, rounds."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from typing import Any

import msgspec
from litestar import MediaType, Response, get
from msgspec import Struct, structs

from tapisvert.games.registry import GAMES
from tapisvert.history import player_history
from tapisvert.learning.lessons import has_lesson
from tapisvert.par.page import MEASURES
from tapisvert.refusal import Refused
from tapisvert.rounds import player_views
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.game_catalogue import GameView
from tapisvert.rounds.schemas import RoundSummary, Wallet
from tapisvert.strategies import card_store
from tapisvert.web.assets import FOLDER, base, modules, of_game
from tapisvert.web.session import Call, done, house, token
from tapisvert.web.verifier import verifier_page
from tapisvert.words import LANGUAGES, catalogue, pick
from tapisvert.words.catalogue import places

LANGUAGE_COOKIE = "tapis_language"
THEME_COOKIE = "tapis_theme"
# Media query of the light style sheet, by theme; the dark theme has none (js/comforts.js).
_LIGHT = {"light": "all", "auto": "(prefers-color-scheme: light)"}
# Sentences the page does not use: a refusal carries its own, the others belong to other files.
_ELSEWHERE = (
    *("page.about", "error.", "verify.", "verifier.", "certificate.", "par.", "rule.", "a-rank."),
)
# Plus the bets whose return the lobby shows.
_OF_OTHER_TABLES = ("title", "about", "variant.")
# Words the lobby does not use; a view opened from the lobby fetches the whole catalogue.
_NOT_IN_LOBBY = (
    *("event.", "why.", "joker.", "ranks.", "of-ranks.", "to-rank.", "bet.", "spot.", "spots."),
    *("act.", "message.", "result.", "outcome.", "ledger.", "resume.", "chips.", "amount."),
    *("pays.", "limits.", "caps.", "notices.", "replay.", "fair.", "conversion."),
    *("returns.base", "returns.title", "returns.p", "returns.counted"),
    *("strategy.", "coach.", "costly.", "what-if.", "statistics.", "grade."),
)
# Words of views that fetch them when they are opened.
_WHEN_OPENED = (
    *("rules.", "position.", "cards.", "why-best.", "session.", "again.", "fold.", "lesson."),
    *("drill.", "theme.", "figure."),
)
# Words only help uses; the page of a table fetches them when help is opened.
_ONLY_IN_HELP = (
    *("notices.", "ranking.", "legend.", "glossary.", "least.", "reading."),
    *("help.part.", "help.contents"),
)
# Words help does not use; a view opened from help fetches the whole catalogue.
_NOT_IN_HELP = (
    *("felt", "about", "event.", "why.", "why-not.", "message.", "result.", "outcome.", "ledger."),
    *("resume.", "chips.", "amount.", "replay.", "fair.", "coach.", "costly.", "what-if."),
    *("statistics.", "spot.", "spots.", "history.", "state.", "lobby.", "read.", "hud."),
    *("hand.", "zone.", "step.", "set.", "joker.", "ranks.", "of-ranks.", "grade."),
)


class Mine(Struct, frozen=True):
    """The player's wallet and rounds when the page loads; empty without a session."""

    wallet: Wallet | None = None
    open: tuple[RoundSummary, ...] = ()
    unseen: tuple[RoundSummary, ...] = ()


class Facts(Struct, frozen=True):
    """Facts about a game: the cards its lobby picture shows, and the size of its deck."""

    fan: str  # one string, so that a search of the page for a hidden card finds no match (R7)
    cards: int  # in its deck
    card: bool = False  # whether it has a strategy card
    lesson: bool = False  # whether it has a lesson


class Boot(Struct, frozen=True):
    """The data embedded in the page."""

    language: str
    words: dict[str, str]
    games: tuple[GameView, ...]
    facts: dict[str, Facts]  # of every installed game: stored rounds need those not offered too
    wallet: Wallet | None
    open: tuple[RoundSummary, ...]
    unseen: tuple[RoundSummary, ...]
    # Set only in the offline page: the whole catalogue of each language.
    offline: dict[str, dict[str, str]] = {}


def language_of(request: Call) -> str:
    """Return the language in the cookie, or the one the browser prefers."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return chosen if chosen in LANGUAGES else pick(request.headers.get("accept-language", ""))


def _mine(context: QueryContext) -> Mine:
    return Mine(
        wallet=player_views.wallet(context),
        open=player_history.rounds(context, "open", None).rounds,
        unseen=player_history.rounds(context, "unseen", None).rounds,
    )


def _facts() -> dict[str, Facts]:
    return {
        game.id: Facts(
            fan=" ".join(game.fan),
            cards=len(game.sheet_type.deck),
            card=(game.folder / card_store.SHIPPED).is_file(),
            lesson=has_lesson(game.id),
        )
        for game in GAMES.values()
    }


def _shown(game: GameView, *, whole: bool) -> GameView:
    """Return a game as the page embeds it: other tables only with what the lobby shows.

    Fractions are left out: they are for programs. On the way to another table the page fetches the
    full view of that game.
    """
    kept = (each for each in game.returns if whole or each.strategy in MEASURES)
    plain = tuple(structs.replace(each, edge="", staked="") for each in kept)
    named = _in_lobby(game.id)
    sheet = {key: part for key, part in game.sheet.items() if whole or key in named}
    return structs.replace(game, returns=plain, sheet=sheet)


@cache
def _in_lobby(game: str) -> frozenset[str]:
    """Return the sheet values that the lobby's templates use."""
    told = (catalogue(language).templates[f"{game}.about"] for language in LANGUAGES)
    return frozenset({"published", *(name.split(".")[0] for text in told for name in places(text))})


@cache
def _words(language: str, games: frozenset[str], table: str, view: str) -> dict[str, str]:
    """Return the words of a page: those of its own table, and the lobby's of the others."""
    without = {"lobby": (*_NOT_IN_LOBBY, *_ONLY_IN_HELP), "help": _NOT_IN_HELP}
    unsaid = (*without.get(view, _ONLY_IN_HELP), *_WHEN_OPENED)
    unsaid_of_table = (*unsaid, "rule.") if view == "help" else (*unsaid, "help.", "rule.")

    def wanted(key: str) -> bool:
        game, _, rest = key.partition(".")
        if game in GAMES and game not in games:  # not offered, but its rounds are listed
            return rest == "title"
        if game not in games:
            return not key.startswith((*_ELSEWHERE, "offline.", *unsaid))
        if game == table and not rest.startswith(unsaid_of_table):
            return True
        if view == "help":
            return rest == "title"
        return rest.startswith(_OF_OTHER_TABLES) or rest.removeprefix("bet.") in GAMES[game].bets

    return {key: text for key, text in catalogue(language).templates.items() if wanted(key)}


@cache
def _frame(language: str, game: str, view: str, light: str = "") -> tuple[str, str]:
    """Return the HTML before and after the embedded data; `light` is where the theme is light."""
    address = base()
    # The modules of the first view. Until they load, the page shows its title and the cloth.
    table = view == "table"
    own = [f"js/views/{view}.js", *([of_game(game, "layout.js")] if table else [])]
    names = dict.fromkeys(each for entry in ("js/app.js", *own) for each in modules(entry))
    preloads = "\n".join(f'<link rel="modulepreload" href="{address}/{name}">' for name in names)
    words = catalogue(language)
    felt = '<main class="table"><div class="felt"></div></main>'
    fields: dict[str, Any] = {
        "language": language,
        "static": address,
        "theme": f'<link rel="stylesheet" href="{address}/css/light.css" media="{light}">\n'
        if light
        else "",
        "preloads": preloads,
        "boot": "\0",
        "title": escape(words.write("title", {}, game) if game else words.write("view.lobby")),
        "felt": felt if table else "",
        "noscript": escape(words.write("page.noscript")),
    }
    template = (FOLDER / "index.html").read_text(encoding="utf-8")
    before, _, after = template.format_map(fields).partition("\0")
    return before, after


@get(
    [
        "/",
        "/table/{game:str}",
        "/help",
        "/help/{game:str}",
        "/history",
        "/r/{round_id:str}",
        "/fair",
        "/fair/{round_id:str}",
        "/statistics",
        "/drill/{game:str}",
        "/lesson/{game:str}",
        "/rules/{game:str}",
        "/position/{game:str}",
        "/card/{game:str}",
        "/session",
        "/again/{round_id:str}/{step:str}",
    ],
    media_type=MediaType.HTML,
    include_in_schema=False,
)
async def shell(request: Call) -> Response[bytes]:
    """Serve the page of the browser client, whatever the view."""
    language = language_of(request)
    here = house(request)
    try:
        mine, games = await done(
            here.query(token(request), lambda context: (_mine(context), here.games(context)))
        )
    except Refused:
        mine, games = Mine(), here.games()
    ids = frozenset(game.id for game in games)
    named = request.path_params.get("game", "")
    table = named if named in ids else ""
    named_view = request.url.path.split("/")[1]
    boot = Boot(
        language=language,
        words=_words(language, ids, table, named_view or "lobby"),
        games=tuple(_shown(game, whole=game.id == table) for game in games),
        facts=_facts(),
        wallet=mine.wallet,
        open=mine.open,
        unseen=mine.unseen,
    )
    view = named_view if table and named_view in ("help", "table") else "lobby"
    light = _LIGHT.get(request.cookies.get(THEME_COOKIE, ""), "")
    return sent(request, _page(boot, table if view != "lobby" else "", view, light))


def sent(request: Call, page: bytes, headers: Mapping[str, str] | None = None) -> Response[bytes]:
    """Send a page, compressed if the client accepts it."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(page, headers=dict(headers or {}))
    packed = {**(headers or {}), "Content-Encoding": "gzip"}
    return Response(gzip.compress(page, 5), headers=packed)


def _page(boot: Boot, game: str, view: str, light: str = "") -> bytes:
    """Return the page with its data embedded."""
    before, after = _frame(boot.language, game, view, light)
    # "<" is escaped, so that no text can close the enclosing script element.
    data = msgspec.json.encode(boot).replace(b"<", b"\\u003c")
    return before.encode() + data + after.encode()


def offline_page(games: Iterable[GameView], language: str) -> bytes:
    """Return the page for offline use: help and fairness in both languages, no player data."""
    known = tuple(_shown(game, whole=True) for game in games)
    told = {
        each: {
            key: text
            for key, text in catalogue(each).templates.items()
            if not key.startswith(_ELSEWHERE) and ".rule." not in key
        }
        for each in LANGUAGES
    }
    boot = Boot(language, {}, known, _facts(), None, (), (), told)
    return _page(boot, "", "offline")


@get("/verifier.html", media_type=MediaType.HTML, include_in_schema=False)
async def verifier() -> Response[str]:
    """Serve the offline verifier as a download."""
    name = "tapis-vert-verifier.html"
    return Response(
        verifier_page(), headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
