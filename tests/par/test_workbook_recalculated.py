"""The workbook of a par sheet, recalculated by another program."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from par.books import (
    Read,
    agree,
    bankrolls_agree,
    book_of,
    price_cell,
    rows_agree,
    skill_and_caps_agree,
)
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.blackjack.odds.strategies import habits
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.games.pai_gow.odds.pairs import Deals
from tapisvert.games.pai_gow.odds.proof import main_figure
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.games.registry import SHIPPED
from tapisvert.lab import bankroll_store, mathematics, proof_store
from tapisvert.lab.proof_store import StoredProof
from tapisvert.par.measures import measures
from tapisvert.sheets import load
from tiers import long

FILE = "book.xlsx"
Recalculate = Callable[[bytes, Mapping[str, float]], Read]


@pytest.fixture
def recalculate(tmp_path: Path) -> Iterator[Recalculate]:
    """Recalculate a workbook with `formulas`, from its inputs, some of them changed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is compiled with warnings
        import formulas

        def run(book: bytes, changed: Mapping[str, float]) -> Read:
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
    book = book_of(sheet)
    read = recalculate(book, {})
    tables = {each.strategy for each in bankroll_store.find(sheet)}
    every = measures(sheet, proof_store.find(sheet))
    skill_and_caps_agree(read, book, every, every)
    for found in every:
        agree(read, found)
        rows_agree(read, book, found)
        if found.bet == "main" and found.strategy in tables:
            bankrolls_agree(read, found)


def proved_at(other: Sheet) -> list[StoredProof]:
    """Prove a changed sheet again; of two games, the strategies compared here alone."""
    if isinstance(other, Blackjack):
        figures = habits(other)
    elif isinstance(other, PaiGow):  # the sets of a habit depend on no price: two minutes' count
        counts = {each.strategy: each.counts for each in proof_store.find(load("pai-gow"))}
        own = counts["best-high"]
        deals = Deals(own["win"], own["push"], own["loss"], own["not-eligible"])
        figures = [main_figure(other, "best-high", deals)]
    else:
        figures = mathematics.prove(other)
    return [proof_store.written(other, each) for each in figures]


@long
@pytest.mark.parametrize(
    ("game", "strategy", "main", "price", "side"),
    [
        ("casino-stud", "always-play", "play.pays.flush", "8:1", "bonus.pays.full-house"),
        ("casino-stud", "always-play", "ante.pays", "8:1", "bonus.pays.full-house"),
        ("ultimate", "always-raise-first", "blind.pays.flush", "8:1", "trips.pays.straight"),
        ("ultimate", "always-raise-first", "play.pays", "8:1", "trips.pays.straight"),
        ("blackjack", "always-stand", "hand.blackjack_pays", "6:5", None),
        ("blackjack", "always-stand", "hand.pays", "2:1", None),
        ("high-card-flush", "always-raise-most", "ante.pays", "3:2", None),
        ("high-card-flush", "always-raise-most", "raise.pays", "3:2", None),
        ("pai-gow", "best-high", "main.pays", "19:20", None),
    ],
)
def test_with_a_price_changed_it_agrees_with_the_proof_at_that_price(
    game: str, strategy: str, main: str, price: str, side: str | None, recalculate: Recalculate
) -> None:
    """A strategy that does not depend on prices and a bet without decisions, proved again."""
    sheet = load(game)
    changes = [(f"main {strategy}", main, price)]
    compared = {"main": strategy}
    if side is not None:
        compared[side.partition(".")[0]] = "none"
        changes.append((f"{side.partition('.')[0]} none", side, "51:2"))
    before = [each for each in proof_store.find(sheet) if compared.get(each.bet) == each.strategy]
    book = book_of(sheet, before)
    cells = {
        f"{name}'!{price_cell(book, name, key)}": float(Fraction(pays.replace(":", "/")))
        for name, key, pays in changes
    }
    other = with_changes(sheet, {key: pays for _, key, pays in changes})
    after = [each for each in proved_at(other) if compared.get(each.bet) == each.strategy]
    assert len(before) == len(after) == len(changes)
    assert not {each.edge for each in before} & {each.edge for each in after}
    read = recalculate(book, cells)
    every = measures(other, after)
    skill_and_caps_agree(read, book, every, measures(sheet, before))
    for found in every:
        agree(read, found)
        rows_agree(read, book, found)


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
