"""The house's final totals, counted exactly for any remaining deck.

The house has no choice, so its up card alone determines which draws end its hand. Draws that differ
only in order form one set of cards with a number of orders. With n cards of each value left and N
in all, a set d is drawn in

    orders(d) * product of n * (n - 1) * ... (d factors for each value)

of the N * (N - 1) * ... orders of that many cards. Hole cards that would make a blackjack are
excluded, because the house has looked (bj.7). Counts stay below 2^50, so doubles hold them exactly.
The sets form one tree, walked for many decks at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.hands import (
    ACES,
    DECK,
    NO_CARDS,
    TENS,
    VALUES,
    Counts,
    best_total,
    points,
    with_card,
)

ENDS = 6  # bust, 17, 18, 19, 20, 21
DRAWS = 9  # the most cards the house draws: for example 2, then 2 2 2 3, four aces and one more
NOTHING_BARRED = -1
_LANES = 64  # decks processed together


class Draws(NamedTuple):
    """The sets of cards the house can draw, as a tree: one card per node, in preorder."""

    depth: NDArray[np.int64]
    card: NDArray[np.int64]
    already: NDArray[np.int64]  # number of equal cards above the node
    end: NDArray[np.int64]
    orders: NDArray[np.float64]  # 0 if the house cannot end here


def barred(up: int) -> int:
    """Return the hole card that would make a blackjack with this up card.

    >>> barred(ACES), barred(TENS), barred(4)
    (9, 0, -1)
    """
    return {ACES: TENS, TENS: ACES}.get(up, NOTHING_BARRED)


def draws_again(hand: Counts, *, hits_soft_17: bool) -> bool:
    """Tell whether the house takes another card (bj.13)."""
    total = best_total(hand)
    return total < 17 or (total == 17 and hits_soft_17 and total != points(hand))


@cache
def draws(up: int, hits_soft_17: bool) -> Draws:
    """Return every set of cards that ends the house's hand, with its number of orders."""
    found: dict[Counts, int] = {}
    level = {NO_CARDS: 1}  # sets after which the house draws again, with their orders
    while level:
        following: dict[Counts, int] = {}
        for drawn, orders in level.items():
            for card in range(VALUES):
                after = with_card(drawn, card)
                hand = with_card(after, up)
                if hand[card] > DECK[card] or (drawn == NO_CARDS and card == barred(up)):
                    continue
                again = draws_again(hand, hits_soft_17=hits_soft_17)
                kept = following if again else found
                kept[after] = kept.get(after, 0) + orders
        level = following
    return _tree(found, up)


def _tree(found: Mapping[Counts, int], up: int) -> Draws:
    """Convert sets of cards to paths from the lowest card to the highest, with shared prefixes."""
    orders: dict[tuple[int, ...], int] = {}
    for drawn, number in found.items():
        path = tuple(card for card in range(VALUES) for _ in range(drawn[card]))
        orders[path] = number
        for length in range(1, len(path)):
            orders.setdefault(path[:length], 0)
    paths = sorted(orders)
    return Draws(
        depth=np.array([len(path) for path in paths]),
        card=np.array([path[-1] for path in paths]),
        already=np.array([path.count(path[-1]) - 1 for path in paths]),
        end=np.array([_end(path, up) for path in paths]),
        orders=np.array([orders[path] for path in paths], dtype=np.float64),
    )


def _end(path: tuple[int, ...], up: int) -> int:
    hand = with_card(NO_CARDS, up)
    for card in path:
        hand = with_card(hand, card)
    total = best_total(hand)
    return 0 if total > 21 else max(total - 16, 0)


@numba.njit(cache=True, nogil=True)
def count_ends(
    tree: Draws,
    deck: NDArray[np.int64],
    taken: NDArray[np.int64],
    places: NDArray[np.int64],
    ends: NDArray[np.float64],
) -> None:
    """Count the house's ends after the sets at these places are removed from the deck.

    A row of `ends` counts orders of all remaining cards, at most DRAWS of them.
    """
    left = np.empty((10, _LANES))
    for first in range(0, len(places), _LANES):
        lanes = min(_LANES, len(places) - first)
        size = np.full(_LANES, deck.sum())
        for lane in range(lanes):
            packed = taken[places[first + lane]]
            for card in range(10):
                held = packed >> 4 * card & 15
                left[card, lane] = deck[card] - held
                size[lane] -= held
        # _walk fills all lanes; lanes beyond the last deck hold stale values.
        found = _walk(tree, left)
        for lane in range(lanes):
            cards = min(DRAWS, size[lane])
            for end in range(ENDS):
                total = 0.0
                for depth in range(1, cards + 1):
                    ways = found[end, depth, lane]
                    for drawn in range(depth, cards):  # the cards not drawn
                        ways *= size[lane] - drawn
                    total += ways
                ends[places[first + lane], end] = total


@numba.njit(cache=True, nogil=True)
def _walk(tree: Draws, left: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the number of orders of each length that give each end, for every lane."""
    found = np.zeros((ENDS, DRAWS + 1, _LANES))
    ways = np.ones((DRAWS + 1, _LANES))
    for node in range(len(tree.depth)):
        depth, already, orders = tree.depth[node], tree.already[node], tree.orders[node]
        cards, above, here = left[tree.card[node]], ways[depth - 1], ways[depth]
        for lane in range(_LANES):
            here[lane] = above[lane] * (cards[lane] - already)
        if orders > 0:
            sums = found[tree.end[node], depth]
            for lane in range(_LANES):
                sums[lane] += orders * here[lane]
    return found


@numba.njit(cache=True, nogil=True)
def stand_values(
    places: NDArray[np.int64],
    ends: NDArray[np.float64],
    pays: float,
    values: NDArray[np.float64],
) -> None:
    """Compute the value of standing on 16 or less, 17, ... 21; the house has no blackjack."""
    for place in places:
        orders = 0.0  # all orders without a blackjack
        for end in range(ENDS):
            orders += ends[place, end]
        for mine in range(ENDS):
            won, lost = ends[place, 0], 0.0
            for end in range(1, ENDS):
                if end < mine:
                    won += ends[place, end]
                elif end > mine:
                    lost += ends[place, end]
            # A deck too small for the house to finish has no orders; it cannot occur.
            values[place, mine] = (won * pays - lost) / max(orders, 1.0)
