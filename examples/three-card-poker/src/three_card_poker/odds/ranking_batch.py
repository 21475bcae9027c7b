"""The order of three-card hands over NumPy arrays: rows of cards in, strengths out.

The strengths are those of `ranking`, bit for bit; a test compares all 22,100 hands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from tapisvert.cards import ACE

from three_card_poker.ranking import FLUSH, HIGH_CARD, PAIR, STRAIGHT, STRAIGHT_FLUSH, THREE


def strengths(hands: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return the strength of each row of three different cards of the 52.

    >>> strengths(np.array([[48, 0, 4]], dtype=np.uint8)) >> 12   # A-2-3 of clubs
    array([5], dtype=int32)
    """
    if hands.ndim != 2 or hands.shape[1] != 3 or hands.dtype != np.uint8:
        raise ValueError(f"expected rows of 3 cards, got {hands.dtype} of shape {hands.shape}")
    low, middle, high = np.sort(hands >> 2, axis=1).astype(np.int32).T
    suits = hands & 3
    suited = (suits == suits[:, :1]).all(axis=1)
    three = low == high
    pair = ((low == middle) | (middle == high)) & ~three
    wheel = (high == ACE) & (middle == 1) & (low == 0)
    straight = (high - middle == 1) & (middle - low == 1) | wheel
    category = np.select(
        [three, pair, straight & suited, straight, suited],
        [THREE, PAIR, STRAIGHT_FLUSH, STRAIGHT, FLUSH],
        HIGH_CARD,
    ).astype(np.int32)
    kicker = np.where(middle == high, low, high)
    first = np.select([pair, wheel], [middle, middle], high)
    second = np.select([pair, three | straight], [kicker, 0], middle)
    third = np.where(pair | three | straight, 0, low)
    found: NDArray[np.int32] = category << 12 | first << 8 | second << 4 | third
    return found
