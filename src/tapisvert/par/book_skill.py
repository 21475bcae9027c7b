"""The worksheet of a workbook with the levels of skill and the caps.

The return and the cost of each strategy are formulas on the prices of its own worksheet. The cost
of a cap is a fixed value from the proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tapisvert.engine.sheet import Sheet
from tapisvert.lab.bankroll_store import MAIN
from tapisvert.lab.proof_store import ratio
from tapisvert.par.book_styles import (
    AMOUNT,
    PERCENT,
    SHORT_PERCENT,
    Styles,
    set_up,
    write_heads,
    write_top,
)
from tapisvert.par.measures import MEASURES, Measures
from tapisvert.par.tables import cap_notes, cap_of, caps_by_bet
from tapisvert.words import Catalogue

NAME = "skill and caps"
_NAME_MAX = 31  # characters of a worksheet's name
_AT = 6  # the line of the heads of the first table
_WIDTHS = (36, 24, 20, 22, 18, 18, 60)


def worksheet_of(found: Measures) -> str:
    """Return the name of the worksheet of a bet under a strategy."""
    return f"{found.bet} {found.strategy}"[:_NAME_MAX]


def write_skill_and_caps(
    book: Any, styles: Styles, words: Catalogue, sheet: Sheet, found: Sequence[Measures]
) -> None:
    """Write the worksheet; its formulas read those of the main bet."""
    page = book.add_worksheet(NAME)
    set_up(page, words, _WIDTHS)
    title = f"{words.write('par.skills')} – {words.write('par.caps-title')}"
    mains = [each for each in found if each.bet == MAIN]
    notes = (words.write("par.element-base"), words.write("par.book-skill"))
    write_top(page, styles, title, notes, "G")
    _write_skill(page, styles, words, sheet.game, mains)
    _write_caps(page, styles, words, sheet, found, _AT + len(mains) + 3)


def _write_skill(
    page: Any, styles: Styles, words: Catalogue, game: str, mains: Sequence[Measures]
) -> None:
    page.write_string(f"A{_AT - 1}", words.write("par.skill-title"), styles.caption)
    heads = ("returns.played", "par.skill", "par.return-first", "par.return-staked")
    keys = (*heads, "par.element", "par.cost", "par.book-exact")
    write_heads(page, styles, _AT, [words.write(key) for key in keys], "ABG")
    best = next((each for each in mains if each.strategy in ("optimal", "none")), None)
    for line, each in enumerate(mains, _AT + 1):
        played = words.write(f"strategy.{each.strategy}", {}, game)
        page.write_string(f"A{line}", played, styles.label)
        page.write_string(f"B{line}", words.write(f"par.skill-{each.skill}"), styles.text)
        own = f"'{worksheet_of(each)}'!"
        for column, cell, value in (
            ("C", "$B$10", float(each.return_first)),
            ("D", "$B$11", float(each.return_staked)),
            ("E", "$B$12", -float(each.element_of_risk)),
        ):
            page.write_formula(f"{column}{line}", f"={own}{cell}", styles.number(PERCENT), value)
        if best is not None and each.cost_of_play is not None:
            cost = f"='{worksheet_of(best)}'!$B$8-{own}$B$8"
            lost = float(each.cost_of_play)
            page.write_formula(f"F{line}", cost, styles.number(PERCENT), lost)
            page.write_string(f"G{line}", ratio(each.cost_of_play), styles.text)


def _write_caps(
    page: Any,
    styles: Styles,
    words: Catalogue,
    sheet: Sheet,
    found: Sequence[Measures],
    at: int,
) -> None:
    page.write_string(f"A{at - 1}", words.write("par.caps"), styles.caption)
    shown = (each for each in found if each.strategy in MEASURES)
    rows = caps_by_bet(words, sheet.game, shown)
    if not rows:
        page.write_string(f"A{at}", words.write("par.no-caps"), styles.text)
        return
    keys = ("limits.bet", "par.cap", "par.cap-of", "par.cap-largest", "par.cap-cost")
    heads = [words.write(key) for key in (*keys, "par.book-exact")]
    write_heads(page, styles, at, heads, "ABF")
    amount, share = styles.number(AMOUNT), styles.number(SHORT_PERCENT)
    for line, (name, cap) in enumerate(rows, at + 1):
        page.write_string(f"A{line}", name, styles.label)
        page.write_string(f"B{line}", cap_of(words, sheet.game, cap), styles.text)
        page.write_number(f"C{line}", cap.cap_cents / 100, amount)
        page.write_number(f"D{line}", float(cap.largest_cents / 100), amount)
        page.write_number(f"E{line}", float(cap.cost), share)
        exact = ratio(cap.cost) + ("" if cap.complete else " *")
        page.write_string(f"F{line}", exact, styles.text)
    for line, note in enumerate(cap_notes(words, rows), at + len(rows) + 1):
        page.write_string(f"A{line}", note, styles.text)
