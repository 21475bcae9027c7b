"""The best play of Blackjack on a page: a chart by up card, and the exceptions to it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tapisvert.cards import parse
from tapisvert.engine.view import AskView
from tapisvert.games.blackjack.script import points
from tapisvert.games.chart_page import ROWS_MAX, ChartPart, Grid, Words
from tapisvert.games.game import Hands

GAME = "blackjack"
UP_CARDS = "23456789TA"  # by value, the ace last
CHOICES = ("stand", "hit", "double", "split")


def draw(words: Words, chart: Any) -> list[ChartPart]:
    """Draw the chart, then the hands whose best play differs from it."""

    def named(row: str) -> str:
        kind, _, figure = row.partition("-")
        return words.write(f"hand.{kind}", {"total": figure, "0": figure}, GAME)

    letters = {choice: words.write(f"par.choice-{choice}") for choice in CHOICES}
    rows = [
        (named(row), *(letters[cells[up]] if up in cells else "" for up in UP_CARDS))
        for row, cells in chart["rows"].items()
    ]
    legend = [
        f"{letters[each]}\u00a0=\u00a0{words.write(f'option.{each}', {}, GAME)}" for each in CHOICES
    ]
    title = f"{words.write('par.chart')} ({', '.join(legend)})"
    heads = ("", *(words.ranks(up) for up in UP_CARDS))
    keys = [[_key(row, up) for up in UP_CARDS] for row in chart["rows"]]
    return [Grid(title, heads, rows, "grid", keys), _odd_hands(words, chart, letters)]


def cell(ask: AskView, hands: Hands) -> str:
    """Return the key of the cell of a hand, of two cards or more; insurance has none.

    A pair that may not be split has the cell of its total.
    """
    if ask.key != "play" or ask.hand is None:
        return ""
    cards = hands[ask.hand]
    if any(option.id == "split" and option.legal for option in ask.options):
        row = f"pair-{_value(cards[0])}"
    else:
        total, soft = points([parse(card) for card in cards])
        row = f"{'soft' if soft else 'hard'}-{total}"
    return _key(row, _value(hands["house"][0]))


def _key(row: str, up: str) -> str:
    return f"{row} {up}"


def _value(card: str) -> str:
    """Return the value of a card as charts write it: `T` for a court card too."""
    return "T" if card[0] in "TJQK" else card[0]


def _odd_hands(words: Words, chart: Any, letters: dict[str, str]) -> Grid:
    odd = sorted(chart["odd"], key=lambda each: (len(each["hand"]), -each["better_by"]))
    rows = [
        (
            words.ranks(each["hand"].replace(" ", "")),
            words.ranks(each["up"]),
            letters[each["chart"]],
            letters[each["best"]],
            words.percent(Fraction(each["better_by"]), 3),
        )
        for each in odd[:ROWS_MAX]
    ]
    keys = ("pays.hand", "par.up-card", "par.by-chart", "par.better", "par.by")
    title = words.write("par.odd", {"shown": len(rows), "all": len(odd)})
    return Grid(title, [words.write(key) for key in keys], rows)
