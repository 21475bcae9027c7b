"""The columns of hands that the words of Blackjack compare."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.hands import ACES, VALUES, Counts, pack, unpack
from tapisvert.games.blackjack.odds.play import DOUBLE, SPLIT
from tapisvert.games.blackjack.odds.rule_positions import SECOND, WHOLE, Table
from tapisvert.games.blackjack.odds.up_card import BLACKJACK, hand_of


def column_of_dealt(name: str, hands: Sequence[Counts]) -> NDArray[np.int64]:
    """Return a column of two cards, for the question of insurance."""
    read = {"blackjack": lambda hand: hand == hand_of(BLACKJACK), "packed": pack, "held": _bits}
    return np.array([read[name](hand) for hand in hands], dtype=np.int64)


def column_of_table(table: Table, rows: NDArray[np.intp], name: str) -> NDArray[np.int64]:
    """Return a column of hands, for the question how to play on."""
    packed, up = table.packed[rows], table.up[rows]
    match name:
        case "packed":
            found = packed
        case "held":
            found = np.array([_bits(unpack(each)) for each in packed.tolist()], dtype=np.int64)
        case "total":
            found = table.total[rows]
        case "soft":
            found = (table.total[rows] > table.hard[rows]).astype(np.int64)
        case "pair":
            points = np.where(table.hard[rows] == 2, 11, table.hard[rows] // 2)
            found = np.where(table.legal[SPLIT, rows], points, 0)
        case "cards":
            found = table.size[rows]
        case "up":
            found = np.where(up == ACES, 11, up + 1)
        case "double":
            found = table.legal[DOUBLE, rows].astype(np.int64)
        case "half":
            found = np.full(len(rows), table.stage != WHOLE, dtype=np.int64)
        case _:
            found = np.full(len(rows), table.stage == SECOND, dtype=np.int64)
    return found


def _bits(hand: Counts) -> int:
    """Return a bit for each value held, at 2 to 10, and at 11 for an ace."""
    return sum(1 << (11 if card == ACES else card + 1) for card in range(VALUES) if hand[card])
