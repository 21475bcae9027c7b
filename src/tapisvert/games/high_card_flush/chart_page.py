"""The best play of High Card Flush on a page: the threshold, and how often each raise is best."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tapisvert.games.chart_page import ChartPart, Grid, Words, threshold

GAME = "high-card-flush"


def draw(words: Words, chart: Any) -> list[ChartPart]:
    """Draw the threshold, the hands in its range, and the best raise by the longest flush."""
    between = [
        (
            words.ranks(each["hand"]),
            words.grouped(each["positions"]),
            words.percent(Fraction(each["played"]), 2),
        )
        for each in reversed(chart["line"]["between"])
    ]
    heads = [words.write(key) for key in ("pays.hand", "par.hands", "par.raised")]
    raises = chart["raises"]
    choices = list(dict.fromkeys(choice for row in raises.values() for choice in row))
    lengths = [
        (
            length.removeprefix("flush-"),
            *(words.grouped(row.get(choice, 0)) for choice in choices),
        )
        for length, row in raises.items()
    ]
    named = [words.write(f"option.{choice}", {}, GAME) for choice in choices]
    return [
        threshold(words, chart["line"], "raise", words.ranks),
        Grid(words.write("par.between"), heads, between),
        Grid(words.write("par.raises"), (words.write("par.cards"), *named), lengths),
    ]
