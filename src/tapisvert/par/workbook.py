"""The par sheet of a game as a workbook with live formulas: change a price and the figures follow.

Each proof has a worksheet: its figures, the intervals, the prices, and the rows of its outcomes.
The rows hold the counts of deals under the proved strategy; no formula decides again. Exact
fractions stand as text beside the doubles, as they were proved. The bankroll tables of the main bet
follow, a worksheet for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from io import BytesIO
from typing import Any, NamedTuple

import xlsxwriter

from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES
from tapisvert.lab.bankroll_store import MAIN, BankrollTable
from tapisvert.lab.proof_store import StoredProof, ratio
from tapisvert.par.book_bankroll import write_bankroll
from tapisvert.par.book_styles import (
    AMOUNT,
    DECIMAL,
    GENERAL,
    PERCENT,
    SCIENTIFIC,
    SHORT_PERCENT,
    WHOLE,
    Styles,
    set_up,
    whole,
    write_heads,
    write_top,
    write_wrapped,
)
from tapisvert.par.caps import spot_of
from tapisvert.par.measures import LEVELS, ROUNDS, Measures, PayRow, measures
from tapisvert.par.paid_rows import End, paid_rows
from tapisvert.par.tables import named
from tapisvert.words import Catalogue, catalogue

_EPOCH = datetime(2000, 1, 1)  # the same content gives the same file
_NAME_MAX = 31  # characters of a worksheet's name
_FIGURES_AT, _FIGURES = 6, 17  # the line of their heads, and how many
_WIDTHS = (50, 28, 19, 15, 30, 14, 14, 9, 12, 12, 9, 12)


class Price(NamedTuple):
    """A price of the sheet that some rows of a bet are paid by."""

    key: str
    pays: Fraction
    multiple: Fraction  # first stakes it is paid on


class Figure(NamedTuple):
    """A figure of a worksheet: its label, its formula, and its value as proved."""

    label: str
    formula: str
    value: float
    exact: str = ""
    form: str = DECIMAL


class Layout(NamedTuple):
    """The lines of a worksheet, counted from one."""

    intervals: int
    prices: int
    rows: int
    last: int

    def column(self, letter: str) -> str:
        """Return the cells of all rows in a column."""
        return f"{letter}${self.rows + 1}:{letter}${self.last}"


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
        mains = {each.strategy for each in written if each.bet == MAIN}
        for table in tables:
            if table.strategy in mains:
                write_bankroll(book, styles, words, sheet.game, table)
    return made.getvalue()


def prices_of(sheet: Sheet, bet: str, rows: Iterable[PayRow]) -> dict[End, Price]:
    """Return the price each row is paid by, where there is one."""
    stake = sheet.spots[spot_of(sheet, bet)].max_cents
    fields = (bet, *GAMES[sheet.game].bets[bet].fields)
    ends = [_end(row) for row in rows]
    found = {}
    for table, (pays, _, stake_max) in sheet.pay_tables().items():
        if table.removesuffix(".pays") in fields:
            multiple = Fraction(stake_max, stake)
            for end, row in paid_rows(ends, pays, multiple).items():
                found[end] = Price(f"{table}.{row}", pays[row], multiple)
    return found


def _end(row: PayRow) -> End:
    return End(row.name, row.net, row.staked)


def _write(book: Any, styles: Styles, words: Catalogue, sheet: Sheet, found: Measures) -> None:
    """Write the worksheet of one bet under one strategy."""
    page = book.add_worksheet(f"{found.bet} {found.strategy}"[:_NAME_MAX])
    by_row = prices_of(sheet, found.bet, found.rows)
    prices = sorted(set(by_row.values()), key=lambda each: -each.pays)
    intervals = _FIGURES_AT + _FIGURES + 2
    price_list = intervals + len(ROUNDS) + 2
    rows = price_list + (len(prices) + 2 if prices else 0)
    at = Layout(intervals, price_list, rows, rows + len(found.rows))
    set_up(page, words, _WIDTHS)
    command = f"tapis prove {sheet.game} --set KEY=VALUE --report FOLDER"
    note = "par.book-no-decision" if found.skill == "none" else "par.book-strategy"
    notes = (words.write(note, {"command": command}), words.write("par.book-inputs"))
    write_top(page, styles, named(words, sheet.game, found), notes, "L")
    _write_figures(page, words, styles, found, at)
    _write_intervals(page, words, styles, found, at)
    _write_prices(page, words, styles, prices, at)
    _write_rows(page, words, styles, found, (prices, by_row), at)


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


def _write_figures(
    page: Any, words: Catalogue, styles: Styles, found: Measures, at: Layout
) -> None:
    heads = ("par.figure", "par.book-value", "par.book-exact")
    write_heads(page, styles, _FIGURES_AT, [words.write(key) for key in heads], "AC")
    line = _FIGURES_AT + 1
    for each in _figures(words, found, at):
        page.write_string(f"A{line}", each.label, styles.label)
        page.write_formula(f"B{line}", each.formula, styles.number(each.form), each.value)
        page.write_string(f"C{line}", each.exact, styles.text)
        line += 1
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


def _write_prices(
    page: Any, words: Catalogue, styles: Styles, prices: Sequence[Price], at: Layout
) -> None:
    if not prices:
        return
    heads = ("par.book-key", "par.book-price", "par.book-exact")
    write_heads(page, styles, at.prices, [words.write(key) for key in heads], "AC")
    for line, price in enumerate(prices, at.prices + 1):
        page.write_string(f"A{line}", price.key, styles.label)
        page.write_number(f"B{line}", float(price.pays), styles.number(GENERAL, entered=True))
        page.write_string(f"C{line}", ratio(price.pays), styles.text)


def _write_rows(
    page: Any,
    words: Catalogue,
    styles: Styles,
    found: Measures,
    priced: tuple[Sequence[Price], dict[End, Price]],
    at: Layout,
) -> None:
    keys = ("row", "book-deals-exact", "deals", "probability", "book-exact", "net", "book-exact")
    more = ("bet", "of-return", "of-variance", "book-multiple", "book-rest")
    heads = [words.write(f"par.{key}") for key in (*keys, *more)]
    write_heads(page, styles, at.rows, heads, "ABEG")
    prices, by_row = priced
    plain, share = styles.number(GENERAL), styles.number(SHORT_PERCENT)
    for line, row in enumerate(found.rows, at.rows + 1):
        page.write_string(f"A{line}", row.name, styles.label)
        page.write_string(f"B{line}", str(row.deals), styles.text)
        page.write_number(f"C{line}", float(row.deals), styles.number(whole(row.deals)))
        chance, form = float(row.probability), styles.number(SCIENTIFIC)
        page.write_formula(f"D{line}", f"=C{line}/$B$7", form, chance)
        write_wrapped(page, styles, ("E", line), ratio(row.probability), _WIDTHS[4])
        page.write_string(f"G{line}", ratio(row.net), styles.text)
        page.write_number(f"H{line}", float(row.staked), plain)
        formula = f"=D{line}*(F{line}+H{line})/($B$8+$B$9)"
        page.write_formula(f"I{line}", formula, share, float(row.share_of_return))
        formula = f"=D{line}*(F{line}-$B$8)^2/$B$16"
        page.write_formula(f"J{line}", formula, share, float(row.share_of_variance))
        price = by_row.get(_end(row))
        if price is None:
            entered = styles.number(GENERAL, entered=True)
            page.write_number(f"F{line}", float(row.net), entered)
            continue
        page.write_number(f"K{line}", float(price.multiple), plain)
        page.write_number(f"L{line}", float(row.net - price.multiple * price.pays), plain)
        paid = at.prices + 1 + prices.index(price)
        page.write_formula(f"F{line}", f"=L{line}+K{line}*$B${paid}", plain, float(row.net))
