"""Values that show as tables: HTML in a notebook, a data frame where a library is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeVar, cast

from tapisvert.library.refusals import explained
from tapisvert.par.markup import table
from tapisvert.refusal import Refused

Cell = str | int | float | bool | Fraction | None
_DIGITS = 6


class Row(Protocol):
    """A value that is one row of a table."""

    def cells(self) -> Mapping[str, Cell]:
        """Return the cells by the names of their columns."""
        ...


class Shown:
    """A row that a notebook shows, on its own, as a table of its cells."""

    __slots__ = ()

    def cells(self) -> Mapping[str, Cell]:
        """Return the cells by the names of their columns."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return single(self.cells())


Each = TypeVar("Each", bound=Row)
Value = TypeVar("Value")


class Rows(tuple[Each, ...]):
    """A tuple whose elements are the rows of a table."""

    __slots__ = ()

    def columns(self) -> dict[str, list[Cell]]:
        """Return the table by columns; fractions stay exact."""
        rows = [each.cells() for each in self]
        return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame; fractions become floats."""
        return frame(_pandas(), self.columns())

    def to_polars(self) -> Any:
        """Return a Polars DataFrame; fractions become floats."""
        return frame(_polars(), self.columns())

    def __repr__(self) -> str:
        return f"{len(self)} rows: {', '.join(self.columns())}"

    def _repr_html_(self) -> str:
        return html(self.columns())


def frame(library: Any, columns: Mapping[str, Sequence[Cell]]) -> Any:
    """Return columns as a data frame of a library."""
    return library.DataFrame({name: list(map(_plain, cells)) for name, cells in columns.items()})


@explained
def _pandas() -> Any:
    try:
        import pandas
    except ModuleNotFoundError:
        raise Refused("library/not_installed", package="pandas") from None
    return pandas


@explained
def _polars() -> Any:
    try:
        import polars
    except ModuleNotFoundError:
        raise Refused("library/not_installed", package="polars") from None
    return polars


def _plain(cell: Cell) -> Cell:
    return float(cell) if isinstance(cell, Fraction) else cell


def html(columns: Mapping[str, Sequence[Cell]], caption: str = "") -> str:
    """Return columns as an HTML table.

    >>> html({"bet": ["main"], "edge": [Fraction(-1, 3)]})[-75:]
    '<tbody><tr><th scope="row">main</th><td>-0.333333</td></tr></tbody></table>'
    """
    heads = list(columns)
    rows = zip(*columns.values(), strict=True)
    return table(caption, heads, [[shown(cell) for cell in row] for row in rows])


def single(cells: Mapping[str, object]) -> str:
    """Return cells as an HTML table with a line for each."""
    return html({"name": list(cells), "value": [_cell(each) for each in cells.values()]})


def show_as_table(kind: type[Value], cells: Callable[[Value], Mapping[str, object]]) -> None:
    """Let the values of a class show as a table in a notebook."""
    setattr(kind, "_repr_html_", lambda value: single(cells(value)))  # noqa: B010  mypy


def _cell(value: object) -> Cell:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return value if isinstance(value, Cell) else str(value)


def shown(cell: Cell) -> str:
    """Write a cell for a reader: fractions with six digits, whole numbers grouped.

    >>> shown(Fraction(2, 3)), shown(1234567), shown("flush"), shown(None)
    ('0.666667', '1,234,567', 'flush', '')
    """
    match cell:
        case None:
            return ""
        case bool() | str():
            return str(cell)
        case int():
            return f"{cell:,}"
        case Fraction() if cell.denominator == 1:
            return f"{cell.numerator:,}"
        case _:
            return f"{float(cell):.{_DIGITS}g}"


def rows_of(each: Iterable[Each]) -> Rows[Each]:
    """Return elements as the rows of a table."""
    return cast(Rows[Each], Rows(each))
