"""How the workbooks of par sheets look: cell formats, widths, and the setup for print on A4."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from string import ascii_uppercase
from typing import Any

from tapisvert.words import Catalogue

_GREEN, _PALE, _YELLOW, _LINE = "#0B4438", "#E3EEE9", "#FFF2CC", "#B7C6BF"
_GREY = "#4A5B54"
_A4 = 9
COLUMNS = ascii_uppercase
_LINE_HEIGHT = 15  # points
_NOTE_HEIGHT = 2 * _LINE_HEIGHT

PERCENT = "0.000000%"
SHORT_PERCENT = "0.0000%"
WHOLE = "#,##0"
DECIMAL = "0.000000"
AMOUNT = "#,##0.00"
SCIENTIFIC = "0.000000E+00"
GENERAL = "General"
_EXACT_BELOW = 10**15  # larger whole numbers do not fit a double, nor a column


def whole(number: int) -> str:
    """Return the format of a whole number by its size."""
    return WHOLE if number < _EXACT_BELOW else SCIENTIFIC


class Styles:
    """The cell formats of a workbook, each made once."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._numbers: dict[tuple[str, bool], Any] = {}
        self.title = book.add_format({"bold": True, "font_size": 16, "font_color": _GREEN})
        self.note = book.add_format({"text_wrap": True, "valign": "top", "italic": True})
        self.caption = book.add_format({"bold": True, "font_size": 12, "font_color": _GREEN})
        self.head = self._head("left")
        self.number_head = self._head("right")
        left = {"valign": "top", "align": "left", "indent": 1}
        self.label = book.add_format({"text_wrap": True, **left})
        exact = {"font_color": _GREY, **left}
        self.text = book.add_format(exact)
        self.wrapped = book.add_format({**exact, "text_wrap": True})

    def _head(self, align: str) -> Any:
        look = {"bold": True, "bg_color": _PALE, "font_color": _GREEN, "bottom": 1}
        more = {"bottom_color": _LINE, "text_wrap": True, "valign": "vcenter", "align": align}
        indent = {"indent": 1} if align == "left" else {}
        return self._book.add_format({**look, **more, **indent})

    def number(self, form: str, *, entered: bool = False) -> Any:
        """Return the format of a number; a cell that the user may change is yellow."""
        if (form, entered) not in self._numbers:
            look = {"num_format": form, "valign": "top", "align": "right"}
            ground = {"bg_color": _YELLOW} if entered else {}
            self._numbers[form, entered] = self._book.add_format({**look, **ground})
        return self._numbers[form, entered]


def set_up(page: Any, words: Catalogue, widths: Sequence[float]) -> None:
    """Set the widths, the print setup and the frozen panes of a worksheet."""
    for column, width in enumerate(widths):
        page.set_column(column, column, width)
    page.freeze_panes(1, 1)
    page.hide_gridlines(2)
    page.set_landscape()
    page.set_paper(_A4)
    page.fit_to_pages(1, 0)
    page.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
    page.set_footer(f"&L&F&C&A&R{words.write('par.book-page', {'page': '&P', 'pages': '&N'})}")


def write_top(page: Any, styles: Styles, title: str, notes: Sequence[str], last: str) -> None:
    """Write the title and the notes under it, each over all columns up to `last`."""
    page.set_row(0, 24)
    page.write_string("A1", title, styles.title)
    for line, note in enumerate(notes, 2):
        page.merge_range(f"A{line}:{last}{line}", note, styles.note)
        page.set_row(line - 1, _NOTE_HEIGHT)


def write_heads(page: Any, styles: Styles, line: int, heads: Sequence[str], texts: str) -> None:
    """Write the heads of a table; the columns named in `texts` hold text."""
    page.set_row(line - 1, _NOTE_HEIGHT)
    for column, head in zip(COLUMNS, heads, strict=False):
        look = styles.head if column in texts else styles.number_head
        page.write_string(f"{column}{line}", head, look)


def write_wrapped(page: Any, styles: Styles, cell: tuple[str, int], text: str, width: int) -> None:
    """Write a long text in a column and line; make the line high enough for it."""
    column, line = cell
    page.write_string(f"{column}{line}", text, styles.wrapped)
    page.set_row(line - 1, _LINE_HEIGHT * ceil(len(text) / (width - 3)))
