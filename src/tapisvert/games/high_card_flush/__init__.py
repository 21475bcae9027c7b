"""High Card Flush."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tapisvert.engine.view import AskView
from tapisvert.games.game import Bet, Edition, Game, Hands, PositionShape, Stakes
from tapisvert.games.high_card_flush.chart_page import draw
from tapisvert.games.high_card_flush.script import high_card_flush
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.games.high_card_flush.themes import THEMES


def _position(_: AskView, hands: Hands, __: Stakes) -> dict[str, Any]:
    return {"player": hands["player"]}


GAME = Game(
    id="high-card-flush",
    folder=Path(__file__).parent,
    clauses="flush",
    editions=(Edition(1, high_card_flush, HighCardFlush),),
    bets={
        "main": Bet(("house", "ante", "raise")),
        "flush": Bet(("flush",)),
        "straight-flush": Bet(("straight-flush",)),
    },
    odds="tapisvert.games.high_card_flush.odds",
    strategies=("optimal", "raise-from-T-8-6", "as-the-house", "always-raise-most"),
    blind=("always-raise-most",),
    position=PositionShape(
        cards={"player": (7,)},
        of_question=_position,
        example={"player": ["As", "Ks", "5s", "4d", "3d", "2c", "9h"]},
        warm_s=3.0,
    ),
    themes=THEMES,
    # Ordered by frequency among the C(52, 7) hands: a flush of five 3,814,668, a run of three
    # 8,642,932.
    hand_order=(
        *("flush-2", "flush-3", "straight-flush-1", "straight-flush-2", "flush-4"),
        *("straight-flush-3", "flush-5", "straight-flush-4", "flush-6", "straight-flush-5"),
        *("flush-7", "straight-flush-6", "straight-flush-7"),
    ),
    fan=("Ah", "Jh", "9h", "6h", "3h"),
    cards_dealt=14,
    draw_chart=draw,
)
