"""The value of each set of a live hand: the sums of a proof, for seven cards.

Sums over sets of up to four cards come from tables on disk. These sums overcount the house hands
that share five or more cards with the player's; those are subtracted one by one. The result is
exact for a bet paid 1:1. Other prices also need the number of double wins: then every possible hand
of the house is set and compared, which takes seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import Card, write_hand
from tapisvert.games.pai_gow.odds.deck import HAND, WAYS, Deck, deck_of
from tapisvert.games.pai_gow.odds.hands import Way, eligible_lows, group, house_set, way_of
from tapisvert.games.pai_gow.odds.set_values import add_tabled, find_numbers
from tapisvert.games.pai_gow.odds.sets import LOWS, SETS, Order, lay, order
from tapisvert.games.pai_gow.odds.table_cache import cached_beaten
from tapisvert.games.pai_gow.odds.tables import TABLED, Beaten
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.parallel import spread

Classes = NDArray[np.int64]


def options(
    sheet: PaiGow,
    cards: Sequence[Card],
    *,
    deck: Sequence[Card] = PaiGow.deck,
    beaten: Beaten | None = None,
) -> dict[str, float]:
    """Return the mean net result of each allowed set, in stakes; a set is identified by its low
    hand.

    The tables of the sheet come from the cache on this machine, unless others are given.
    """
    of = deck_of(deck)
    hand = np.sort(of.places[list(cards)])
    lows, highs = np.empty(SETS + 1, dtype=np.int64), np.empty(SETS + 1, dtype=np.int64)
    lay(of.cards[hand].astype(np.int64), order(), lows[:SETS], highs[:SETS])
    if sheet.main.pays == 1:
        lows[SETS], highs[SETS] = LOWS, 0  # beats every eligible low hand, and no high one
        worth = _weigh(sheet, of, hand, lows, highs, beaten or cached_beaten(sheet))
        net = (worth[:SETS] - worth[SETS]).astype(float)
    else:
        wins, losses = _face_all(sheet, of, hand, lows[:SETS], highs[:SETS])
        net = float(sheet.main.pays) * wins - losses
    net /= comb(of.size - HAND, HAND)
    allowed = lows[:SETS] <= order().most_low[highs[:SETS]]
    of_pair = {
        frozenset(pair): at for at, pair in enumerate(combinations(of.cards[hand].tolist(), 2))
    }
    ids = ((write_hand(low), of_pair[frozenset(low)]) for low in combinations(cards, 2))
    return {name: float(net[at]) for name, at in ids if allowed[at]}


def _weigh(
    sheet: PaiGow,
    deck: Deck,
    hand: NDArray[np.uint8],
    lows: Classes,
    highs: Classes,
    beaten: Beaten,
) -> NDArray[np.int64]:
    """Return the number of the house's hands the sets beat, low and high together."""
    worth = np.zeros(len(lows), dtype=np.int64)
    numbers = np.empty((HAND + 1, 35), dtype=np.int64)
    find_numbers(hand, WAYS, numbers)
    for size in range(TABLED):
        add_tabled(numbers, size, lows, highs, beaten.few, worth)
    add_tabled(numbers, TABLED, lows, highs, beaten.fours, worth)
    _take_off_close(
        deck.cards,
        hand,
        order(),
        way_of(sheet.house_way),
        eligible_lows(sheet),
        WAYS,
        lows,
        highs,
        worth,
    )
    return worth


def _face_all(
    sheet: PaiGow, deck: Deck, hand: NDArray[np.uint8], lows: Classes, highs: Classes
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the number of the house's hands each set beats with both hands, and with neither."""
    free = np.setdiff1d(np.arange(deck.size, dtype=np.uint8), hand)
    tops = np.array(list(combinations(range(len(free)), 2)), dtype=np.int64)
    parts = spread(
        lambda first, end: _face(
            deck.cards[free],
            tops[first:end],
            order(),
            way_of(sheet.house_way),
            eligible_lows(sheet),
            lows,
            highs,
        ),
        len(tops),
    )
    wins, losses = np.sum(parts, axis=0)
    return wins, losses


@numba.njit(cache=True, nogil=True)
def _house(cards: Classes, by: Order, way: Way, lows: Classes, highs: Classes) -> tuple[int, int]:
    """Return the low and high hand of the house's set."""
    groups = np.empty((6, 8), dtype=np.int64)
    lay(cards, by, lows, highs)
    group(cards, groups)
    at, _ = house_set(groups, way, lows, highs, by.complete)
    return lows[at], highs[at]


@numba.njit(cache=True, nogil=True)
def _take_off_close(
    deck: NDArray[np.uint8],
    hand: NDArray[np.uint8],
    by: Order,
    way: Way,
    eligible: NDArray[np.bool_],
    ways: NDArray[np.int64],
    lows: Classes,
    highs: Classes,
    worth: NDArray[np.int64],
) -> None:
    """Subtract the overcounted house hands: those that share more than four cards."""
    free = np.array([place for place in range(len(deck)) if place not in hand])
    cards = np.empty(HAND, dtype=np.int64)
    buffers = np.empty((2, SETS), dtype=np.int64)
    for part in range(1 << HAND):
        held = np.array([deck[hand[n]] for n in range(HAND) if part >> n & 1])
        shared = len(held)
        if shared <= TABLED:
            continue
        more = HAND - shared  # none, one or two
        for one in range(len(free) if more else 1):
            for other in range(one + 1 if more == 2 else 0, len(free) if more == 2 else 1):
                cards[:shared] = held
                if more:
                    cards[shared] = deck[free[one]]
                if more == 2:
                    cards[shared + 1] = deck[free[other]]
                cards.sort()
                low, high = _house(cards, by, way, buffers[0], buffers[1])
                if eligible[low]:
                    for at in range(len(lows)):
                        beaten = (low < lows[at]) + (high < highs[at])
                        worth[at] -= ways[shared - 1, TABLED] * beaten


@numba.njit(cache=True, nogil=True)
def _face(
    free: NDArray[np.uint8],
    tops: NDArray[np.int64],
    by: Order,
    way: Way,
    eligible: NDArray[np.bool_],
    lows: Classes,
    highs: Classes,
) -> NDArray[np.int64]:
    """Set every hand whose two highest cards are among these pairs, and compare."""
    found = np.zeros((2, SETS), dtype=np.int64)
    cards = np.empty(HAND, dtype=np.int64)
    buffers = np.empty((2, SETS), dtype=np.int64)
    below = HAND - 2
    for top in range(len(tops)):
        at = np.arange(below + 1)
        at[below] = tops[top, 0]
        cards[below], cards[below + 1] = free[tops[top, 0]], free[tops[top, 1]]
        while at[below - 1] < at[below]:
            for n in range(below):
                cards[n] = free[at[n]]
            low, high = _house(cards, by, way, buffers[0], buffers[1])
            if eligible[low]:
                for each in range(SETS):
                    found[0, each] += low < lows[each] and high < highs[each]
                    found[1, each] += low >= lows[each] and high >= highs[each]
            n = 0
            while n < below - 1 and at[n] + 1 == at[n + 1]:
                at[n] = n
                n += 1
            at[n] += 1
    return found
