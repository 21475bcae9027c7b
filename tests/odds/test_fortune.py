"""The Fortune Bonus over every hand of the 53 cards, and the effect of its pay table."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from odds.renaming import sheet_of
from perft.test_games import ENTRIES
from tapisvert.cards import WITH_JOKER
from tapisvert.games.pai_gow.odds.deck import deck_of, sets_of
from tapisvert.games.pai_gow.odds.fortune import count_reached, prove_fortune
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.figures import write_return
from tapisvert.ranking.fortune import ROWS


@pytest.fixture(scope="module")
def reached() -> list[int]:
    deck = deck_of(WITH_JOKER)
    return count_reached(deck, sets_of(deck, 7))


def test_the_rows_are_counted_as_hand_by_hand_and_return_what_is_published(
    reached: list[int],
) -> None:
    sheet = sheet_of(PaiGow)
    figure = prove_fortune(sheet, reached)
    expected = ENTRIES["fortune-bonus/53"].expected
    assert {"total": comb(53, 7), **figure.counts} == expected
    assert write_return(figure.returned * 100, 2) == sheet.published["fortune"]
    assert figure.exact


@pytest.mark.parametrize("row", ROWS)
def test_one_more_on_a_row_moves_the_return_by_exactly_its_frequency(
    row: str, reached: list[int]
) -> None:
    sheet = sheet_of(PaiGow)
    higher = sheet_of(PaiGow, {f"fortune.pays.{row}": f"{sheet.fortune.pays[row] + 1}:1"})
    before, after = prove_fortune(sheet, reached), prove_fortune(higher, reached)
    assert after.returned - before.returned == Fraction(before.counts[row], comb(53, 7))


def test_the_row_that_pays_most_counts_whatever_its_place_in_the_table(
    reached: list[int],
) -> None:
    before = prove_fortune(sheet_of(PaiGow), reached)
    after = prove_fortune(sheet_of(PaiGow, {"fortune.pays.straight": "10:1"}), reached)
    assert after.counts["straight"] > before.counts["straight"]
    assert after.counts["flush"] < before.counts["flush"]
    assert sum(after.counts.values()) == sum(before.counts.values()) == comb(53, 7)
