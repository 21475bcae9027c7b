"""The batch orders of Pai Gow refuse input that is not rows of cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tapisvert.ranking.joker_batch import fortune_rows, low_strengths, strengths

SIZES: dict[Callable[[Any], Any], int] = {strengths: 5, low_strengths: 2, fortune_rows: 7}
each = pytest.mark.parametrize(
    ("rank", "size"), SIZES.items(), ids=lambda it: getattr(it, "__name__", "")
)


@each
def test_a_card_beyond_the_joker_is_refused(rank: Callable[[Any], Any], size: int) -> None:
    rows = np.arange(size, dtype=np.uint8).reshape(1, size)
    assert len(rank(rows)) == 1
    for wrong in (53, 200):
        rows[0, -1] = wrong
        with pytest.raises(ValueError, match="not one of the 53"):
            rank(rows)


@each
def test_a_second_joker_is_refused(rank: Callable[[Any], Any], size: int) -> None:
    rows = np.arange(size, dtype=np.uint8).reshape(1, size)
    rows[0, :2] = 52
    with pytest.raises(ValueError, match="the joker is there twice"):
        rank(rows)


@each
def test_rows_of_another_size_or_type_are_refused(rank: Callable[[Any], Any], size: int) -> None:
    for wrong in (
        np.zeros((1, size - 1), dtype=np.uint8),
        np.zeros((1, size + 1), dtype=np.uint8),
        np.zeros((2, size, size), dtype=np.uint8),
        np.zeros((1, size), dtype=np.int64),
        np.zeros(size, dtype=np.uint8),
    ):
        with pytest.raises(ValueError, match="expected rows of"):
            rank(wrong)
