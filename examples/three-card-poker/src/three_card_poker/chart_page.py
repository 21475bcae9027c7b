"""The best play of Three Card Poker on a page: one line, and any hands that other cards decide."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tapisvert.games.chart_page import ChartPart, Grid, Words

GAME = "three-card"
HEADS = ("hands", "played")


def draw(words: Words, line: Any) -> list[ChartPart]:
    """Show the line; with the shipped prices no hand lies between its ends."""

    def named(hand: str | None) -> str:
        if hand is None:
            return "–"
        kind, _, ranks = hand.partition(" ")
        return f"{words.write(f'row.{kind}', {}, GAME)} {words.ranks(ranks)}"

    ends = {"from": named(line["plays_from"]), "to": named(line["folds_to"])}
    parts: list[ChartPart] = [words.write("chart.line", ends, GAME)]
    rows = [
        (
            named(each["hand"]),
            words.grouped(each["positions"]),
            words.percent(Fraction(each["played"]), 2),
        )
        for each in reversed(line["between"])
    ]
    if rows:
        heads = (words.write("pays.hand"), *(words.write(f"chart.{n}", {}, GAME) for n in HEADS))
        parts.append(Grid(words.write("chart.between", {}, GAME), heads, rows))
    return parts
