"""The bankroll worksheet of a par sheet's workbook.

Means, deviations and N0 are formulas on the worksheet of the main bet and follow its prices.
Percentiles and ruin are fixed values: they need convolutions, which worksheets cannot compute.
"""

from __future__ import annotations

from typing import Any

from tapisvert.lab.bankroll_store import BankrollTable
from tapisvert.lab.proof_store import ratio
from tapisvert.par.bankrolls import bound_line, n0_line, rounds_or_more, title
from tapisvert.par.book_styles import (
    AMOUNT,
    COLUMNS,
    GENERAL,
    SCIENTIFIC,
    SHORT_PERCENT,
    WHOLE,
    Styles,
    set_up,
    write_heads,
    write_top,
)
from tapisvert.words import Catalogue

RESULTS_AT = 9  # the line of the heads of the results
N0_AT = 6
_WIDTHS = (14, 19, 14, 14, 14, 12, 12, 12, 12, 12, 13, 13, 16, 10)


def write_bankroll(
    book: Any, styles: Styles, words: Catalogue, game: str, found: BankrollTable
) -> None:
    """Write the worksheet of a strategy; its formulas read that of the main bet."""
    page = book.add_worksheet(f"bankroll {found.strategy}")
    main = f"'main {found.strategy}'!"
    set_up(page, words, _WIDTHS)
    notes = (
        words.write("par.bankroll-lead"),
        f"{n0_line(words, found)} {bound_line(words, found)}",
        words.write("par.book-bankroll"),
    )
    heading = f"{words.write('par.bankroll')} – {title(words, game, found)}"
    write_top(page, styles, heading, notes, "N")
    page.write_string(f"A{N0_AT}", "N0", styles.label)
    if found.n0 is not None:
        formula = f"={main}$B$16/{main}$B$8^2"
        page.write_formula(f"B{N0_AT}", formula, styles.number(WHOLE), float(found.n0))
        page.write_string(f"C{N0_AT}", ratio(found.n0), styles.text)
    ruin_at = RESULTS_AT + len(found.results) + 3
    _write_results(page, styles, words, found, main)
    _write_ruin(page, styles, words, found, ruin_at)
    _write_rounds(page, styles, words, found, ruin_at + len(found.ruins) + 3)


def _write_results(
    page: Any, styles: Styles, words: Catalogue, found: BankrollTable, main: str
) -> None:
    shares = found.results[0].percentiles
    heads = [
        *(words.write(f"par.{key}") for key in ("rounds", "bankroll-mean", "bankroll-deviation")),
        *(words.write("par.level", {"level": str(share)}) for share in shares),
        *(words.write(f"par.bankroll-{key}") for key in ("loss", "gain")),
        words.write("par.book-error"),
        words.write("par.book-exact-flag"),
    ]
    caption = words.write("par.bankroll-results")
    page.write_string(f"A{RESULTS_AT - 1}", caption, styles.caption)
    write_heads(page, styles, RESULTS_AT, heads, "")
    amount, share = styles.number(AMOUNT), styles.number(SHORT_PERCENT)
    for line, each in enumerate(found.results, RESULTS_AT + 1):
        page.write_number(f"A{line}", each.rounds, styles.number(WHOLE))
        page.write_formula(f"B{line}", f"=A{line}*{main}$B$8", amount, float(each.mean))
        root = f"=SQRT(A{line})*{main}$B$17"
        page.write_formula(f"C{line}", root, amount, each.standard_deviation)
        for column, result in zip(COLUMNS[3:], each.percentiles.values(), strict=False):
            page.write_number(f"{column}{line}", float(result), amount)
        after = COLUMNS[3 + len(shares) :]
        page.write_number(f"{after[0]}{line}", each.loss, share)
        page.write_number(f"{after[1]}{line}", each.gain, share)
        page.write_number(f"{after[2]}{line}", each.error, styles.number(SCIENTIFIC))
        page.write_boolean(f"{after[3]}{line}", found.exact, styles.number(GENERAL))


def _write_ruin(page: Any, styles: Styles, words: Catalogue, found: BankrollTable, at: int) -> None:
    page.write_string(f"A{at - 1}", words.write("par.bankroll-ruin"), styles.caption)
    within = [words.grouped(rounds) for rounds in found.ruins[0].within]
    heads = [
        words.write("par.bankroll-purse"),
        *(words.write("par.bankroll-within", {"rounds": rounds}) for rounds in within),
        words.write("par.book-error"),
    ]
    write_heads(page, styles, at, heads, "")
    for line, each in enumerate(found.ruins, at + 1):
        page.write_number(f"A{line}", each.bankroll, styles.number(WHOLE))
        for column, chance in zip(COLUMNS[1:], each.within.values(), strict=False):
            page.write_number(f"{column}{line}", chance, styles.number(SHORT_PERCENT))
        column = COLUMNS[1 + len(each.within)]
        page.write_number(f"{column}{line}", each.error, styles.number(SCIENTIFIC))


def _write_rounds(
    page: Any, styles: Styles, words: Catalogue, found: BankrollTable, at: int
) -> None:
    page.write_string(f"A{at - 1}", words.write("par.bankroll-time"), styles.caption)
    shares = found.ruins[0].rounds_to_ruin
    levels = [words.write("par.level", {"level": str(share)}) for share in shares]
    write_heads(page, styles, at, [words.write("par.bankroll-purse"), *levels], "")
    for line, each in enumerate(found.ruins, at + 1):
        page.write_number(f"A{line}", each.bankroll, styles.number(WHOLE))
        for column, taken in zip(COLUMNS[1:], each.rounds_to_ruin.values(), strict=False):
            cell = f"{column}{line}"
            if taken is None:
                page.write_string(cell, rounds_or_more(words, found, None), styles.number(WHOLE))
            else:
                page.write_number(cell, taken, styles.number(WHOLE))
