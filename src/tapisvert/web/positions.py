"""Positions over HTTP: any cards by any rules, and the value of every option. No session is needed.

The query is the address of the position (`learning/position_address.py`). Nothing here reads a
player, a wallet or a round: rules and names come from the house, values from the coach.
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, Router, get
from litestar.params import FromPath
from msgspec import Struct

from tapisvert.decoding import convert
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import keys
from tapisvert.games.registry import GAMES
from tapisvert.learning.position_address import (
    AddressedPosition,
    deck_of,
    read_address,
    split_query,
)
from tapisvert.learning.position_picture import draw_position
from tapisvert.refusal import Refused
from tapisvert.web.advice import coach_of
from tapisvert.web.api import answers, reply
from tapisvert.web.app_page import language_of
from tapisvert.web.rate_limit import neighbourhood
from tapisvert.web.session import Call, house
from tapisvert.words import catalogue

NEXT = "next"  # `next=yes` asks for the best play after each option


class PositionField(Struct, frozen=True):
    """A place for cards, and the numbers of cards it may hold."""

    name: str
    counts: tuple[int, ...]


class NextDecision(Struct, frozen=True):
    """The best play of the next decision, and the cards or boards that lead to it."""

    best: str | None
    cards: tuple[str, ...] = ()
    boards: int = 0


class PositionAdvice(Struct, frozen=True):
    """The mean net result of each option, in units of the first stake, and the best option."""

    options: dict[str, float]
    best: str | None = None
    insurance: str | None = None
    house_way: str | None = None
    next: dict[str, tuple[NextDecision, ...]] = {}


class Position(Struct, frozen=True):
    """A position: its places, its cards, its rules, and the values of its options."""

    game: str
    fields: tuple[PositionField, ...]
    deck: tuple[str, ...]
    rules: str | None
    changes: dict[str, Any]
    cards: dict[str, tuple[str, ...]]
    flags: dict[str, bool]
    advice: PositionAdvice | None


@get("/positions/{game:str}", responses=answers(Position))
async def position(request: Call, game: FromPath[str]) -> Response[bytes]:
    """Return a position and the exact value of each option; without cards, its empty places."""
    own = _own_sheet(request, game)
    query = split_query(request.scope["query_string"])
    wanted = (NEXT, "yes") in query
    found = read_address(own, [each for each in query if each != (NEXT, "yes")])
    shown = Position(
        game=own.game,
        fields=tuple(
            PositionField(name, tuple(counts))
            for name, counts in GAMES[own.game].position.fields().items()
        ),
        deck=deck_of(own),
        rules=found.rules,
        changes=_changes(own, found.sheet),
        cards=found.cards,
        flags=found.flags,
        advice=None if found.is_blank else await _advice(request, found, wanted=wanted),
    )
    return reply(msgspec.json.encode(shown), 200)


@get("/position/{game:str}/picture.svg", include_in_schema=False)
async def picture(request: Call, game: FromPath[str]) -> Response[bytes]:
    """Serve a picture of a position, with the values of its options."""
    own = _own_sheet(request, game)
    found = read_address(own, split_query(request.scope["query_string"]))
    if found.is_blank:
        raise Refused("position/count", name=next(iter(found.cards)), count=0)
    advice = await _advice(request, found, wanted=False)
    drawn = draw_position(
        catalogue(language_of(request)), found, advice.options, (advice.best, advice.insurance)
    )
    name = f'inline; filename="{own.game}.svg"'
    headers = {"Content-Disposition": name, "Vary": "Accept-Language, Cookie"}
    return Response(drawn.encode(), media_type="image/svg+xml", headers=headers)


def _own_sheet(request: Call, game: str) -> Sheet:
    """Return the house's sheet of a game that is served here."""
    here = house(request)
    return here.sheet_of(here.game(game).id)


async def _advice(request: Call, found: AddressedPosition, *, wanted: bool) -> PositionAdvice:
    """Ask the coach for the values of a position, within the rate limit of the address."""
    coach = coach_of(request)
    request.app.state.positions.take(neighbourhood(request.client.host if request.client else ""))
    asked = found.position() | ({"next": True} if wanted else {})
    try:
        return convert(await coach.ask(asked), PositionAdvice)
    except Refused as refusal:
        if refusal.code == "advice/impossible":  # its reason is written for programs
            raise Refused("position/impossible") from None
        raise


def _changes(own: Sheet, sheet: Sheet) -> dict[str, Any]:
    figures = dict(keys(own))
    return {key: value for key, value in keys(sheet) if figures.get(key) != value}


POSITIONS_API = Router("/api/v1", route_handlers=[position])
