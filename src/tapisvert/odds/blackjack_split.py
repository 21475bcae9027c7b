"""A split hand: both halves played for their sum, each with every card seen by then.

Why the sum can be had one half at a time. When the first half is finished, its cards and all
others seen are known; what it will win depends on the house's cards only. To the player the unseen
cards are in random order, and stay so however many are turned over: the second half takes its
cards off the top and the house plays with the next ones, but those are as good as any others. So
the mean result of the finished half is fixed at that moment, by what is then left in the deck, and
the second half is played for itself alone. The value of the first half is therefore

    finished:   mean result of this half + value of the second half, given all cards seen
    not yet:    the best option, as of any hand

and the second half's value depends on the set of cards the first one took, not on their order.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.blackjack_hands import ACES, Hands, hands
from tapisvert.odds.blackjack_play import (
    Beside,
    Felt,
    Play,
    beside_hand,
    blank_play,
    in_deck,
    play_hands,
)


class Split(NamedTuple):
    """What splitting two cards of one value is worth, and how the first half is played."""

    value: float
    first: Play


def split(card: int, felt: Felt, doubling: int) -> Split:
    """Split two cards of this value; aces get one card each and stand (bj.11)."""
    every = hands(card)
    first = blank_play(every.live)
    value = play_first(every, 0, felt, doubling, card == ACES, first)
    return Split(value, first)


@numba.njit(cache=True, nogil=True)
def play_first(
    hands: Hands, root: int, felt: Felt, doubling: int, one_card: bool, play: Play
) -> float:
    """Play the first half, while the second waits with its first card `root`."""
    later = second_halves(hands, felt, doubling, one_card)
    value = play_hands(hands, beside_hand(hands, root), felt, later, doubling, one_card, play)
    return float(value)


@numba.njit(cache=True, nogil=True)
def second_halves(
    hands: Hands, felt: Felt, doubling: int, one_card: bool
) -> NDArray[np.float64]:
    """Return what the second half is worth after each hand the first can become."""
    later = np.zeros(len(hands.packed))
    none, play = np.empty(0), blank_play(hands.live)
    for first in range(1, len(hands.packed)):
        if one_card and hands.size[first] > 2:
            break  # the hands come by size, and bust ones are larger
        if in_deck(felt, hands.packed[first] + hands.packed[0]):
            beside = beside_hand(hands, first)
            later[first] = play_hands(hands, beside, felt, none, doubling, one_card, play)
    return later
