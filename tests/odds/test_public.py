"""Our figures compared with published ones."""

from __future__ import annotations

import pytest

from odds.public import QUICK, Row, flush_with_three_times
from tiers import long

# This one counts all hands again; test_flush_figures.py holds it to the public figures as well.
LONG = {flush_with_three_times}


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=row.what, marks=[long] if row.ours in LONG else []) for row in QUICK],
)
def test_our_figure_is_the_published_one_to_its_last_digit(row: Row) -> None:
    assert (row.shown() == row.public) is row.agrees
    assert row.agrees or row.note
