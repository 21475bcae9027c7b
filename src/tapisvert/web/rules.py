"""My casino's rules over HTTP: the variants of a game, and the choice of one for a table."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, Router, get, post
from litestar.params import FromPath
from msgspec import Struct

from tapisvert.engine.sheet_file import keys
from tapisvert.rounds.game_catalogue import GameView, ReturnView, returns
from tapisvert.rounds.own_rules import RulesRequest, slow_to_count, stays
from tapisvert.sheets import variants_of
from tapisvert.web.api import Body, answers, checked, reply
from tapisvert.web.session import Call, done, house, token


class Variant(Struct, frozen=True):
    """Rules of another casino: the figures that differ from the house's, and proved returns."""

    id: str
    sheet_hash: str
    changes: dict[str, Any]
    returns: tuple[ReturnView, ...]


class Variants(Struct, frozen=True):
    """The variants of a game, and the figures of the house's sheet by key.

    `stays` lists the keys that no player can change; `slow` those among them that are fixed because
    counting with other figures would take too long.
    """

    game: str
    figures: dict[str, Any]
    variants: tuple[Variant, ...]
    stays: tuple[str, ...] = ()
    slow: tuple[str, ...] = ()


@get("/games/{game:str}/variants")
async def variants(request: Call, game: FromPath[str]) -> Variants:
    """List the variants of a game that a table of play money can be played by."""
    here = house(request)
    sheet = here.sheet_of(here.game(game).id)
    figures = dict(keys(sheet))
    found = (
        Variant(
            id=name,
            sheet_hash=other.hash,
            changes={key: value for key, value in keys(other) if value != figures[key]},
            returns=returns(other, here.proofs),
        )
        for name, other in variants_of(sheet).items()
    )
    fixed = tuple(key for key in figures if stays(game, key))
    slow = tuple(key for key in fixed if slow_to_count(game, key))
    return Variants(game, figures, tuple(found), fixed, slow)


@post("/games/{game:str}/rules", status_code=200, responses=answers(GameView))
async def choose_rules(
    request: Call, game: FromPath[str], data: Body[RulesRequest]
) -> Response[bytes]:
    """Play a game by a variant or by changed figures, with play money; `{}`: the house's rules."""
    asked = checked(data, RulesRequest)
    shown = await done(house(request).choose_rules(token(request), game, asked))
    return reply(msgspec.json.encode(shown), 200)


RULES_API = Router("/api/v1", route_handlers=[variants, choose_rules])
