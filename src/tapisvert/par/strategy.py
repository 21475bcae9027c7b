"""The best play of a game on paper: a grid, a chart, a line, or a list of exceptions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tapisvert.odds import charts
from tapisvert.odds.charts import DOWN, UP_CARDS
from tapisvert.par.figures import grouped, number, percent, ranks_of
from tapisvert.par.markup import table, tag
from tapisvert.words import Catalogue

_ROWS_MAX = 40
_CHOICES = ("stand", "hit", "double", "split")


def strategy(words: Catalogue, game: str, chart: Any) -> str:
    """Draw the chart of a game."""
    ways: dict[str, Callable[[Catalogue, Any], str]] = {
        "casino-stud": _stud,
        "high-card-flush": _flush,
        "ultimate": _ultimate,
        "blackjack": _blackjack,
        "pai-gow": _pai_gow,
    }
    return ways[game](words, chart)


def _line(words: Catalogue, line: Any, played: str, named: Callable[[str], str]) -> str:
    first, last = (named(line[end]) if line[end] else "–" for end in ("plays_from", "folds_to"))
    return tag("p", words.write(f"par.line-{played}", {"from": first, "to": last}))


def _stud(words: Catalogue, line: Any) -> str:
    """Show the line; between its ends, by up card, hands that begin alike together."""

    def named(hand: str) -> str:
        kind, _, ranks = hand.partition(" ")
        row = words.write(f"row.{kind}", {}, "casino-stud")
        return f"{row} {ranks_of(words, ranks)}".rstrip()

    rows = [
        (
            ranks_of(words, ranks) if kind == "high-card" else named(f"{kind} {ranks}"),
            *(percent(words, Fraction(*shares[up]), 0) if up in shares else "" for up in DOWN),
        )
        for (kind, ranks), shares in charts.by_up_card(line).items()
    ]
    heads = ("", *(ranks_of(words, up) for up in DOWN))
    between = table(words.write("par.by-up-card"), heads, rows, kind="grid")
    return _line(words, line, "play", named) + between


def _flush(words: Catalogue, chart: Any) -> str:
    between = [
        (
            ranks_of(words, each["hand"]),
            grouped(words, each["positions"]),
            percent(words, Fraction(each["played"]), 2),
        )
        for each in reversed(chart["line"]["between"])
    ]
    heads = [words.write(key) for key in ("pays.hand", "par.hands", "par.raised")]
    line = _line(words, chart["line"], "raise", lambda ranks: ranks_of(words, ranks))
    return line + table(words.write("par.between"), heads, between)


def _ultimate(words: Catalogue, starts: Any) -> str:
    """Draw the 169 starting hands, each with its best choice."""

    def cell(start: Any) -> str:
        worth = number(words, Fraction(start["values"][start["best"]]), 2)
        times = start["best"].removeprefix("raise-")
        return f"{times}× {worth}" if times != start["best"] else worth

    heads = [ranks_of(words, rank) for rank in DOWN]
    square = zip(heads, charts.starting_hands(starts), strict=True)
    rows = [(first, *map(cell, row)) for first, row in square]
    return table(words.write("par.starts"), ("", *heads), rows, kind="grid")


def _blackjack(words: Catalogue, chart: Any) -> str:
    game = "blackjack"

    def named(row: str) -> str:
        kind, _, figure = row.partition("-")
        ranks = {"total": figure, "0": figure}
        return words.write(f"hand.{kind}", ranks, game)

    heads = ("", *(ranks_of(words, up) for up in UP_CARDS))
    letters = {choice: words.write(f"par.choice-{choice}") for choice in _CHOICES}
    rows = [
        (named(row), *(letters[cells[up]] if up in cells else "" for up in UP_CARDS))
        for row, cells in chart["rows"].items()
    ]
    said = [
        f"{letters[each]}\u00a0=\u00a0{words.write(f'option.{each}', {}, game)}"
        for each in _CHOICES
    ]
    title = f"{words.write('par.chart')} ({', '.join(said)})"
    grid = table(title, heads, rows, kind="grid")
    odd = charts.odd_hands(chart)
    listed = [
        (
            ranks_of(words, each["hand"].replace(" ", "")),
            ranks_of(words, each["up"]),
            letters[each["chart"]],
            letters[each["best"]],
            percent(words, Fraction(each["better_by"]), 3),
        )
        for each in odd[:_ROWS_MAX]
    ]
    keys = ("pays.hand", "par.up-card", "par.by-chart", "par.better", "par.by")
    title = words.write("par.odd", {"shown": len(listed), "all": len(odd)})
    return grid + table(title, [words.write(key) for key in keys], listed)


def _pai_gow(words: Catalogue, chart: Any) -> str:
    def named(laid: list[str]) -> str:
        return " + ".join(words.write(f"row.{part}", {}, "pai-gow") for part in laid)

    rules = [
        (rule, grouped(words, hands), percent(words, Fraction(hands, chart["hands"]), 3))
        for rule, hands in chart["rules"].items()
    ]
    heads = [words.write(key) for key in ("par.rule", "par.hands", "par.share")]
    differ = [
        (
            str(rule),
            named(house),
            named(best),
            grouped(words, hands),
            percent(words, Fraction(cost), 5),
        )
        for rule, house, best, hands, cost in chart["differences"][:_ROWS_MAX]
    ]
    keys = ("par.rule", "par.house-way", "par.better", "par.hands", "par.by")
    return table(words.write("par.rules-fired"), heads, rules) + table(
        words.write("par.differences"), [words.write(key) for key in keys], differ, kind="sets"
    )
