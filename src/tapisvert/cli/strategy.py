"""`tapis strategy`: the best play of a game, as a chart in the form that suits the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tapisvert.engine.sheet import Sheet
from tapisvert.games.chart_page import Grid
from tapisvert.games.registry import GAMES
from tapisvert.lab import chart_store
from tapisvert.words import catalogue


def drawn(sheet: Sheet, console: Console) -> Any:
    """Compute the chart of a sheet, with a progress bar."""
    from tapisvert.library import strategy

    columns = (TextColumn("{task.description:16}"), BarColumn(), TimeElapsedColumn())
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bars:
        task = bars.add_task(sheet.game, total=1.0)
        chart = strategy(sheet, kept=False, progress=lambda done: bars.update(task, completed=done))
        return chart.data


def as_json(sheet: Sheet, chart: Any) -> bytes:
    """Encode a chart as JSON."""
    found = msgspec.Raw(chart_store.encode(chart))
    said = {"game": sheet.game, "sheet_hash": sheet.hash, "strategy": found}
    return msgspec.json.encode(said)


def shown(sheet: Sheet, chart: Any) -> Iterator[RenderableType]:
    """Yield a chart as tables and text."""
    for part in GAMES[sheet.game].draw_chart(catalogue("en"), chart_store.plain(chart)):
        yield _table(part) if isinstance(part, Grid) else part


def _table(grid: Grid) -> Table:
    first, *others = grid.heads
    table = Table(title=grid.title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(first, no_wrap=True)
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in grid.rows:
        table.add_row(*map(str, row))
    return table
