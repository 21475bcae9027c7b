"""A chart for a reader: sentences and grids, for paper and terminal alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Protocol

ROWS_MAX = 40  # rows shown of a list that may be long


class Words(Protocol):
    """The words of a chart in the reader's language (words/catalogue.py)."""

    def write(self, key: str, args: Mapping[str, Any] = ..., game: str = ...) -> str:
        """Fill in a template; the game's own takes precedence over the common one."""
        ...

    def number(self, value: Fraction, digits: int) -> str:
        """Format a figure."""
        ...

    def grouped(self, count: int) -> str:
        """Format a count with grouped thousands."""
        ...

    def percent(self, part: Fraction, digits: int) -> str:
        """Format a fraction as a percentage."""
        ...

    def ranks(self, ranks: str) -> str:
        """Format ranks as cards show them."""
        ...


class Grid(NamedTuple):
    """A table; the first cell of a row is its heading."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    kind: Literal["", "grid", "sets"] = ""  # grid: narrow cells; sets: names of hands
    keys: Sequence[Sequence[str]] = ()  # of the cells, headings excluded: see Game.chart_cell


ChartPart = str | Grid
Draw = Callable[[Words, Any], list[ChartPart]]


def threshold(words: Words, line: Any, choice: str, named: Callable[[str], str]) -> str:
    """Write the threshold of a choice (odds/thresholds.py)."""
    first, last = (named(line[end]) if line[end] else "–" for end in ("plays_from", "folds_to"))
    return words.write(f"par.line-{choice}", {"from": first, "to": last})
