"""`tapis strategy`: the best play of a game, drawn in the form that suits it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tapisvert.cards import RANKS
from tapisvert.odds import charts
from tapisvert.odds.lines import Line
from tapisvert.sheets import Sheet

_DOWN = RANKS[::-1]  # from the ace
_ROWS_MAX = 24


def drawn(sheet: Sheet, console: Console) -> Any:
    """Work the chart of a sheet out, with a bar on a terminal."""
    from tapisvert.odds.proving import strategy

    columns = (TextColumn("{task.description:16}"), BarColumn(), TimeElapsedColumn())
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bars:
        task = bars.add_task(sheet.game, total=1.0)
        return strategy(sheet, lambda done: bars.update(task, completed=done))


def as_json(sheet: Sheet, chart: Any) -> bytes:
    """Write a chart as JSON."""
    found = msgspec.Raw(charts.encode(chart))
    said = {"game": sheet.game, "sheet_hash": sheet.hash, "strategy": found}
    return msgspec.json.encode(said)


def shown(sheet: Sheet, chart: Any) -> Iterator[RenderableType]:
    """Lay a chart out for a person."""
    ways: dict[str, Callable[[Any], Iterator[RenderableType]]] = {
        "casino-stud": _stud,
        "high-card-flush": _flush,
        "ultimate": _ultimate,
        "blackjack": _blackjack,
        "pai-gow": _pai_gow,
    }
    yield from ways[sheet.game](chart)


def _table(first: str, headings: tuple[str, ...]) -> Table:
    table = Table(caption_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(first, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _percent(part: Fraction, digits: int = 0) -> str:
    """Write a part of the whole; what is nearly nothing or nearly all is not rounded to it.

    >>> _percent(Fraction(1, 1000)), _percent(Fraction(1)), _percent(Fraction(999, 1000))
    ('<1', '100', '>99')
    """
    written = f"{float(100 * part):.{digits}f}"
    if digits == 0 and 0 < part < 1 and written in ("0", "100"):
        return "<1" if written == "0" else ">99"
    return written


def _line(line: Line, verb: str) -> str:
    above = f"Always {verb} with {line.plays_from} or better." if line.plays_from else ""
    below = f"Always fold {line.folds_to} or worse." if line.folds_to else ""
    between = sum(each.positions for each in line.between)
    depends = f"In {between:,} positions between them it depends:" if between else ""
    return " ".join(filter(None, (above, below, depends)))


def _stud(line: Line) -> Iterator[RenderableType]:
    """Show the line; between its ends what the up card decides, hands that begin alike together."""
    yield _line(line, "play")
    if not line.between:
        return
    groups: dict[str, dict[str, tuple[int, int]]] = {}
    for each in reversed(line.between):
        kind, ranks = each.hand.split()
        cells = groups.setdefault(f"{ranks[:3]} {kind.replace('high-card', '')}", {})
        for up, (some, whole) in each.against.items():
            played, positions = cells.get(up, (0, 0))
            cells[up] = played + some, positions + whole
    table = _table("hand", (*_DOWN, "all"))
    table.caption = "% of hands to play, by the house's up card"
    for group, cells in groups.items():
        parts = [_percent(Fraction(*cells[up])) if up in cells else "" for up in _DOWN]
        some, whole = (sum(each) for each in zip(*cells.values(), strict=True))
        table.add_row(group, *parts, _percent(Fraction(some, whole)))
    yield table


def _flush(chart: Any) -> Iterator[RenderableType]:
    yield _line(chart.line, "raise")
    if chart.line.between:
        table = _table("flush", ("hands", "raise %"))
        for each in reversed(chart.line.between):
            table.add_row(each.hand, f"{each.positions:,}", _percent(each.played, 2))
        yield table
    choices = list(dict.fromkeys(choice for row in chart.raises.values() for choice in row))
    table = _table("longest flush", tuple(choices))
    for length, row in chart.raises.items():
        table.add_row(length, *(f"{row.get(choice, 0):,}" for choice in choices))
    table.caption = "hands of 133,784,560"
    yield table


def _ultimate(starts: Any) -> Iterator[RenderableType]:
    """Draw the grid: suited hands above the diagonal, offsuit below."""
    by_hand = {start.hand: start for start in starts}
    table = _table("", tuple(_DOWN))
    for row, first in enumerate(_DOWN):
        cells = []
        for column, second in enumerate(_DOWN):
            if row == column:
                start = by_hand[first + second]
            else:
                hand = f"{first}{second}s" if column > row else f"{second}{first}o"
                start = by_hand[hand]
            times = start.best.removeprefix("raise-")
            cells.append(f"{times}x" if times != start.best else ".")
        table.add_row(first, *cells)
    raised = sum(start.ways for start in starts if start.best != "check")
    table.caption = (
        f"before the flop: suited above the diagonal; . is a check; {raised:,} of 1,326 hands"
        " raise; what every choice is worth: --json"
    )
    yield table


def _blackjack(chart: Any) -> Iterator[RenderableType]:
    ups = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")
    table = _table("two cards", ups)
    letters = {"stand": "S", "hit": "H", "double": "D", "split": "P"}
    for row, cells in chart.rows.items():
        table.add_row(row, *(letters[cells[up]] if up in cells else "" for up in ups))
    table.caption = "S stand, H hit, D double, P split; by the house's up card"
    yield table
    odd = sorted(chart.odd, key=lambda each: (len(each.hand), -each.better_by))
    yield f"{len(odd)} hands are better played otherwise; those of the fewest cards:"
    table = _table("hand", ("up", "row", "chart", "best", "better by %"))
    for each in odd[:_ROWS_MAX]:
        better = f"{100 * each.better_by:.3f}"
        table.add_row(each.hand, each.up, each.row, each.chart, each.best, better)
    yield table


def _pai_gow(chart: Any) -> Iterator[RenderableType]:
    yield "How many hands each rule of the house way sets:"
    table = _table("rule", ("hands", "%"))
    for rule, hands in chart.rules.items():
        table.add_row(str(rule), f"{hands:,}", _percent(Fraction(hands, chart.hands), 3))
    yield table
    differ = sum(each.hands for each in chart.differences)
    cost = sum(each.cost for each in chart.differences)
    worth = f"{float(100 * cost):.4f} % of the stake"
    yield f"{differ:,} of {chart.hands:,} hands can be set better; together worth {worth}:"
    table = _table("rule", ("house way", "best", "hands", "costs %"))
    for each in chart.differences[:_ROWS_MAX]:
        house, best = (
            laid.high if laid.low == "high-card" else f"{laid.high} + {laid.low}"
            for laid in (each.house, each.best)
        )
        cells = (house, best, f"{each.hands:,}", f"{float(100 * each.cost):.5f}")
        table.add_row(str(each.rule), *cells)
    yield table
