"""The par sheet of a game as a workbook with live formulas: change a price and the figures follow.

Each proof has a worksheet: its figures, the intervals, the prices, and the rows of its outcomes.
The rows hold the counts of deals under the proved strategy: a changed price does not change the
strategy. Text cells beside the doubles hold the exact fractions of the proof. The last worksheets
are one of the levels of skill and the caps, and one for each bankroll table of the main bet.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from fractions import Fraction
from io import BytesIO
from typing import Any, NamedTuple

import xlsxwriter

from tapisvert.engine.sheet import Sheet
from tapisvert.lab.bankroll_store import MAIN, BankrollTable
from tapisvert.lab.proof_store import StoredProof, ratio
from tapisvert.par.book_bankroll import write_bankroll
from tapisvert.par.book_rows import (
    EXACT_WIDTH,
    Layout,
    listed_prices,
    prices_of,
    prices_without_rows,
    single_keys,
    write_prices,
    write_rows,
)
from tapisvert.par.book_skill import worksheet_of, write_skill_and_caps
from tapisvert.par.book_styles import (
    AMOUNT,
    DECIMAL,
    PERCENT,
    SHORT_PERCENT,
    WHOLE,
    Styles,
    set_up,
    whole,
    write_heads,
    write_top,
)
from tapisvert.par.measures import LEVELS, ROUNDS, Measures, measures
from tapisvert.par.tables import named
from tapisvert.words import Catalogue, catalogue

_EPOCH = datetime(2000, 1, 1)  # the same content gives the same file
_FIGURES_AT, _FIGURES = 6, 18  # the line of the heads; the number of figures without a jackpot's
_WIDTHS = (50, 28, 19, 15, EXACT_WIDTH, 14, 14, 9, 12, 12, 9, 17, 16)
_MULTIPLE_WIDTH = 21


class Figure(NamedTuple):
    """A figure of a worksheet: its label, its formula, and its value as proved."""

    label: str
    formula: str
    value: float
    exact: str = ""
    form: str = DECIMAL


def par_workbook(
    sheet: Sheet,
    found: Iterable[StoredProof],
    language: str = "en",
    tables: Iterable[BankrollTable] = (),
) -> bytes:
    """Return the par sheet of a game as an XLSX file."""
    words, made = catalogue(language), BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True}) as book:
        book.set_properties({"title": f"{sheet.game} {sheet.hash[:16]}", "created": _EPOCH})
        styles = Styles(book)
        written = [each for each in measures(sheet, found) if each.rows]
        for each in written:
            _write(book, styles, words, sheet, each)
        write_skill_and_caps(book, styles, words, sheet, written)
        mains = {each.strategy for each in written if each.bet == MAIN}
        for table in tables:
            if table.strategy in mains:
                write_bankroll(book, styles, words, sheet.game, table)
    return made.getvalue()


def _write(book: Any, styles: Styles, words: Catalogue, sheet: Sheet, found: Measures) -> None:
    """Write the worksheet of one bet under one strategy."""
    page = book.add_worksheet(worksheet_of(found))
    by_row = prices_of(sheet, found.bet, found.rows)
    listed = listed_prices(by_row)
    intervals = _FIGURES_AT + _FIGURES + (2 if found.progressive else 0) + 2
    price_list = intervals + len(ROUNDS) + 2
    rows = price_list + (len(listed) + 2 if listed else 0)
    at = Layout(intervals, price_list, rows, rows + len(found.rows))
    set_up(page, words, (*_WIDTHS, *(_MULTIPLE_WIDTH for _ in single_keys(by_row))))
    command = f"tapis prove {sheet.game} --set KEY=VALUE --report FOLDER"
    note = "par.book-no-decision" if found.skill == "none" else "par.book-strategy"
    notes = [words.write(note, {"command": command}), words.write("par.book-inputs")]
    without = prices_without_rows(sheet, found.bet, listed)
    if without:
        notes.append(words.write("par.book-no-cell", {"prices": ", ".join(without)}))
    write_top(page, styles, named(words, sheet.game, found), notes, "L")
    _write_figures(page, words, styles, found, at)
    _write_intervals(page, words, styles, found, at)
    write_prices(page, words, styles, listed, at)
    write_rows(page, words, styles, found, by_row, at)


def _figures(words: Catalogue, found: Measures, at: Layout) -> list[Figure]:
    chance, net, staked = map(at.column, "DFH")
    jackpot = found.variance * found.variance_of_jackpot
    top = found.top
    assert top is not None  # the bet has rows
    z = {"level": str(found.index_level), "z": words.number(Fraction(found.index_z), 4)}

    def exact(key: str, formula: str, value: Fraction, form: str = DECIMAL) -> Figure:
        return Figure(words.write(key), formula, float(value), ratio(value), form)

    # The cells B7 to B21, in this order.
    return [
        Figure(
            words.write("par.cycle"), f"=SUM({at.column('C')})", float(found.cycle),
            str(found.cycle), whole(found.cycle),
        ),
        exact("par.edge", f"=SUMPRODUCT({chance},{net})", found.edge, PERCENT),
        exact("par.staked", f"=SUMPRODUCT({chance},{staked})", found.staked),
        exact("par.return-first", "=1+B8", found.return_first, PERCENT),
        exact("par.return-staked", "=1+B8/B9", found.return_staked, PERCENT),
        exact("par.element", "=-B8/B9", -found.element_of_risk, PERCENT),
        exact("par.hit-anything", f"=SUMPRODUCT({chance}*({net}+{staked}>0))",
              found.hit_anything, PERCENT),
        exact("par.hit-more", f"=SUMPRODUCT({chance}*({net}>0))", found.hit_more, PERCENT),
        exact("par.book-jackpot", f"={float(jackpot)!r}", jackpot),
        exact("par.variance", f"=SUMPRODUCT({chance},({net}-B8)^2)+B15", found.variance),
        Figure(words.write("par.deviation"), "=SQRT(B16)", found.standard_deviation),
        Figure(words.write("par.deviation-staked"), "=B17/B9", found.standard_deviation_staked),
        Figure(words.write("par.index", z), f"=NORMSINV({(1 + found.index_level / 100) / 2})*B18",
               found.volatility_index),
        exact("par.top", f"=MAX({net})", top.net, AMOUNT),
        exact("par.top-rounds", f"=1/SUMPRODUCT({chance}*({net}=B20))", top.mean_rounds, AMOUNT),
    ]  # fmt: skip


def _last_figures(words: Catalogue, found: Measures) -> list[Figure]:
    """Return the figures under the win per hour: the cells from B24 on, in this order."""
    assert found.top is not None
    odds, parts = found.top.odds_against, found.progressive
    last = [Figure(words.write("par.book-top-odds"), "=B21-1", float(odds), ratio(odds), AMOUNT)]
    if parts is not None:  # what the jackpot pays does not follow from the prices of the sheet
        for key, formula, value in (
            ("par.book-jackpot-return", f"={float(parts.share)!r}", parts.share),
            ("par.book-fixed-return", "=B11-B25", parts.fixed),
        ):
            last.append(Figure(words.write(key), formula, float(value), ratio(value), PERCENT))
    return last


def _write_figures(
    page: Any, words: Catalogue, styles: Styles, found: Measures, at: Layout
) -> None:
    heads = ("par.figure", "par.book-value", "par.book-exact")
    write_heads(page, styles, _FIGURES_AT, [words.write(key) for key in heads], "AC")
    first = _figures(words, found, at)
    line = _FIGURES_AT + 1 + len(first)
    by_line = [
        *enumerate(first, _FIGURES_AT + 1),
        *enumerate(_last_figures(words, found), line + 2),
    ]
    for place, each in by_line:
        page.write_string(f"A{place}", each.label, styles.label)
        page.write_formula(f"B{place}", each.formula, styles.number(each.form), each.value)
        page.write_string(f"C{place}", each.exact, styles.text)
    pace = styles.number(WHOLE, entered=True)
    page.write_string(f"A{line}", words.write("par.book-pace"), styles.label)
    page.write_number(f"B{line}", found.rounds_per_hour, pace)
    page.write_string(f"A{line + 1}", words.write("par.book-hourly"), styles.label)
    won, form = float(found.win_per_hour), styles.number(DECIMAL)
    page.write_formula(f"B{line + 1}", f"=-B8*B{line}", form, won)
    page.write_string(f"C{line + 1}", ratio(found.win_per_hour), styles.text)


def _write_intervals(
    page: Any, words: Catalogue, styles: Styles, found: Measures, at: Layout
) -> None:
    ends = [
        words.write("par.book-end", {"end": end, "level": str(level)})
        for level in LEVELS
        for end in ("−", "+")
    ]
    write_heads(page, styles, at.intervals, [words.write("par.book-rounds"), *ends], "")
    values = {(each.rounds, each.level): (each.low, each.high) for each in found.intervals}
    for line, rounds in enumerate(ROUNDS, at.intervals + 1):
        page.write_number(f"A{line}", rounds, styles.number(WHOLE))
        for place, level in enumerate(LEVELS):
            reach = f"NORMSINV({(1 + level / 100) / 2})*B18/SQRT(A{line})"
            for side, sign in enumerate("-+"):
                value = values[rounds, level][side]
                cell = f"{'BCDEFG'[2 * place + side]}{line}"
                form = styles.number(SHORT_PERCENT)
                page.write_formula(cell, f"=B11{sign}{reach}", form, value)
