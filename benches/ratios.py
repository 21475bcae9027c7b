"""Ratios between two commits measured alternately, and a table of them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

TODAY, BASE = "today", "base"


class Turn(NamedTuple):
    """Figures of one side in one turn; `clients` is None for the total of an alternation."""

    database: str
    clients: int | None
    alternation: int
    side: str
    commands: int
    commands_per_s: float | None
    p50_ms: float | None
    p99_ms: float | None
    server_us: float  # processor time per command
    postgresql_us: float | None  # None on SQLite
    clients_busy: float | None  # share of one core that the clients of both sides used
    load: float  # load average of the last minute

    @property
    def both_us(self) -> float | None:
        """Processor time per command of the server and PostgreSQL together."""
        return None if self.postgresql_us is None else self.server_us + self.postgresql_us


# Name of a measure in the table, its field in a turn, and its number of decimals.
MEASURES = (
    ("commands/s", "commands_per_s", 0),
    ("p50, ms", "p50_ms", 2),
    ("p99, ms", "p99_ms", 2),
    ("processor of server, us/command", "server_us", 0),
    ("processor of PostgreSQL, us/command", "postgresql_us", 0),
    ("processor of both, us/command", "both_us", 0),
)


class Spread(NamedTuple):
    """Median, minimum and maximum of some ratios."""

    median: float
    least: float
    most: float


def ratios(turns: Sequence[Turn], measure: str) -> list[float]:
    """Return today's figure divided by the base's, for each alternation that has both."""
    found: dict[str, dict[int, float]] = {TODAY: {}, BASE: {}}
    for turn in turns:
        value = getattr(turn, measure)
        if value is not None:
            found[turn.side][turn.alternation] = value
    today, base = found[TODAY], found[BASE]
    return [today[n] / base[n] for n in sorted(today.keys() & base.keys())]


def spread(values: Sequence[float]) -> Spread:
    """Return median, minimum and maximum."""
    return Spread(median(values), min(values), max(values))


def rows(turns: Sequence[Turn]) -> list[list[str]]:
    """Return the rows of the table: one per database, number of clients and measure."""
    cells = []
    for database, clients in dict.fromkeys((turn.database, turn.clients) for turn in turns):
        some = [turn for turn in turns if (turn.database, turn.clients) == (database, clients)]
        for name, measure, decimals in MEASURES:
            compared = ratios(some, measure)
            if not compared:
                continue
            middle, least, most = spread(compared)
            sides = [_median_of(some, side, measure) for side in (TODAY, BASE)]
            cells.append(
                [
                    database,
                    "all" if clients is None else str(clients),
                    name,
                    *(f"{figure:,.{decimals}f}" for figure in sides),
                    f"{middle:.3f}",
                    f"{least:.3f} to {most:.3f}",
                ]
            )
    return cells


def _median_of(turns: Sequence[Turn], side: str, measure: str) -> float:
    figures: list[float] = [getattr(turn, measure) for turn in turns if turn.side == side]
    return median(figures)


HEADS = ["database", "clients", "measure", TODAY, BASE, "today/base", "min to max"]


def table(turns: Sequence[Turn]) -> str:
    """Return the table as text, figures aligned to the right."""
    lines = [HEADS, *rows(turns)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADS))]
    words = {0, 2}
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
