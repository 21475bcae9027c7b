"""The best sets of Fortune Pai Gow Poker on a page: where the house way is not the best."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tapisvert.games.chart_page import ROWS_MAX, ChartPart, Grid, Words


def draw(words: Words, chart: Any) -> list[ChartPart]:
    """Draw the number of hands each rule of the house way sets, and the hands with a better set."""

    def named(laid: list[str]) -> str:
        return " + ".join(words.write(f"row.{part}", {}, "pai-gow") for part in laid)

    rules = [
        (rule, words.grouped(hands), words.percent(Fraction(hands, chart["hands"]), 3))
        for rule, hands in chart["rules"].items()
    ]
    differ = [
        (
            str(rule),
            named(house),
            named(best),
            words.grouped(hands),
            words.percent(Fraction(cost), 5),
        )
        for rule, house, best, hands, cost in chart["differences"][:ROWS_MAX]
    ]
    fired = [words.write(key) for key in ("par.rule", "par.hands", "par.share")]
    keys = ("par.rule", "par.house-way", "par.better", "par.hands", "par.by")
    heads = [words.write(key) for key in keys]
    return [
        Grid(words.write("par.rules-fired"), fired, rules),
        _together(words, chart),
        Grid(words.write("par.differences"), heads, differ, kind="sets"),
    ]


def _together(words: Words, chart: Any) -> str:
    """State the gain of setting every hand best."""
    hands = sum(hands for *_, hands, _ in chart["differences"])
    cost = sum((Fraction(cost) for *_, cost in chart["differences"]), Fraction(0))
    told = {
        "hands": words.grouped(hands),
        "all": words.grouped(chart["hands"]),
        "cost": words.percent(cost, 4),
    }
    return words.write("par.set-better", told)
