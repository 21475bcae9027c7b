"""The classification of hands: one order per `id` of the perft files."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.ranking import batch, flush_batch, joker, joker_batch
from tapisvert.ranking.fortune import ROWS
from tapisvert.ranking.standard import CATEGORIES

Classes = NDArray[np.int64]


class Order(NamedTuple):
    """The hand size and deck, and the class of each hand, as an index into the names."""

    cards: int
    deck_size: int
    names: tuple[str, ...]
    classify: Callable[[NDArray[np.uint8]], Classes]


def _standard(hands: NDArray[np.uint8]) -> Classes:
    return (batch.strengths(hands) >> 20).astype(np.int64)


def _joker(hands: NDArray[np.uint8]) -> Classes:
    return (joker_batch.strengths(hands) >> 20).astype(np.int64)


# The first row reached, in the order of the shipped pay table: the one that pays most.
_FIRST_ROW = np.array(
    [(bits & -bits).bit_length() - 1 if bits else len(ROWS) for bits in range(1 << len(ROWS))]
)


def _fortune(hands: NDArray[np.uint8]) -> Classes:
    return _FIRST_ROW[joker_batch.fortune_rows(hands)].astype(np.int64)


def _flush(hands: NDArray[np.uint8]) -> Classes:
    return flush_batch.strengths(hands) >> 28


ORDERS = {
    "five-card/52": Order(5, 52, CATEGORIES, _standard),
    "six-card/52": Order(6, 52, CATEGORIES, _standard),
    "seven-card/52": Order(7, 52, CATEGORIES, _standard),
    "pai-gow-high/53": Order(5, 53, joker.CATEGORIES, _joker),
    "fortune-bonus/53": Order(7, 53, (*ROWS, "nothing"), _fortune),
    "flush-length/52": Order(7, 52, tuple("01234567"), _flush),
    "straight-flush-length/52": Order(7, 52, tuple("01234567"), flush_batch.straight_flush_lengths),
}
