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

from tapisvert.odds import charts
from tapisvert.odds.charts import DOWN, UP_CARDS
from tapisvert.sheets import Sheet

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
    yield from ways[sheet.game](charts.plain(chart))


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


def _line(line: Any, verb: str) -> str:
    first, last = line["plays_from"], line["folds_to"]
    above = f"Always {verb} with {first} or better." if first else ""
    below = f"Always fold {last} or worse." if last else ""
    between = sum(each["positions"] for each in line["between"])
    depends = f"In {between:,} positions between them it depends:" if between else ""
    return " ".join(filter(None, (above, below, depends)))


def _stud(line: Any) -> Iterator[RenderableType]:
    """Show the line, and between its ends what the up card decides."""
    yield _line(line, "play")
    if not line["between"]:
        return
    table = _table("hand", (*DOWN, "all"))
    table.caption = "% of hands to play, by the house's up card"
    for (kind, ranks), shares in charts.by_up_card(line).items():
        parts = [_percent(Fraction(*shares[up])) if up in shares else "" for up in DOWN]
        some, whole = (sum(each) for each in zip(*shares.values(), strict=True))
        name = ranks if kind == "high-card" else f"{ranks} {kind}"
        table.add_row(name, *parts, _percent(Fraction(some, whole)))
    yield table


def _flush(chart: Any) -> Iterator[RenderableType]:
    line, raises = chart["line"], chart["raises"]
    yield _line(line, "raise")
    if line["between"]:
        table = _table("flush", ("hands", "raise %"))
        for each in reversed(line["between"]):
            share = _percent(Fraction(each["played"]), 2)
            table.add_row(each["hand"], f"{each['positions']:,}", share)
        yield table
    choices = list(dict.fromkeys(choice for row in raises.values() for choice in row))
    table = _table("longest flush", tuple(choices))
    for length, row in raises.items():
        table.add_row(length, *(f"{row.get(choice, 0):,}" for choice in choices))
    table.caption = "hands of 133,784,560"
    yield table


def _ultimate(starts: Any) -> Iterator[RenderableType]:
    """Draw the square of starting hands."""
    table = _table("", tuple(DOWN))
    for first, row in zip(DOWN, charts.starting_hands(starts), strict=True):
        bests = (start["best"].removeprefix("raise-") for start in row)
        table.add_row(first, *("." if best == "check" else f"{best}x" for best in bests))
    raised = sum(start["ways"] for start in starts if start["best"] != "check")
    table.caption = (
        f"before the flop: suited above the diagonal; . is a check; {raised:,} of 1,326 hands"
        " raise; what every choice is worth: --json"
    )
    yield table


def _blackjack(chart: Any) -> Iterator[RenderableType]:
    table = _table("two cards", tuple(UP_CARDS))
    letters = {"stand": "S", "hit": "H", "double": "D", "split": "P"}
    for row, cells in chart["rows"].items():
        table.add_row(row, *(letters[cells[up]] if up in cells else "" for up in UP_CARDS))
    table.caption = "S stand, H hit, D double, P split; by the house's up card"
    yield table
    odd = charts.odd_hands(chart)
    yield f"{len(odd)} hands are better played otherwise; those of the fewest cards:"
    told = ("up", "row", "chart", "best")
    table = _table("hand", (*told, "better by %"))
    for each in odd[:_ROWS_MAX]:
        better = f"{100 * each['better_by']:.3f}"
        table.add_row(each["hand"], *(each[name] for name in told), better)
    yield table


def _pai_gow(chart: Any) -> Iterator[RenderableType]:
    yield "How many hands each rule of the house way sets:"
    table = _table("rule", ("hands", "%"))
    for rule, hands in chart["rules"].items():
        table.add_row(rule, f"{hands:,}", _percent(Fraction(hands, chart["hands"]), 3))
    yield table
    differ = sum(hands for *_, hands, _ in chart["differences"])
    cost = sum(Fraction(cost) for *_, cost in chart["differences"])
    worth = f"{float(100 * cost):.4f} % of the stake"
    yield f"{differ:,} of {chart['hands']:,} hands can be set better; together worth {worth}:"
    table = _table("rule", ("house way", "best", "hands", "costs %"))
    for rule, house, best, hands, each in chart["differences"][:_ROWS_MAX]:
        sets = (high if low == "high-card" else f"{high} + {low}" for high, low in (house, best))
        table.add_row(str(rule), *sets, f"{hands:,}", f"{float(100 * Fraction(each)):.5f}")
    yield table
