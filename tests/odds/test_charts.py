"""Strategies as artefacts: thresholds and charts agree with the proofs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.blackjack.odds.chart import Chart as BlackjackChart
from tapisvert.games.casino_stud.chart_page import by_up_card
from tapisvert.games.ultimate.chart_page import starting_hands
from tapisvert.lab import chart_store
from tapisvert.odds.thresholds import PlayingLine, gather, line_of
from tapisvert.sheets import load


def lined(played: list[int], positions: int = 4) -> PlayingLine:
    """Return the threshold of hands 0, 1, 2 ..., with these numbers of positions played."""
    whole = np.full(len(played), positions)
    return line_of(gather(np.arange(len(played)), whole, np.array(played)), str)


def test_a_line_has_what_is_always_played_above_and_what_is_never_below() -> None:
    line = lined([0, 0, 1, 0, 4, 3, 4, 4])
    assert (line.plays_from, line.folds_to) == ("6", "1")
    assert [(each.hand, each.played) for each in line.between] == [
        ("2", Fraction(1, 4)),
        ("3", 0),
        ("4", 1),
        ("5", Fraction(3, 4)),
    ]


@pytest.mark.parametrize(
    ("played", "ends"),
    [
        ([0, 0, 4, 4], ("2", "1")),
        ([4, 4, 4], ("0", None)),
        ([0, 0, 0], (None, "2")),
        ([1, 2, 3], (None, None)),
    ],
)
def test_a_line_may_lack_an_end(played: list[int], ends: tuple[str | None, str | None]) -> None:
    line = lined(played)
    assert (line.plays_from, line.folds_to) == ends


def test_a_kept_chart_stays_in_its_order(tmp_path: Path) -> None:
    sheet = with_changes(load("blackjack"), {"hand.double_after_split": "none"})
    rows = {"hard-9": {"2": "hit"}, "hard-10": {"2": "double"}, "soft-13": {"2": "hit"}}
    chart_store.keep(tmp_path, sheet, BlackjackChart(rows, []))
    assert list(chart_store.find(sheet, tmp_path)["rows"]) == list(rows)


def test_hands_of_one_kind_that_begin_alike_are_added_up() -> None:
    between = [
        {"hand": "high-card AK543", "against": {"A": [1, 2], "2": [0, 4]}},
        {"hand": "high-card AK542", "against": {"A": [1, 3]}},
        {"hand": "pair AK5", "against": {"A": [5, 5]}},
        {"hand": "royal-flush", "against": {"2": [1, 1]}},
    ]
    assert by_up_card({"between": between}) == {
        ("royal-flush", ""): {"2": (1, 1)},
        ("pair", "AK5"): {"A": (5, 5)},
        ("high-card", "AK5"): {"A": (2, 5), "2": (0, 4)},
    }


def test_the_starting_hands_are_a_square_with_the_pairs_on_its_diagonal() -> None:
    square = starting_hands(chart_store.find(load("ultimate")))
    names = [[start["hand"] for start in row] for row in square]
    assert [names[n][n] for n in range(13)] == [rank + rank for rank in "AKQJT98765432"]
    assert (names[0][1], names[1][0], names[11][12], names[12][11]) == ("AKs", "AKo", "32s", "32o")
    assert len({hand for row in names for hand in row}) == 169
