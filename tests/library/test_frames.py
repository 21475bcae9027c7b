"""Data frames from the rows of a table."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest

import tapisvert


def test_a_data_frame_needs_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(tapisvert.Refused) as caught:
        tapisvert.games().to_pandas()
    assert (caught.value.code, caught.value.details) == (
        "library/not_installed",
        {"package": "pandas"},
    )
    columns = tapisvert.prove("casino-stud").bets.columns()
    assert columns["edge"][0] == Fraction(-142031221, 2718662100)


class Frames:
    """A data frame library: what it is given."""

    DataFrame = dict


def test_a_data_frame_has_floats_for_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("polars", "pandas"):
        monkeypatch.setitem(sys.modules, library, Frames)
        found = getattr(tapisvert.prove("casino-stud").bets, f"to_{library}")()
        assert found["bet"][0] == "main"
        assert found["edge"][0] == float(Fraction(-142031221, 2718662100))


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_a_data_frame_of_the_library_itself(library: str) -> None:
    proof, convert = tapisvert.prove("casino-stud"), f"to_{library}"
    bets = getattr(proof.bets, convert)()
    assert bets.shape == (len(proof.bets), len(proof.bets[0].cells()))
    assert list(bets.columns) == list(proof.bets[0].cells())
    assert list(bets["strategy"]) == [each.strategy for each in proof.bets]
    assert list(bets["deals"]) == [each.deals for each in proof.bets]
    assert list(bets["edge"]) == [float(each.edge) for each in proof.bets]
    outcomes = getattr(proof.main.outcomes, convert)()
    assert float((outcomes["probability"] * outcomes["net"]).sum()) == pytest.approx(
        float(proof.main.edge), abs=1e-12
    )
    tables = getattr(proof.bankrolls(), convert)()
    assert list(tables["ruin_50_1000"]) == [proof.bankrolls()[0].ruins[1].within[1_000]]
    assert getattr(tapisvert.games(), convert)().shape[0] == len(tapisvert.games())
