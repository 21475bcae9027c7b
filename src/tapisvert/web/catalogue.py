"""What anyone may read without a session or a cent: the games, their figures, and the words."""

from __future__ import annotations

from typing import Any

from litestar import Request, get
from litestar.datastructures import State
from msgspec import Struct

from tapisvert.games import EDITIONS, current, known
from tapisvert.refusal import Refused
from tapisvert.rounds import House
from tapisvert.sheets import Sheet, content, sheet_hash
from tapisvert.words import LANGUAGES, catalogue


class SpotView(Struct, frozen=True):
    """Where a stake may be placed before the deal. Amounts are cents."""

    id: str
    min: int
    max: int
    step: int
    fixed: bool
    requires: tuple[str, ...]
    equals: str | None
    main: bool


class GameView(Struct, frozen=True):
    """A game as it is played here: its figures and its layout."""

    id: str
    edition: int
    sheet_hash: str
    sheet: dict[str, Any]
    spots: tuple[SpotView, ...]
    void_after_s: int


class GameList(Struct, frozen=True):
    """All games served here."""

    games: tuple[GameView, ...]


def spots(sheet: Sheet) -> tuple[SpotView, ...]:
    """Describe the layout; limits are given as multiples of the step."""
    step = sheet.step_cents
    return tuple(
        SpotView(
            id=name,
            min=-(-spot.min_cents // step) * step,
            max=spot.max_cents // step * step,
            step=step,
            fixed=spot.fixed,
            requires=spot.requires,
            equals=spot.equals,
            main=spot.main,
        )
        for name in sheet.spot_ids
        for spot in [sheet.spots[name]]
    )


def _view(house: House, game: str) -> GameView:
    sheet = house.sheet_of(known(game))
    return GameView(
        id=game,
        edition=current(game).number,
        sheet_hash=sheet_hash(sheet),
        sheet=content(sheet),
        spots=spots(sheet),
        void_after_s=sheet.void_after_s,
    )


@get("/games")
async def games_view(request: Request[None, None, State]) -> GameList:
    """List the games served here."""
    house: House = request.app.state.house
    return GameList(tuple(_view(house, game) for game in EDITIONS))


@get("/games/{game:str}")
async def game_view(request: Request[None, None, State], game: str) -> GameView:
    """Show a game: its sheet and its spots."""
    return _view(request.app.state.house, game)


@get("/words/{language:str}")
async def words_view(language: str) -> dict[str, str]:
    """Give the catalogue of a language: every sentence the table can say."""
    if language not in LANGUAGES:
        raise Refused("request/not_found")
    return dict(catalogue(language).templates)


@get("/openapi.json", include_in_schema=False)
async def openapi(request: Request[None, None, State]) -> dict[str, Any]:
    """Describe the API in OpenAPI 3.1."""
    return request.app.openapi_schema.to_schema()
