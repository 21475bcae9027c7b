"""Fortune Pai Gow Poker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tapisvert.engine.view import AskView
from tapisvert.games.game import Bet, Edition, Game, Hands, PositionShape, Stakes
from tapisvert.games.pai_gow.chart_page import draw
from tapisvert.games.pai_gow.script import pai_gow
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.games.pai_gow.themes import THEMES
from tapisvert.ranking.joker import CATEGORIES


def _position(_: AskView, hands: Hands, __: Stakes) -> dict[str, Any]:
    return {"player": hands["player"]}


GAME = Game(
    id="pai-gow",
    folder=Path(__file__).parent,
    clauses="pai",
    editions=(Edition(1, pai_gow, PaiGow),),
    bets={"main": Bet(("house", "house_way", "main")), "fortune": Bet(("fortune",))},
    odds="tapisvert.games.pai_gow.odds",
    strategies=("house-way", "optimal", "best-high", "best-low"),
    position=PositionShape(
        cards={"player": (7,)},
        of_question=_position,
        example={"player": ["As", "Ad", "Kh", "Kc", "7d", "4c", "Jk"]},
        warm_s=28.0,
        # Other prices need every hand of the house, another house way or hand new tables of 340 MB.
        slow_keys=("main.", "house_way.", "house."),
    ),
    themes=THEMES,
    hand_order=CATEGORIES,
    fan=("As", "Ah", "Ad", "Ac", "Jk"),
    cards_dealt=14,
    draw_chart=draw,
)
