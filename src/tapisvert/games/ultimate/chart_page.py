"""The best play of Ultimate Texas Hold'em before the flop on a page: the 169 starting hands."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tapisvert.cards import RANKS
from tapisvert.games.chart_page import ChartPart, Grid, Words

DOWN = RANKS[::-1]


def draw(words: Words, starts: Any) -> list[ChartPart]:
    """Draw the 169 starting hands, each with its best choice."""

    def cell(start: Any) -> str:
        worth = words.number(Fraction(start["values"][start["best"]]), 2)
        times = start["best"].removeprefix("raise-")
        return f"{times}× {worth}" if times != start["best"] else worth

    heads = [words.ranks(rank) for rank in DOWN]
    square = zip(heads, starting_hands(starts), strict=True)
    rows = [(first, *map(cell, row)) for first, row in square]
    return [Grid(words.write("par.starts"), ("", *heads), rows, kind="grid")]


def starting_hands(starts: Any) -> list[list[Any]]:
    """Arrange the 169 starting hands in a square, suited above the diagonal, offsuit below."""
    by_hand = {start["hand"]: start for start in starts}

    def at(row: int, column: int) -> Any:
        high, low = DOWN[min(row, column)], DOWN[max(row, column)]
        kind = "" if row == column else "s" if column > row else "o"
        return by_hand[high + low + kind]

    size = range(len(DOWN))
    return [[at(row, column) for column in size] for row in size]
