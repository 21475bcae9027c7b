"""The prices and the rows of a bet's worksheet: the net result of a row follows its prices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from tapisvert.engine.sheet import Sheet, content
from tapisvert.games.registry import GAMES
from tapisvert.lab.proof_store import ratio
from tapisvert.par.book_styles import (
    AMOUNT,
    COLUMNS,
    GENERAL,
    SCIENTIFIC,
    SHORT_PERCENT,
    Styles,
    whole,
    write_heads,
    write_wrapped,
)
from tapisvert.par.caps import spot_of
from tapisvert.par.measures import Measures, PayRow
from tapisvert.par.paid_rows import End, paid_rows
from tapisvert.par.single_prices import Price, single_prices
from tapisvert.words import Catalogue

EXACT_WIDTH = 30  # of the column of exact probabilities
_FIRST_SINGLE = COLUMNS.index("N")  # the columns with the multiples of single prices


class RowPrices(NamedTuple):
    """The prices that pay a row: at most one row of a pay table, and single prices."""

    tabled: Price | None
    singles: tuple[Price, ...]

    @property
    def listed(self) -> tuple[Price, ...]:
        """All prices, that of the pay table first."""
        return (*([self.tabled] if self.tabled else ()), *self.singles)

    def rest(self, net: Fraction) -> Fraction:
        """Return the part of a net result that the prices do not pay."""
        return net - sum((each.multiple * each.pays for each in self.listed), Fraction())


class Layout(NamedTuple):
    """The lines of a worksheet, counted from one."""

    intervals: int
    prices: int
    rows: int
    last: int

    def column(self, letter: str) -> str:
        """Return the cells of all rows in a column."""
        return f"{letter}${self.rows + 1}:{letter}${self.last}"


def prices_of(sheet: Sheet, bet: str, rows: Iterable[PayRow]) -> dict[End, RowPrices]:
    """Return the prices each row is paid by, where they are known."""
    stake = sheet.spots[spot_of(sheet, bet)].max_cents
    fields = _fields(sheet, bet)
    ends = [end_of(row) for row in rows]
    tabled = {}
    for table, (pays, _, stake_max) in sheet.pay_tables().items():
        if table.removesuffix(".pays") in fields:
            multiple = Fraction(stake_max, stake)
            for end, row in paid_rows(ends, pays, multiple).items():
                tabled[end] = Price(f"{table}.{row}", pays[row], multiple)
    own = {key: pays for key, pays in sheet.prices().items() if key.partition(".")[0] in fields}
    singles = single_prices(ends, own, tabled)
    return {
        end: RowPrices(tabled.get(end), singles.get(end, ()))
        for end in ends
        if end in tabled or end in singles
    }


def end_of(row: PayRow) -> End:
    """Return the outcome of a row."""
    return End(row.name, row.net, row.staked)


def listed_prices(by_row: Mapping[End, RowPrices]) -> dict[str, Fraction]:
    """Return the prices of a worksheet by their keys: single ones first, then from the highest."""
    pays = {price.key: price.pays for each in by_row.values() for price in each.listed}
    singles = single_keys(by_row)
    tabled = sorted(pays.keys() - set(singles), key=lambda key: (-pays[key], key))
    return {key: pays[key] for key in (*singles, *tabled)}


def single_keys(by_row: Mapping[End, RowPrices]) -> list[str]:
    """Return the keys of the single prices, in the order of their columns."""
    return sorted({price.key for each in by_row.values() for price in each.singles})


def prices_without_rows(sheet: Sheet, bet: str, listed: Mapping[str, Fraction]) -> list[str]:
    """Return the keys of the bet's prices that pay no row, as far as is known."""
    return [key for key in _price_keys(sheet, _fields(sheet, bet)) if key not in listed]


def _price_keys(sheet: Sheet, fields: Sequence[str]) -> Iterator[str]:
    """Yield the keys of every price of a bet: single ones, pay rows, prizes and shares."""
    yield from (key for key in sheet.prices() if key.partition(".")[0] in fields)
    for table, (pays, _, _) in sheet.pay_tables().items():
        if table.removesuffix(".pays") in fields:
            yield from (f"{table}.{row}" for row in pays)
    for field, part in content(sheet).items():
        if field in fields and isinstance(part, dict):
            for name in ("shares", "prizes_cents"):
                yield from (f"{field}.{name}.{row}" for row in part.get(name, {}))


def _fields(sheet: Sheet, bet: str) -> tuple[str, ...]:
    return (bet, *GAMES[sheet.game].bets[bet].fields)


def write_prices(
    page: Any, words: Catalogue, styles: Styles, listed: Mapping[str, Fraction], at: Layout
) -> None:
    """Write the prices, each in a cell that can be changed."""
    if not listed:
        return
    heads = ("par.book-key", "par.book-price", "par.book-exact")
    write_heads(page, styles, at.prices, [words.write(key) for key in heads], "AC")
    for line, (key, pays) in enumerate(listed.items(), at.prices + 1):
        page.write_string(f"A{line}", key, styles.label)
        page.write_number(f"B{line}", float(pays), styles.number(GENERAL, entered=True))
        page.write_string(f"C{line}", ratio(pays), styles.text)


def write_rows(
    page: Any,
    words: Catalogue,
    styles: Styles,
    found: Measures,
    by_row: Mapping[End, RowPrices],
    at: Layout,
) -> None:
    """Write a line for each way the bet ends."""
    keys = ("row", "book-deals-exact", "deals", "probability", "book-exact", "net", "book-exact")
    more = ("bet", "of-return", "of-variance", "book-multiple", "book-rest", "one-in")
    singles = single_keys(by_row)
    heads = [words.write(f"par.{key}") for key in (*keys, *more)]
    heads += [words.write("par.book-single", {"price": key}) for key in singles]
    write_heads(page, styles, at.rows, heads, "ABEG")
    cells = {key: f"$B${line}" for line, key in enumerate(listed_prices(by_row), at.prices + 1)}
    plain, share = styles.number(GENERAL), styles.number(SHORT_PERCENT)
    for line, row in enumerate(found.rows, at.rows + 1):
        page.write_string(f"A{line}", row.name, styles.label)
        page.write_string(f"B{line}", str(row.deals), styles.text)
        page.write_number(f"C{line}", float(row.deals), styles.number(whole(row.deals)))
        chance, form = float(row.probability), styles.number(SCIENTIFIC)
        page.write_formula(f"D{line}", f"=C{line}/$B$7", form, chance)
        write_wrapped(page, styles, ("E", line), ratio(row.probability), EXACT_WIDTH)
        page.write_string(f"G{line}", ratio(row.net), styles.text)
        page.write_number(f"H{line}", float(row.staked), plain)
        formula = f"=D{line}*(F{line}+H{line})/($B$8+$B$9)"
        page.write_formula(f"I{line}", formula, share, float(row.share_of_return))
        formula = f"=D{line}*(F{line}-$B$8)^2/$B$16"
        page.write_formula(f"J{line}", formula, share, float(row.share_of_variance))
        page.write_formula(f"M{line}", f"=1/D{line}", styles.number(AMOUNT), float(row.one_in))
        paid = by_row.get(end_of(row))
        if paid is None:
            entered = styles.number(GENERAL, entered=True)
            page.write_number(f"F{line}", float(row.net), entered)
            continue
        terms = []
        for price in paid.listed:
            single = price is not paid.tabled
            column = COLUMNS[_FIRST_SINGLE + singles.index(price.key)] if single else "K"
            page.write_number(f"{column}{line}", float(price.multiple), plain)
            terms.append(f"+{column}{line}*{cells[price.key]}")
        page.write_number(f"L{line}", float(paid.rest(row.net)), plain)
        page.write_formula(f"F{line}", f"=L{line}{''.join(terms)}", plain, float(row.net))
