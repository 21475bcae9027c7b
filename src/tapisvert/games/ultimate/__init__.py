"""Ultimate Texas Hold'em."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tapisvert.engine.view import AskView
from tapisvert.games.game import Bet, Edition, Game, Hands, PositionShape, Stakes
from tapisvert.games.ultimate.chart_page import cell, draw
from tapisvert.games.ultimate.script import ultimate
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.games.ultimate.themes import THEMES
from tapisvert.ranking.standard import CATEGORIES


def _position(_: AskView, hands: Hands, __: Stakes) -> dict[str, Any]:
    return {"player": hands["player"], "board": hands.get("board", ())}


GAME = Game(
    id="ultimate",
    folder=Path(__file__).parent,
    clauses="uth",
    editions=(Edition(1, ultimate, Ultimate),),
    bets={"main": Bet(("house", "ante", "blind", "play")), "trips": Bet(("trips",))},
    odds="tapisvert.games.ultimate.odds",
    strategies=("optimal", "wait-for-the-river", "never-fold", "always-raise-first"),
    blind=("never-fold", "always-raise-first"),
    position=PositionShape(
        cards={"player": (2,), "board": (0, 3, 5)},
        optional=("board",),
        of_question=_position,
        example={"player": ["Kd", "5c"], "board": ["Ks", "7h", "2d"]},
        warm_s=13.0,
    ),
    themes=THEMES,
    hand_order=CATEGORIES,
    fan=("Ad", "Kd", "7c", "7s", "7h"),
    cards_dealt=9,
    draw_chart=draw,
    chart_cell=cell,
)
