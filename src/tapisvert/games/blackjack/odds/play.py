"""The best play of a hand to its end, given the other cards on the table.

One recursion serves three kinds of hand: an unsplit hand; the second half of a split, beside the
finished first half; and the first half, beside the other half's first card. The value of the second
half depends on the cards the first one draws.

All values are means over the cards the player cannot see, given that the house has no blackjack.
With an ace (a ten) up the hole card is then no ten (no ace), and the next card from N unseen ones
is

    a card of the barred value, of n unseen:  n / (N - 1)
    another card, of m unseen:                m / (N - 1) * (N - 1 - n) / (N - n)

Each level of the recursion, a mean over at most ten products, adds less than 2e-14 to the error of
a value. Both halves together have at most twenty levels (no hand has more than eleven cards). So
the error of a value is below 1e-12, and a choice with a larger margin is correct.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.hands import Hands

STAND, HIT, DOUBLE, SPLIT = range(4)
CHOICES = ("stand", "hit", "double", "split")
NEVER, ON_10_OR_11, ON_ANY = range(3)  # when two cards may be doubled
DOUBLING = {"none": NEVER, "10-11": ON_10_OR_11, "any": ON_ANY}
NOWHERE = -9.0  # value of an option not on offer: lower than any other
NIBBLES = 0x8888888888


class Beside(NamedTuple):
    """Cards beside the hand: they are out of the deck."""

    packed: int
    low: int
    high: int
    size: int


class Felt(NamedTuple):
    """The deck without the visible cards, and the values of standing."""

    deck: NDArray[np.int64]
    guard: int  # see `guard_of`
    cards: int
    bar: int  # the value the hole card cannot have, or -1
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    values: NDArray[np.float64]  # by place of the drawn cards and by total (16 or less, 17 ... 21)


class Play(NamedTuple):
    """By hand: the value of each option, the best one, and its margin."""

    options: NDArray[np.float64]  # columns: stand (without the later half), hit, double
    best: NDArray[np.float64]
    choice: NDArray[np.int8]
    margin: NDArray[np.float64]


@numba.njit(cache=True, nogil=True)
def blank_play(live: int) -> Play:
    """Allocate the play of this many hands."""
    return Play(
        np.full((live, 3), NOWHERE),
        np.full(live, NOWHERE),
        np.zeros(live, dtype=np.int8),
        np.full(live, np.inf),
    )


def guard_of(deck: NDArray[np.int64]) -> int:
    """Return the guard: a number from which a packed set is subtracted to test that the deck holds
    it.

    A set bit above each count is borrowed if the set has more cards of that value. No set has more
    than seven tens, so larger counts are stored as seven.
    """
    return sum((min(int(held), 7) | 8) << 4 * card for card, held in enumerate(deck))


@numba.njit(cache=True, nogil=True)
def in_deck(guard: int, packed: int) -> bool:
    """Tell whether the deck of this guard holds this set of cards."""
    return (guard - packed) & NIBBLES == NIBBLES


@numba.njit(cache=True, nogil=True)
def place_of(hands: Hands, hand: int, beside: Beside, felt: Felt) -> int:
    """Return the place of the cards out of the deck: the hand and the cards beside it."""
    row = felt.row[hands.low[hand] + beside.low]
    return int(row + felt.column[hands.high[hand] + beside.high])


@numba.njit(cache=True, nogil=True)
def beside_hand(hands: Hands, hand: int) -> Beside:
    """Return the cards of a hand as `Beside`."""
    return Beside(hands.packed[hand], hands.low[hand], hands.high[hand], hands.size[hand])


@numba.njit(cache=True, nogil=True)
def may_double(size: int, total: int, doubling: int) -> bool:
    """Tell whether a hand may be doubled (bj.10, bj.12)."""
    return size == 2 and (doubling == ON_ANY or (doubling == ON_10_OR_11 and 10 <= total <= 11))


@numba.njit(cache=True, nogil=True)
def play_hands(
    hands: Hands,
    beside: Beside,
    felt: Felt,
    later: NDArray[np.float64],
    doubling: int,
    one_card: bool,
    play: Play,
) -> float:
    """Solve every hand from the largest down; return the value of the first, smallest one.

    `later` has the value of the other half after each of these hands, bust ones included; it is
    empty if no half follows. Single cards must draw; with `one_card` they then stand.
    """
    for hand in range(hands.live - 1, -1, -1):
        packed = hands.packed[hand] + beside.packed
        if not in_deck(felt.guard, packed):
            continue
        total, size = hands.total[hand], hands.size[hand]
        stand = felt.values[place_of(hands, hand, beside, felt), max(total - 16, 0)]
        play.options[hand, STAND] = stand
        best, choice = stand + (later[hand] if len(later) else 0.0), STAND
        if hands.hard[hand] < 21:  # bj.9
            hit, double = _draw(hands, hand, beside, felt, later, one_card, play), NOWHERE
            if may_double(size, total, doubling):
                double = _draw_last(hands, hand, beside, felt, later, play)
            play.options[hand, HIT], play.options[hand, DOUBLE] = hit, double
            second = hit
            if hit > best or size == 1:
                best, second, choice = hit, best, HIT
            if double > best:
                best, second, choice = double, best, DOUBLE
            elif double > second:
                second = double
            play.margin[hand] = best - second
        play.best[hand], play.choice[hand] = best, choice
    return float(play.best[0])


@numba.njit(cache=True, nogil=True)
def _draw(
    hands: Hands,
    hand: int,
    beside: Beside,
    felt: Felt,
    later: NDArray[np.float64],
    one_card: bool,
    play: Play,
) -> float:
    """Return the value of a hand after one more card and best play (with `one_card`: after
    standing).
    """
    packed = hands.packed[hand] + beside.packed
    others, barred = 0.0, 0.0
    for card in range(10):
        unseen = felt.deck[card] - (packed >> 4 * card & 15)
        if unseen > 0:
            after = hands.next[hand, card]
            rest = later[after] if len(later) else 0.0
            if after >= hands.live:
                worth = unseen * (rest - 1)
            elif one_card:
                worth = unseen * (rest + play.options[after, STAND])
            else:
                worth = unseen * play.best[after]
            if card == felt.bar:
                barred = worth
            else:
                others += worth
    return _mean(felt, packed, felt.cards - beside.size - hands.size[hand], others, barred)


@numba.njit(cache=True, nogil=True)
def _draw_last(
    hands: Hands, hand: int, beside: Beside, felt: Felt, later: NDArray[np.float64], play: Play
) -> float:
    """Return the value of a doubled hand: one more card, then stand."""
    packed = hands.packed[hand] + beside.packed
    others, barred = 0.0, 0.0
    for card in range(10):
        unseen = felt.deck[card] - (packed >> 4 * card & 15)
        if unseen > 0:
            after = hands.next[hand, card]
            rest = later[after] if len(later) else 0.0
            stood = play.options[after, STAND] if after < hands.live else -1.0
            if card == felt.bar:
                barred = unseen * (2 * stood + rest)
            else:
                others += unseen * (2 * stood + rest)
    return _mean(felt, packed, felt.cards - beside.size - hands.size[hand], others, barred)


@numba.njit(cache=True, nogil=True)
def _mean(felt: Felt, packed: int, left: int, others: float, barred: float) -> float:
    """Return the mean over the next card; sums of the barred value are given apart."""
    hidden = felt.deck[felt.bar] - (packed >> 4 * felt.bar & 15) if felt.bar >= 0 else 0
    if left < 2 or hidden == left:  # only with small test decks
        return 0.0
    if felt.bar < 0:
        return others / left
    return float((others * (left - 1 - hidden) / (left - hidden) + barred) / (left - 1))
