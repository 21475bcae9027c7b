"""The best way to play a hand to its end, whatever lies beside it.

One recursion serves three kinds of hand: one that was never split, the second half of a split
(the first half lies finished beside it) and the first half (the other's first card lies beside it,
and what the second half is worth depends on the cards the first one takes).

All values are means over what the player cannot see, given that the house has no blackjack. With
an ace (a ten) up the hole card is then no ten (no ace), and the next card from N unseen ones is

    a card of the barred value, of n unseen:  n / (N - 1)
    another card, of m unseen:                m / (N - 1) * (N - 1 - n) / (N - n)

Each level of the recursion, a mean over ten products at most, adds less than 2e-14 to the error of
a value, and both halves together have twenty levels at most (no hand has more than eleven cards):
a value is right to 1e-12, and so is a choice that is better by more.
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
NOWHERE = -9.0  # the value of an option that is not on offer: less than any other
NIBBLES = 0x8888888888


class Beside(NamedTuple):
    """Cards that lie beside the hand: they are out of the deck."""

    packed: int
    low: int
    high: int
    size: int


class Felt(NamedTuple):
    """The deck without the up card and all that was seen, and what standing is worth."""

    deck: NDArray[np.int64]
    guard: int  # see `guard_of`
    cards: int
    bar: int  # the value the hole card is known not to have, or -1
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    values: NDArray[np.float64]  # by place of the cards taken and by total (16 or less, 17 ... 21)


class Play(NamedTuple):
    """Hand by hand: what each option is worth, the best of them, and what it is better by."""

    options: NDArray[np.float64]  # a column each for stand (without the later half), hit, double
    best: NDArray[np.float64]
    choice: NDArray[np.int8]
    margin: NDArray[np.float64]


@numba.njit(cache=True, nogil=True)
def blank_play(live: int) -> Play:
    """Make room for the play of so many hands."""
    return Play(
        np.full((live, 3), NOWHERE),
        np.full(live, NOWHERE),
        np.zeros(live, dtype=np.int8),
        np.full(live, np.inf),
    )


def guard_of(deck: NDArray[np.int64]) -> int:
    """Return the number a packed set is taken from to see whether the deck has all of it.

    Each count lies below a set bit, which is borrowed if the set has more. No set has more than
    seven tens, so seven stand for more.
    """
    return sum((min(int(held), 7) | 8) << 4 * card for card, held in enumerate(deck))


@numba.njit(cache=True, nogil=True)
def in_deck(guard: int, packed: int) -> bool:
    """Say whether the deck of this guard holds this set of cards."""
    return (guard - packed) & NIBBLES == NIBBLES


@numba.njit(cache=True, nogil=True)
def place_of(hands: Hands, hand: int, beside: Beside, felt: Felt) -> int:
    """Return the place of what is taken from the deck: the hand and what lies beside it."""
    row = felt.row[hands.low[hand] + beside.low]
    return int(row + felt.column[hands.high[hand] + beside.high])


@numba.njit(cache=True, nogil=True)
def beside_hand(hands: Hands, hand: int) -> Beside:
    """Lay a hand beside the one to be played."""
    return Beside(hands.packed[hand], hands.low[hand], hands.high[hand], hands.size[hand])


@numba.njit(cache=True, nogil=True)
def may_double(size: int, total: int, doubling: int) -> bool:
    """Say whether a hand may be doubled (bj.10, bj.12)."""
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
    """Play every hand from the largest down; return the value of the first, smallest one.

    `later` is what the other half will be worth after each of these hands, bust ones included;
    empty if no half comes after. Single cards must draw; with `one_card` they then stand.
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
    """Return what a hand is worth with one more card and played on (or, `one_card`, stood)."""
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
    """Return what a hand is worth doubled: one more card, and it stands."""
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
    """Return the mean over the next card of sums over the unseen cards, those of `bar` apart."""
    hidden = felt.deck[felt.bar] - (packed >> 4 * felt.bar & 15) if felt.bar >= 0 else 0
    if left < 2 or hidden == left:  # on no table: decks of a dozen cards can be played so low
        return 0.0
    if felt.bar < 0:
        return others / left
    return float((others * (left - 1 - hidden) / (left - hidden) + barred) / (left - 1))
