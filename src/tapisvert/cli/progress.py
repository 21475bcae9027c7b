"""The progress bar of long work: what is done, how fast, and the time left."""

from __future__ import annotations

from rich.progress import (
    BarColumn,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class RateColumn(ProgressColumn):
    """How many units are done in a second."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        """Return the rate, once it is known."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.1f} {self._unit}/s")


def columns_with_rate(unit: str) -> tuple[ProgressColumn, ...]:
    """Return the columns of a bar that counts these units."""
    return (
        TextColumn("{task.description:16}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}"),
        RateColumn(unit),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
