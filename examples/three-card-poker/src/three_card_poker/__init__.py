"""Three Card Poker, with ante bonus and Pair Plus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tapisvert.engine.view import AskView
from tapisvert.games.game import Bet, Edition, Game, Hands, PositionShape, Stakes

from three_card_poker.chart_page import draw
from three_card_poker.ranking import CATEGORIES
from three_card_poker.script import three_card_poker
from three_card_poker.sheet import ThreeCardPoker


def _position(_: AskView, hands: Hands, __: Stakes) -> dict[str, Any]:
    return {"player": hands["player"]}


GAME = Game(
    id="three-card",
    folder=Path(__file__).parent,
    clauses="three",
    editions=(Edition(1, three_card_poker, ThreeCardPoker),),
    bets={
        "main": Bet(("house", "ante", "play", "ante-bonus")),
        "pair-plus": Bet(("pair-plus",)),
    },
    odds="three_card_poker.odds",
    strategies=("optimal", "queen-six-four", "as-the-house", "always-play"),
    blind=("always-play",),
    position=PositionShape(
        cards={"player": (3,)},
        of_question=_position,
        example={"player": ["Qs", "6d", "4h"]},
        warm_s=2.0,
    ),
    hand_order=CATEGORIES,
    fan=("As", "Ah", "Kd", "Qd", "Jd"),
    cards_dealt=6,
    draw_chart=draw,
)
