"""Our figures compared with published ones."""

from __future__ import annotations

import pytest

from odds.one_deck import halves_alike
from odds.public import QUICK, SLOW, Row, flush_with_three_times
from tiers import long

# The first counts all hands again; test_flush_figures.py holds it to the public figures as well.
LONG = {flush_with_three_times, halves_alike}


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=row.what, marks=[long] if row.ours in LONG else []) for row in QUICK],
)
def test_our_figure_is_the_published_one_to_its_last_digit(row: Row) -> None:
    assert (row.shown() == row.public) is row.agrees
    assert row.agrees or row.note


@long
@pytest.mark.parametrize("row", [row for row in SLOW if "his average" in row.what])
def test_his_table_and_his_average_give_what_nairn_prints(row: Row) -> None:
    assert row.ours() == pytest.approx(float(row.public), abs=0.00003)
