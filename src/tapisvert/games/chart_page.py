"""A chart laid out for a reader: sentences and grids, drawn alike on paper and in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Protocol

ROWS_MAX = 40  # of a list that may be long


class Words(Protocol):
    """How a chart is written in the reader's language (words/catalogue.py)."""

    def write(self, key: str, args: Mapping[str, Any] = ..., game: str = ...) -> str:
        """Fill in a template; a game's own wins over the common one."""
        ...

    def number(self, value: Fraction, digits: int) -> str:
        """Write a figure."""
        ...

    def grouped(self, count: int) -> str:
        """Write a count with its thousands apart."""
        ...

    def percent(self, part: Fraction, digits: int) -> str:
        """Write a part of the whole."""
        ...

    def ranks(self, ranks: str) -> str:
        """Write ranks as the cards show them."""
        ...


class Grid(NamedTuple):
    """A table: the first cell of a row is its head."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    kind: Literal["", "grid", "sets"] = ""  # narrow cells, or cells with names of hands


ChartPart = str | Grid
Draw = Callable[[Words, Any], list[ChartPart]]


def threshold(words: Words, line: Any, choice: str, named: Callable[[str], str]) -> str:
    """Say from which hand on one makes a choice (odds/thresholds.py)."""
    first, last = (named(line[end]) if line[end] else "–" for end in ("plays_from", "folds_to"))
    return words.write(f"par.line-{choice}", {"from": first, "to": last})
