"""Our figures compared with published ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from odds.flush_variants import VARIANTS, common, qualified, raised, tied
from odds.one_deck import halves_alike
from odds.public import HEAD, QUICK, SLOW, Row, flush_with_three_times, line, tried
from tiers import long

PAGE = (Path(__file__).parents[2] / "docs" / "public-figures.md").read_text(encoding="utf-8")
# These count all hands again; test_flush_figures.py holds the first to the public figures as well.
LONG = {flush_with_three_times, halves_alike, qualified, raised, tied}


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=row.what, marks=[long] if row.ours in LONG else []) for row in QUICK],
)
def test_our_figure_is_the_published_one_to_its_last_digit(row: Row) -> None:
    assert (row.shown() == row.public) is row.agrees
    assert row.agrees or row.note
    assert line(row, row.shown()) in PAGE.splitlines()


@long
@pytest.mark.parametrize("row", [row for row in SLOW if "his average" in row.what])
def test_his_table_and_his_average_give_what_nairn_prints(row: Row) -> None:
    assert row.ours() == pytest.approx(float(row.public), abs=0.00003)
    assert line(row, row.shown()) in PAGE.splitlines()


def test_the_page_has_every_row_and_no_other() -> None:
    """Our figures themselves are compared by the tests above, and the slowest by none."""
    assert PAGE.startswith(HEAD)
    table = PAGE.removeprefix(HEAD).partition("\n\n")[0]
    rows = [each.split(" | ") for each in table.splitlines()]
    expected = [line(row, "ours").split(" | ") for row in (*QUICK, *SLOW)]
    assert [(*each[:2], *each[3:]) for each in rows] == [
        (*each[:2], *each[3:]) for each in expected
    ]
    assert all(float(each[2]) for each in rows)


@long
def test_high_card_flush_at_264_is_given_by_none_of_the_rules_tried() -> None:
    assert PAGE.endswith(tried())
    edges = {each.what: each.edge() for each in VARIANTS}
    assert edges["the common game, best play"] == -common().edge
    assert not [what for what, edge in edges.items() if f"{float(100 * edge):.2f}" == "2.64"]
