"""The workbook of a par sheet: its formulas, recalculated by another program."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import SHIPPED
from tapisvert.lab import bankroll_store, mathematics, proof_store
from tapisvert.lab.proof_store import StoredProof
from tapisvert.par.book_rows import prices_of
from tapisvert.par.measures import Measures, measures
from tapisvert.par.workbook import par_workbook
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES
from tiers import long, one_in

FILE = "book.xlsx"
Recalculate = Callable[[bytes, Mapping[str, float]], Callable[[str, str], float]]


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


def agree(read: Callable[[str, str], float], found: Measures) -> None:
    """Compare every figure and every interval with the proof, to twelve digits."""
    for cell, expected in figures(found).items():
        got = read(f"{found.bet} {found.strategy}", cell)
        assert got == pytest.approx(expected, rel=1e-12, abs=1e-14), (found.strategy, cell)


def bankroll_formulas(found: Measures) -> dict[str, float]:
    """Return the cells of a bankroll worksheet that follow the prices."""
    cells = {"B6": float(found.variance / found.edge**2)}
    for line, rounds in enumerate((10**2, 10**3, 10**4, 10**5), 10):
        cells[f"B{line}"] = float(rounds * found.edge)
        cells[f"C{line}"] = (rounds * float(found.variance)) ** 0.5
    return cells


def bankrolls_agree(read: Callable[[str, str], float], found: Measures) -> None:
    for cell, expected in bankroll_formulas(found).items():
        got = read(f"bankroll {found.strategy}", cell)
        assert got == pytest.approx(expected, rel=1e-12), (found.strategy, cell)


def book_of(sheet: Sheet, proofs: list[StoredProof] | None = None) -> bytes:
    tables = bankroll_store.find(sheet)
    return par_workbook(sheet, proof_store.find(sheet) if proofs is None else proofs, "en", tables)


def price_cell(book: bytes, worksheet: str, key: str) -> str:
    page = load_workbook(BytesIO(book))[worksheet]
    (line,) = [cell.row for cell in page["A"] if cell.value == key]
    return f"B{line}"


# The file -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", one_in(3, SHIPPED))
def test_the_file_holds_the_figures_as_proved_and_formulas_behind_them(game: str) -> None:
    sheet = load(game)
    book = book_of(sheet)
    kept, formulas = (load_workbook(BytesIO(book), data_only=each) for each in (True, False))
    for found in measures(sheet, proof_store.find(sheet)):
        name = f"{found.bet} {found.strategy}"
        for cell, expected in figures(found).items():
            assert kept[name][cell].value == pytest.approx(expected, rel=1e-15)
            if cell != "B22":  # the pace
                assert formulas[name][cell].data_type == "f", cell


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_a_bankroll_worksheet_has_every_number_of_its_table(game: str, language: str) -> None:
    sheet = load(game)
    tables = bankroll_store.find(sheet)
    book = par_workbook(sheet, proof_store.find(sheet), language, tables)
    kept = load_workbook(BytesIO(book), data_only=True)
    assert [name for name in kept.sheetnames if name.startswith("bankroll")] == [
        f"bankroll {table.strategy}" for table in tables
    ]
    for table in tables:
        page = kept[f"bankroll {table.strategy}"]
        rows = [[cell.value for cell in row] for row in page.iter_rows()]
        for line, result in enumerate(table.results, 9):
            percentiles = [float(each) for each in result.percentiles.values()]
            last = [result.loss, result.gain, result.error, False]
            assert rows[line][3:14] == pytest.approx([*percentiles, *last], rel=1e-15)
            assert rows[line][:3] == [
                pytest.approx(float(each), rel=1e-15)
                for each in (result.rounds, result.mean, result.standard_deviation)
            ]
        for line, ruin in enumerate(table.ruins, 16):
            expected = [ruin.bankroll, *ruin.within.values(), ruin.error]
            assert rows[line][:5] == pytest.approx(expected, rel=1e-15)
        for line, ruin in enumerate(table.ruins, 24):
            taken = list(ruin.rounds_to_ruin.values())
            shown = [str(got).replace("\u00a0", "").replace(",", "") for got in rows[line][1:6]]
            assert [each.replace("\u202f", "") for each in shown] == [
                "> 10000" if each is None else str(each) for each in taken
            ]


def test_a_worksheet_is_printed_on_a4_and_scrolls_under_its_title() -> None:
    book = load_workbook(BytesIO(book_of(load("casino-stud"))))
    for page in book:
        assert (page.page_setup.paperSize, page.page_setup.orientation) == (9, "landscape")
        assert (page.sheet_properties.pageSetUpPr.fitToPage, page.page_setup.fitToHeight) == (
            True,
            0,
        )
        assert page.freeze_panes == "B2"


def test_whole_numbers_and_fractions_stand_as_text_beside_the_doubles() -> None:
    sheet = load("blackjack")
    page = load_workbook(BytesIO(book_of(sheet)))["main optimal"]
    found = measures(sheet, proof_store.find(sheet))[0]
    assert (page["C7"].data_type, page["C7"].value) == ("s", str(found.cycle))
    assert Fraction(page["C8"].value) == found.edge
    texts = {cell.value for cell in page["B"] if cell.data_type == "s"}
    assert {str(row.deals) for row in found.rows} <= texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bet_with_decisions_says_at_which_strategy_and_how_to_solve_again(language: str) -> None:
    sheet = load("casino-stud")
    book = load_workbook(BytesIO(par_workbook(sheet, proof_store.find(sheet), language)))
    told = {"en": "At the proved strategy", "fr": "À la stratégie prouvée"}[language]
    assert book["main optimal"]["A2"].value.startswith(told)
    assert "tapis prove casino-stud --set" in book["main optimal"]["A2"].value
    assert not book["bonus none"]["A2"].value.startswith(told)


def test_the_same_proofs_give_the_same_file() -> None:
    assert book_of(load("pai-gow")) == book_of(load("pai-gow"))


def test_rows_follow_the_prices_of_their_own_bet_only() -> None:
    sheet = load("ultimate")
    main, *_, trips = measures(sheet, proof_store.find(sheet))
    by_row = prices_of(sheet, "main", main.rows)
    keys = {price.key for each in by_row.values() for price in each.listed}
    assert {"ante.pays", "play.pays"} < keys
    assert {key.rpartition(".")[0] for key in keys - {"ante.pays", "play.pays"}} == {"blind.pays"}
    side = prices_of(sheet, "trips", trips.rows)
    keys = {price.key for each in side.values() for price in each.listed}
    assert {key.rpartition(".")[0] for key in keys} == {"trips.pays"}
    paid = {end.name for end in by_row}
    assert "raise-4-won-royal-flush" in paid
    assert "raise-4-tie-royal-flush" not in paid


# Recalculated -------------------------------------------------------------------------------------


@pytest.fixture
def recalculate(tmp_path: Path) -> Iterator[Recalculate]:
    """Recalculate a workbook with `formulas`, from its inputs, some of them changed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is compiled with warnings
        import formulas

        def run(book: bytes, changed: Mapping[str, float]) -> Callable[[str, str], float]:
            path = tmp_path / FILE
            path.write_bytes(book)
            model: Any = formulas.ExcelModel().loads(str(path)).finish()
            cells = {f"'[{FILE}]{name.upper()}": value for name, value in changed.items()}
            solved = model.calculate(inputs=cells)
            return lambda page, cell: float(solved[f"'[{FILE}]{page.upper()}'!{cell}"].value[0, 0])

        yield run


@long
@pytest.mark.parametrize("game", SHIPPED)
def test_every_worksheet_recalculates_to_its_proof(game: str, recalculate: Recalculate) -> None:
    sheet = load(game)
    read = recalculate(book_of(sheet), {})
    tables = {each.strategy for each in bankroll_store.find(sheet)}
    for found in measures(sheet, proof_store.find(sheet)):
        agree(read, found)
        if found.bet == "main" and found.strategy in tables:
            bankrolls_agree(read, found)


@long
@pytest.mark.parametrize(
    ("game", "strategy", "main", "side"),
    [
        ("casino-stud", "always-play", "play.pays.flush", "bonus.pays.full-house"),
        ("casino-stud", "always-play", "ante.pays", "bonus.pays.full-house"),
        ("ultimate", "always-raise-first", "blind.pays.flush", "trips.pays.straight"),
        ("ultimate", "always-raise-first", "play.pays", "trips.pays.straight"),
    ],
)
def test_with_a_price_changed_it_agrees_with_the_proof_at_that_price(
    game: str, strategy: str, main: str, side: str, recalculate: Recalculate
) -> None:
    """A strategy that does not depend on prices and a bet without decisions, proved again."""
    sheet = load(game)
    compared = {"main": strategy, side.partition(".")[0]: "none"}
    before = [each for each in proof_store.find(sheet) if compared.get(each.bet) == each.strategy]
    book = book_of(sheet, before)
    cells = {
        f"{name}'!{price_cell(book, name, key)}": price
        for name, key, price in (
            (f"main {strategy}", main, 8.0),
            (f"{side.partition('.')[0]} none", side, 25.5),
        )
    }
    other = with_changes(sheet, {main: "8:1", side: "51:2"})
    proofs = [proof_store.written(other, each) for each in mathematics.prove(other)]
    after = [each for each in proofs if compared.get(each.bet) == each.strategy]
    assert len(before) == len(after) == 2
    assert not {each.edge for each in before} & {each.edge for each in after}
    read = recalculate(book, cells)
    for found in measures(other, after):
        agree(read, found)


@long
def test_a_row_without_a_price_and_the_pace_can_be_changed_too(recalculate: Recalculate) -> None:
    sheet = load("pai-gow")
    proof = next(each for each in proof_store.find(sheet) if each.bet == "main")
    book = book_of(sheet, [proof])
    page = load_workbook(BytesIO(book))[f"main {proof.strategy}"]
    (line,) = [cell.row for cell in page["A"] if cell.value == "win"]
    name = f"main {proof.strategy}"
    read = recalculate(book, {f"{name}'!F{line}": 0.95, f"{name}'!B22": 25.0})
    win = next(Fraction(each.deals, sum(proof.counts.values())) for each in proof.outcomes)
    edge = Fraction(proof.edge) - win / 20
    assert read(f"bankroll {proof.strategy}", "B10") == pytest.approx(100 * float(edge), rel=1e-12)
    assert read(name, "B8") == pytest.approx(float(edge), rel=1e-12)
    assert read(name, "B23") == pytest.approx(float(-25 * edge), rel=1e-12)
    square = Fraction(proof.variance) + Fraction(proof.edge) ** 2
    variance = square - win * (1 - Fraction(19, 20) ** 2) - edge**2
    assert read(name, "B16") == pytest.approx(float(variance), rel=1e-12)
