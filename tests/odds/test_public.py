"""Our figures beside those that others have published."""

from __future__ import annotations

import pytest

from odds.public import QUICK, Row


@pytest.mark.parametrize("row", QUICK, ids=lambda row: row.what)
def test_our_figure_is_the_published_one_to_its_last_digit(row: Row) -> None:
    assert (row.shown() == row.public) is row.agrees
    assert row.agrees or row.note
