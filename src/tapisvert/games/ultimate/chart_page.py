"""The best play of Ultimate Texas Hold'em before the flop on a page: the 169 starting hands."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tapisvert.cards import RANKS
from tapisvert.engine.view import AskView
from tapisvert.games.chart_page import ChartPart, Grid, Words
from tapisvert.games.game import Hands

DOWN = RANKS[::-1]


def draw(words: Words, starts: Any) -> list[ChartPart]:
    """Draw the 169 starting hands, each with its best choice."""

    def choice(start: Any) -> str:
        worth = words.number(Fraction(start["values"][start["best"]]), 2)
        times = start["best"].removeprefix("raise-")
        return f"{times}× {worth}" if times != start["best"] else worth

    heads = [words.ranks(rank) for rank in DOWN]
    square = starting_hands(starts)
    rows = [(first, *map(choice, row)) for first, row in zip(heads, square, strict=True)]
    keys = [[start["hand"] for start in row] for row in square]
    return [Grid(words.write("par.starts"), ("", *heads), rows, "grid", keys)]


def cell(_: AskView, hands: Hands) -> str:
    """Return the key of the cell of a starting hand; from the flop on there is none."""
    if hands.get("board"):
        return ""
    high, low = sorted(hands["player"], key=lambda card: DOWN.index(card[0]))
    kind = "" if high[0] == low[0] else "s" if high[1] == low[1] else "o"
    return high[0] + low[0] + kind


def starting_hands(starts: Any) -> list[list[Any]]:
    """Arrange the 169 starting hands in a square, suited above the diagonal, offsuit below."""
    by_hand = {start["hand"]: start for start in starts}

    def at(row: int, column: int) -> Any:
        high, low = DOWN[min(row, column)], DOWN[max(row, column)]
        kind = "" if row == column else "s" if column > row else "o"
        return by_hand[high + low + kind]

    size = range(len(DOWN))
    return [[at(row, column) for column in size] for row in size]
