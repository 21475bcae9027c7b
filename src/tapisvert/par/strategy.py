"""The best play of a game on paper: a grid, a chart, a line, or a list of exceptions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tapisvert.odds import charts
from tapisvert.odds.charts import DOWN, UP_CARDS
from tapisvert.par.figures import number, percent
from tapisvert.par.markup import table, tag
from tapisvert.words import Catalogue

_ROWS_MAX = 40


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


def _line(words: Catalogue, line: Any, played: str) -> str:
    from_, to = line["plays_from"] or "–", line["folds_to"] or "–"
    said = words.write(f"par.line-{played}", {"from": from_, "to": to})
    return tag("p", said)


def _stud(words: Catalogue, line: Any) -> str:
    """Show the line; between its ends, by up card, hands that begin alike together."""
    rows = [
        (ranks, *(percent(words, Fraction(*shares[up]), 0) if up in shares else "" for up in DOWN))
        for (_, ranks), shares in charts.by_up_card(line).items()
    ]
    caption = words.write("par.by-up-card")
    return _line(words, line, "play") + table(caption, ("", *DOWN), rows, kind="grid")


def _flush(words: Catalogue, chart: Any) -> str:
    between = [
        (each["hand"], f"{each['positions']:,}", percent(words, Fraction(each["played"]), 2))
        for each in reversed(chart["line"]["between"])
    ]
    heads = [words.write(key) for key in ("pays.hand", "par.hands", "par.raised")]
    return _line(words, chart["line"], "raise") + table(words.write("par.between"), heads, between)


def _ultimate(words: Catalogue, starts: Any) -> str:
    """Draw the 169 starting hands, each with its best choice."""

    def cell(start: Any) -> str:
        worth = number(words, Fraction(start["values"][start["best"]]), 2)
        times = start["best"].removeprefix("raise-")
        return f"{times}× {worth}" if times != start["best"] else worth

    rows = [
        (first, *map(cell, row))
        for first, row in zip(DOWN, charts.starting_hands(starts), strict=True)
    ]
    return table(words.write("par.starts"), ("", *DOWN), rows, kind="grid")


def _blackjack(words: Catalogue, chart: Any) -> str:
    rows = [
        (row, *(words.write(f"par.choice-{cells[up]}") if up in cells else "" for up in UP_CARDS))
        for row, cells in chart["rows"].items()
    ]
    grid = table(words.write("par.chart"), ("", *UP_CARDS), rows, kind="grid")
    odd = charts.odd_hands(chart)
    listed = [
        (
            each["hand"],
            each["up"],
            words.write(f"par.choice-{each['chart']}"),
            words.write(f"par.choice-{each['best']}"),
            percent(words, Fraction(each["better_by"]), 3),
        )
        for each in odd[:_ROWS_MAX]
    ]
    keys = ("pays.hand", "par.up-card", "par.by-chart", "par.better", "par.by")
    title = words.write("par.odd", {"shown": len(listed), "all": len(odd)})
    return grid + table(title, [words.write(key) for key in keys], listed)


def _pai_gow(words: Catalogue, chart: Any) -> str:
    rules = [
        (rule, f"{hands:,}", percent(words, Fraction(hands, chart["hands"]), 3))
        for rule, hands in chart["rules"].items()
    ]
    heads = [words.write(key) for key in ("par.rule", "par.hands", "par.share")]
    differ = [
        (
            str(rule),
            " + ".join(house),
            " + ".join(best),
            f"{hands:,}",
            percent(words, Fraction(cost), 5),
        )
        for rule, house, best, hands, cost in chart["differences"][:_ROWS_MAX]
    ]
    keys = ("par.rule", "par.house-way", "par.better", "par.hands", "par.by")
    return table(words.write("par.rules-fired"), heads, rules) + table(
        words.write("par.differences"), [words.write(key) for key in keys], differ
    )
