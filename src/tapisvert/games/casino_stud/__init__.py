"""Casino Stud with the 5+1 bonus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tapisvert.engine.view import AskView
from tapisvert.games.casino_stud.chart_page import draw
from tapisvert.games.casino_stud.script import casino_stud
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.games.casino_stud.themes import THEMES
from tapisvert.games.game import Bet, Edition, Game, Hands, PositionShape, Stakes
from tapisvert.ranking.standard import CATEGORIES


def _position(_: AskView, hands: Hands, __: Stakes) -> dict[str, Any]:
    return {"player": hands["player"], "house": hands["house"][:1]}


GAME = Game(
    id="casino-stud",
    folder=Path(__file__).parent,
    clauses="stud",
    editions=(Edition(1, casino_stud, CasinoStud),),
    bets={"main": Bet(("house", "ante", "play")), "bonus": Bet(("bonus",))},
    odds="tapisvert.games.casino_stud.odds",
    strategies=("optimal", "as-the-house", "pair-or-better", "always-play"),
    blind=("always-play",),
    position=PositionShape(
        cards={"player": (5,), "house": (1,)},
        of_question=_position,
        example={"player": ["As", "Kd", "Qh", "5c", "3d"], "house": ["Ac"]},
        warm_s=2.0,
    ),
    themes=THEMES,
    hand_order=CATEGORIES,
    fan=("As", "Ks", "Qs", "Js", "Ts"),
    cards_dealt=10,
    draw_chart=draw,
)
