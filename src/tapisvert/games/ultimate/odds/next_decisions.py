"""The decision after a check on the flop: how often the last raise is taken, and how often not."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tapisvert.games.ultimate.odds.position_values import (
    CHECK,
    FOLD,
    boards_of,
    make_room,
    worth_against_all,
)
from tapisvert.games.ultimate.odds.sums import prices
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.mathematics import NextDecision, Position
from tapisvert.ranking.batch import tables
from tapisvert.ranking.standard import CATEGORIES, pack

_FLOP = 3


def next_decisions(sheet: Ultimate, position: Position) -> dict[str, tuple[NextDecision, ...]]:
    """Count the boards on which each option of the river is best, after a check on the flop.

    Before the flop the result is empty: each of 19,600 flops has a decision of its own.
    """
    player, board = position.cards["player"], position.cards["board"]
    if len(board) != _FLOP:
        return {}
    pair, room = np.array(player, dtype=np.uint8), make_room()
    asked, opens = prices(sheet), pack(CATEGORIES.index(sheet.house.opens_with), [])
    taken = Counter(
        worth_against_all(pair, each, asked, opens, tables(7), room)[3]
        for each in boards_of(player, board)
    )
    named = {times: f"raise-{times}" if times else FOLD for times in taken}
    return {CHECK: tuple(NextDecision(named[each], boards=n) for each, n in taken.most_common())}
