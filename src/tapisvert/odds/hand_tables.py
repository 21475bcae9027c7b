"""Ranking one hand inside a kernel, by the tables of `ranking.batch`, kept on disk.

A hand is the sum of its cards' keys. Without a flush the sum leads to the place of the hand's ranks
and from there to its strength. With a flush the strength follows from the ranks of that suit.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.table_cache import cached_tables

_FORM = 1  # increment when the content of the files changes
LOW_BITS = 17
_LOW_MASK, _HIGH_MASK = np.uint64((1 << LOW_BITS) - 1), np.uint64((1 << 14) - 1)
_SUITS = 32
FLUSH = np.uint64(0x8888 << _SUITS)  # the fourth bit of a suit's counter
NO_CARDS = np.uint64(0x3333 << _SUITS)  # where the sum starts: five cards of a suit set that bit
_SUIT_MASK = np.uint64(0x1FFF)


class HandTables(NamedTuple):
    """The tables for hands of one size."""

    keys: NDArray[np.uint64]  # by card
    low: NDArray[np.uint16]
    high: NDArray[np.uint16]
    unsuited: NDArray[np.int32]  # by place
    suited: NDArray[np.int32]  # by ranks


@cache
def hand_tables(size: int) -> HandTables:
    """Return the tables for hands of five, six or seven cards."""

    def build() -> dict[str, NDArray[Any]]:
        from tapisvert.ranking.batch import tables

        made = tables(size)
        # Places are below 49,205. Half the bytes stay in the processor's cache.
        low, high = made.low.astype(np.uint16), made.high.astype(np.uint16)
        return HandTables(made.keys, low, high, made.unsuited, made.suited)._asdict()

    return HandTables(**cached_tables("ranking", [_FORM, size], build))


@numba.njit(cache=True, nogil=True, inline="always")
def place_of(key: np.uint64, low: NDArray[np.uint16], high: NDArray[np.uint16]) -> np.int64:
    """Return the place of a hand's ranks."""
    place = np.int64(low[key & _LOW_MASK])
    return place + np.int64(high[key >> np.uint64(LOW_BITS) & _HIGH_MASK])


@numba.njit(cache=True, nogil=True)
def flush_ranks(key: np.uint64, held: np.uint64) -> np.int64:
    """Return the ranks of the suit that has the flush; `held` has sixteen bits for each suit."""
    suit = np.uint64(0)
    while not key >> np.uint64(_SUITS + 3) + np.uint64(4) * suit & np.uint64(1):
        suit += np.uint64(1)
    return np.int64(held >> np.uint64(16) * suit & _SUIT_MASK)


def places_of(keys: NDArray[np.uint64], tables: HandTables) -> NDArray[np.int64]:
    """Return the place of each hand's ranks."""
    low = tables.low[keys & _LOW_MASK].astype(np.int64)
    places: NDArray[np.int64] = low + tables.high[keys >> np.uint64(LOW_BITS) & _HIGH_MASK]
    return places
