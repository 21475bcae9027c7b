"""Public routes, no session needed: games, figures, words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from litestar import get
from litestar.params import FromPath

from tapisvert.refusal import Refused
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.game_catalogue import GameList, GameView
from tapisvert.web.session import Call, done, house, token
from tapisvert.words import LANGUAGES, catalogue

T = TypeVar("T")


@get("/games")
async def games_view(request: Call) -> GameList:
    """List the games served here; for a signed-in player, by the player's own sheets."""
    here = house(request)
    return GameList(await seen(request, lambda context: tuple(here.games(context))))


@get("/games/{game:str}")
async def game_view(request: Call, game: FromPath[str]) -> GameView:
    """Show a game: its sheet and its spots; for a signed-in player, by the player's own sheet."""
    return await seen(request, lambda context: house(request).game(game, context))


async def seen(request: Call, ask: Callable[[QueryContext | None], T]) -> T:
    """Query with the player's sheets; without a session, with the house's own."""
    if token(request) is not None:
        try:
            return await done(house(request).query(token(request), ask))
        except Refused as refusal:
            if refusal.code != "session/missing":
                raise
    return ask(None)


@get("/words/{language:str}")
async def words_view(language: FromPath[str]) -> dict[str, str]:
    """Return the catalogue of a language: every template, by key."""
    if language not in LANGUAGES:
        raise Refused("request/not_found")
    return dict(catalogue(language).templates)
