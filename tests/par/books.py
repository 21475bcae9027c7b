"""What the cells of a workbook must hold, from the measures of its proofs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from io import BytesIO

import pytest
from openpyxl import load_workbook

from tapisvert.engine.sheet import Sheet
from tapisvert.lab import bankroll_store, proof_store
from tapisvert.lab.proof_store import StoredProof
from tapisvert.par.measures import MEASURES, Measures
from tapisvert.par.workbook import par_workbook

Read = Callable[[str, str], float]


def figures(found: Measures) -> dict[str, float]:
    """Return the figures by their cells, as proved."""
    assert found.top is not None
    exact = (
        *(found.edge, found.staked, found.return_first, found.return_staked),
        *(-found.element_of_risk, found.hit_anything, found.hit_more),
        *(found.variance * found.variance_of_jackpot, found.variance),
    )
    floats = (found.standard_deviation, found.standard_deviation_staked, found.volatility_index)
    last = (found.top.net, found.top.mean_rounds, found.rounds_per_hour, found.win_per_hour)
    values: list[Fraction | float] = [found.cycle, *exact, *floats, *last, found.top.odds_against]
    if found.progressive is not None:
        values += [found.progressive.share, found.progressive.fixed]
    cells = {f"B{line}": float(value) for line, value in enumerate(values, 7)}
    first = 7 + len(values) + 2  # under a blank line and the heads
    for place, each in enumerate(found.intervals):
        line, left = first + place // 3, "BDF"[place % 3]
        cells |= {f"{left}{line}": each.low, f"{chr(ord(left) + 1)}{line}": each.high}
    return cells


def cells_agree(read: Read, worksheet: str, cells: dict[str, float]) -> None:
    """Compare cells with what they must hold, to twelve digits."""
    for cell, expected in cells.items():
        got = read(worksheet, cell)
        assert got == pytest.approx(expected, rel=1e-12, abs=1e-14), (worksheet, cell)


def agree(read: Read, found: Measures) -> None:
    """Compare every figure and every interval with the proof."""
    cells_agree(read, f"{found.bet} {found.strategy}", figures(found))


def bankroll_formulas(found: Measures) -> dict[str, float]:
    """Return the cells of a bankroll worksheet that follow the prices."""
    cells = {"B6": float(found.variance / found.edge**2)}
    for line, rounds in enumerate((10**2, 10**3, 10**4, 10**5), 10):
        cells[f"B{line}"] = float(rounds * found.edge)
        cells[f"C{line}"] = (rounds * float(found.variance)) ** 0.5
    return cells


def bankrolls_agree(read: Read, found: Measures) -> None:
    cells_agree(read, f"bankroll {found.strategy}", bankroll_formulas(found))


def book_of(sheet: Sheet, proofs: list[StoredProof] | None = None) -> bytes:
    tables = bankroll_store.find(sheet)
    return par_workbook(sheet, proof_store.find(sheet) if proofs is None else proofs, "en", tables)


def price_cell(book: bytes, worksheet: str, key: str) -> str:
    page = load_workbook(BytesIO(book))[worksheet]
    (line,) = [cell.row for cell in page["A"] if cell.value == key]
    return f"B{line}"


def row_cells(book: bytes, found: Measures) -> dict[str, float]:
    """Return the cells of the rows: deals, probability, net, stake, shares, 1 in N."""
    page = load_workbook(BytesIO(book))[f"{found.bet} {found.strategy}"]
    (head,) = [cell.row for cell in page["A"] if cell.value == "Result"]
    cells: dict[str, float] = {}
    for line, row in enumerate(found.rows, head + 1):
        assert page[f"A{line}"].value == row.name
        returned = row.deals * (row.net + row.staked)
        far = row.deals * (row.net - found.edge) ** 2
        cells |= {
            f"C{line}": float(row.deals),
            f"D{line}": row.deals / found.cycle,
            f"F{line}": float(row.net),
            f"H{line}": float(row.staked),
            f"I{line}": float(returned / (found.cycle * (found.edge + found.staked))),
            f"J{line}": float(far / (found.cycle * found.variance)),
            f"M{line}": found.cycle / row.deals,
        }
    return cells


def rows_agree(read: Read, book: bytes, found: Measures) -> None:
    """Compare every column of every row with the proof."""
    cells_agree(read, f"{found.bet} {found.strategy}", row_cells(book, found))


def skill_and_caps_agree(
    read: Read, book: bytes, found: Sequence[Measures], proved: Sequence[Measures]
) -> None:
    """Compare the worksheet of skill levels and caps.

    Levels of skill follow the prices, to `found`. Caps do not: they stay as `proved`.
    """
    page = load_workbook(BytesIO(book))["skill and caps"]
    mains = [each for each in found if each.bet == "main"]
    best = next((each.edge for each in mains if each.strategy in ("optimal", "none")), None)
    cells: dict[str, float] = {}
    for line, each in enumerate(mains, 7):
        assert page[f"B{line}"].value
        values = [1 + each.edge, 1 + each.edge / each.staked, -each.edge / each.staked]
        if best is not None:
            values.append(best - each.edge)
            assert Fraction(page[f"G{line}"].value) == each.cost_of_play
        cells |= {f"{'CDEF'[place]}{line}": float(each) for place, each in enumerate(values)}
    shown = [each for each in proved if each.strategy in MEASURES]
    caps = {(cap.cap_cents, cap.largest_cents, cap.cost) for each in shown for cap in each.caps}
    first = 7 + len(mains) + 3
    read_caps = set()
    for line in range(first, first + len(caps) * len(shown)):
        if isinstance(page[f"C{line}"].value, int | float):
            exact = Fraction(page[f"F{line}"].value.removesuffix(" *"))
            cents = (read("skill and caps", f"{column}{line}") * 100 for column in "CD")
            read_caps.add((*map(round, cents), exact))
            cells[f"E{line}"] = float(exact)
    assert read_caps == caps
    cells_agree(read, "skill and caps", cells)
