"""The par sheet from Python: what `tapis prove --report` writes."""

from __future__ import annotations

import pytest

import tapisvert
from library.test_surface import coin
from tapisvert.lab import bankroll_store, mathematics, proof_store
from tapisvert.library import proving
from tapisvert.par.page import kept_par_sheet
from tapisvert.par.record import par_json
from tapisvert.par.workbook import par_workbook
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES


def test_a_shipped_sheet_gives_what_the_server_and_the_report_give() -> None:
    sheet = load("high-card-flush")
    found, tables = proof_store.find(sheet), bankroll_store.find(sheet)
    proof = tapisvert.prove(sheet)
    for language in LANGUAGES:
        assert proof.page(language) == kept_par_sheet(sheet, language)
        assert proof.workbook(language) == par_workbook(sheet, found, language, tables)
    assert proof.par_json() == par_json(sheet, found, tables)


def test_the_chart_and_the_bankrolls_of_a_changed_sheet_are_computed_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[str] = []
    chart = tapisvert.strategy("casino-stud")

    def strategy(_: object) -> tapisvert.StrategyChart:
        calls.append("strategy")
        return chart

    def bankrolls(*_: object) -> tuple[tapisvert.BankrollTable, ...]:
        calls.append("bankrolls")
        return ()

    monkeypatch.setattr(mathematics, "prove", coin)
    monkeypatch.setattr(proving, "strategy", strategy)
    monkeypatch.setattr(proving, "bankrolls_of", bankrolls)
    proof = tapisvert.prove(tapisvert.sheet("casino-stud", play__pays__flush="7:1"))
    pages = [proof.page(language) for language in LANGUAGES]
    assert ["Par sheet" in page or "par sheet" in page for page in pages] == [False, True]
    assert proof.par_json()
    assert proof.workbook()
    assert sorted(calls) == ["bankrolls", "strategy"]
