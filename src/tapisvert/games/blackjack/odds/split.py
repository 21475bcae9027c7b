"""Split hands: both halves are played for their sum, with all cards visible at each moment.

Why the halves can be solved one at a time. When the first half is finished, its cards and all other
visible cards are known; its result depends only on the house's cards. To the player the unseen
cards are in random order, and they stay so when some are turned over. The second half draws from
the top and the house draws next, but the house's draws have the same distribution as without the
second half. So the mean result of the finished half is fixed at that moment by the remaining deck,
and the second half is played for itself alone. The value of the first half is therefore

    finished:   mean result of this half + value of the second half, given all visible cards
    not yet:    the best option, as of any hand

and the value of the second half depends on the set of cards the first one drew, not on their order.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.hands import ACES, Hands, Places, hands
from tapisvert.games.blackjack.odds.play import (
    Felt,
    Play,
    beside_hand,
    blank_play,
    in_deck,
    play_hands,
)


class Split(NamedTuple):
    """The value of splitting two cards of one value, and the play of the first half."""

    value: float
    first: Play
    later: NDArray[np.float64]  # the value of the second half after each hand of the first


def split(card: int, felt: Felt, doubling: int) -> Split:
    """Solve a split of two cards of this value; aces get one card each and stand (bj.11)."""
    every = hands(card)
    first, later = blank_play(every.live), np.zeros(len(every.packed))
    wanted = np.arange(1, len(every.packed))
    play_second(every, wanted, felt, doubling, card == ACES, later)
    value = play_first(every, felt, later, doubling, card == ACES, first)
    return Split(value, first, later)


@numba.njit(cache=True, nogil=True)
def play_second(
    hands: Hands,
    wanted: NDArray[np.int64],
    felt: Felt,
    doubling: int,
    one_card: bool,
    later: NDArray[np.float64],
) -> None:
    """Compute the value of the second half after each wanted hand of the first."""
    none, play = np.empty(0), blank_play(hands.live)
    for first in wanted:
        if one_card and hands.size[first] > 2:
            continue  # the first half never reaches it
        if in_deck(felt.guard, hands.packed[first] + hands.packed[0]):
            beside = beside_hand(hands, first)
            later[first] = play_hands(hands, beside, felt, none, doubling, one_card, play)


@numba.njit(cache=True, nogil=True)
def play_first(
    hands: Hands,
    felt: Felt,
    later: NDArray[np.float64],
    doubling: int,
    one_card: bool,
    play: Play,
) -> float:
    """Solve the first half, beside the other half's first card."""
    return float(play_hands(hands, beside_hand(hands, 0), felt, later, doubling, one_card, play))


@numba.njit(cache=True, nogil=True)
def reach(hands: Hands, start: int) -> NDArray[np.int64]:
    """Return the hands that one hand can grow into, itself included."""
    reached = np.zeros(len(hands.packed), dtype=np.bool_)
    reached[start] = True
    for hand in range(start, hands.live):
        if reached[hand]:
            for card in range(10):
                if hands.next[hand, card] >= 0:
                    reached[hands.next[hand, card]] = True
    return np.flatnonzero(reached)


@numba.njit(cache=True, nogil=True)
def mark_places(
    hands: Hands, wanted: NDArray[np.int64], guard: int, places: Places, marked: NDArray[np.bool_]
) -> None:
    """Mark the places of all sets the halves can draw: wanted first halves, any second half."""
    for first in wanted:
        for second in range(hands.live):
            if in_deck(guard, hands.packed[first] + hands.packed[second]):
                row = places.row[hands.low[first] + hands.low[second]]
                marked[row + places.column[hands.high[first] + hands.high[second]]] = True
