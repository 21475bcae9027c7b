"""What anyone may read without a session or a cent: the games, their figures, and the words."""

from __future__ import annotations

from litestar import Request, get
from litestar.datastructures import State
from litestar.params import FromPath

from tapisvert.refusal import Refused
from tapisvert.rounds import House
from tapisvert.rounds.layout import GameList, GameView
from tapisvert.words import LANGUAGES, catalogue


@get("/games")
async def games_view(request: Request[None, None, State]) -> GameList:
    """List the games served here."""
    house: House = request.app.state.house
    return GameList(tuple(house.games()))


@get("/games/{game:str}")
async def game_view(request: Request[None, None, State], game: FromPath[str]) -> GameView:
    """Show a game: its sheet and its spots."""
    house: House = request.app.state.house
    return house.game(game)


@get("/words/{language:str}")
async def words_view(language: FromPath[str]) -> dict[str, str]:
    """Give the catalogue of a language: every sentence the table can say."""
    if language not in LANGUAGES:
        raise Refused("request/not_found")
    return dict(catalogue(language).templates)
