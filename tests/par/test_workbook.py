"""The workbook of a par sheet: what it holds; test_workbook_recalculated.py solves its formulas."""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO

import pytest
from openpyxl import load_workbook

from par.books import book_of, figures, row_cells
from tapisvert.games.registry import SHIPPED
from tapisvert.lab import bankroll_store, proof_store
from tapisvert.par.book_rows import prices_of
from tapisvert.par.measures import measures
from tapisvert.par.workbook import par_workbook
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES
from tiers import one_in

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
        for cell, expected in row_cells(book, found).items():
            assert kept[name][cell].value == pytest.approx(expected, rel=1e-14), (name, cell)
            if cell[0] in "DIJM":
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
