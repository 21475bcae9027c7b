"""The best play of a game on paper: a grid, a chart, a line, or a list of exceptions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tapisvert.cards import RANKS
from tapisvert.par.figures import number, percent
from tapisvert.par.markup import table, tag
from tapisvert.words import Catalogue

_DOWN = RANKS[::-1]
_UPS = "23456789TA"
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
    groups: dict[str, dict[str, tuple[int, int]]] = {}
    for each in reversed(line["between"]):
        cells = groups.setdefault(each["hand"].split()[1][:3], {})
        for up, (some, whole) in each["against"].items():
            before = cells.get(up, (0, 0))
            cells[up] = before[0] + some, before[1] + whole
    rows = [
        (group, *(percent(words, Fraction(*cells[up]), 0) if up in cells else "" for up in _DOWN))
        for group, cells in groups.items()
    ]
    caption = words.write("par.by-up-card")
    return _line(words, line, "play") + table(caption, ("", *_DOWN), rows, kind="grid")


def _flush(words: Catalogue, chart: Any) -> str:
    between = [
        (each["hand"], f"{each['positions']:,}", percent(words, Fraction(each["played"]), 2))
        for each in reversed(chart["line"]["between"])
    ]
    heads = [words.write(key) for key in ("pays.hand", "par.hands", "par.raised")]
    return _line(words, chart["line"], "raise") + table(words.write("par.between"), heads, between)


def _ultimate(words: Catalogue, starts: Any) -> str:
    """Draw the 169 starting hands: suited above the diagonal, each with its best choice."""
    by_hand = {start["hand"]: start for start in starts}

    def cell(row: int, column: int) -> str:
        first, second = _DOWN[min(row, column)], _DOWN[max(row, column)]
        kind = "" if row == column else "s" if column > row else "o"
        start = by_hand[first + second + kind]
        worth = number(words, Fraction(start["values"][start["best"]]), 2)
        times = start["best"].removeprefix("raise-")
        return f"{times}× {worth}" if times != start["best"] else worth

    rows = [
        (_DOWN[row], *(cell(row, column) for column in range(len(_DOWN))))
        for row in range(len(_DOWN))
    ]
    return table(words.write("par.starts"), ("", *_DOWN), rows, kind="grid")


def _blackjack(words: Catalogue, chart: Any) -> str:
    rows = [
        (row, *(words.write(f"par.choice-{cells[up]}") if up in cells else "" for up in _UPS))
        for row, cells in chart["rows"].items()
    ]
    grid = table(words.write("par.chart"), ("", *_UPS), rows, kind="grid")
    odd = sorted(chart["odd"], key=lambda each: (len(each["hand"]), -each["better_by"]))
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
        for rule, hands in sorted(chart["rules"].items(), key=lambda each: int(each[0]))
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
