"""Exact count of a strategy's results, over every order of the cards.

The number of orders in which a hand is reached under a strategy does not depend on how many cards
of each value the deck has. A set g of cards, reached in a number of orders and followed by an end e
of the house, has

    orders * product of deck * (deck - 1) * ... (g factors for each value) * ends(g, e)

of the orders of |g| + 9 cards. Over a common number of cards these integers have about 130 bits. So
they are added modulo several primes and recombined at the end (Chinese remainder theorem). One
extra prime checks the sum.
"""

from __future__ import annotations

from math import perm
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.dealer_outcomes import DRAWS, ENDS
from tapisvert.games.blackjack.odds.hands import VALUES, Counts, Hands, places
from tapisvert.games.blackjack.odds.play import (
    DOUBLE,
    STAND,
    Beside,
    Felt,
    Play,
    beside_hand,
    in_deck,
    place_of,
    play_hands,
)

# The largest primes below 2^31: a product of two remainders fits in 62 bits.
PRIMES = tuple(2**31 - below for below in (1, 19, 61, 69, 85, 99))
FINISHES = 7  # the result of a hand: bust, 16 or less, 17 ... 21
CODES = 2 * FINISHES  # the same with the stake doubled
NO_HALF = CODES  # code of a missing second half


class Weights(NamedTuple):
    """Remainders of the probabilities of drawing sets of cards, and of the house's ends."""

    primes: NDArray[np.uint64]
    ways: NDArray[np.uint64]  # of drawing n of a value: by value, n, prime
    inverse: NDArray[np.uint64]  # of the orders of this many cards: by number and prime
    chances: NDArray[np.uint32]  # by place, house end and prime


class Tally(NamedTuple):
    """Remainders of the probabilities of every result, with two statistics."""

    chances: NDArray[np.uint64]  # by codes of both halves, house end, prime
    most: NDArray[np.int64]  # one element: the largest number of cards in a hand
    closest: NDArray[np.float64]  # one element: the smallest margin of any choice made


def blank_tally() -> Tally:
    """Allocate a tally."""
    return Tally(
        np.zeros((CODES, CODES + 1, ENDS, len(PRIMES)), dtype=np.uint64),
        np.zeros(1, dtype=np.int64),
        np.full(1, np.inf),
    )


def weigh(deck: Counts, up: int, felt: Felt, ends: NDArray[np.float64]) -> Weights:
    """Compute the remainders for every place the deck allows."""
    taken = places().packed
    cards = sum(deck)
    ways = [
        [[perm(deck[card], held + (card == up)) % prime for prime in PRIMES] for held in range(8)]
        for card in range(VALUES)
    ]
    inverse = [
        [pow(perm(cards, drawn), -1, prime) for prime in PRIMES] for drawn in range(cards + 1)
    ]
    weights = Weights(
        primes=np.array(PRIMES, dtype=np.uint64),
        ways=np.array(ways, dtype=np.uint64),
        inverse=np.array(inverse, dtype=np.uint64),
        chances=np.zeros((len(taken), ENDS, len(PRIMES)), dtype=np.uint32),
    )
    _weigh(felt, taken, ends, weights)
    return weights


@numba.njit(cache=True, nogil=True)
def _weigh(
    felt: Felt, taken: NDArray[np.int64], ends: NDArray[np.float64], weights: Weights
) -> None:
    for place in range(len(taken)):
        if in_deck(felt.guard, taken[place]):
            size = _size(taken[place])
            drawn = 1 + size + min(DRAWS, felt.cards - size)
            for n in range(len(weights.primes)):
                prime = weights.primes[n]
                chance = _take(weights, taken[place], drawn, n)
                for end in range(ENDS):
                    ended = np.uint64(ends[place, end]) % prime
                    weights.chances[place, end, n] = chance * ended % prime


@numba.njit(cache=True, nogil=True)
def _size(packed: int) -> int:
    size = 0
    for card in range(10):
        size += packed >> 4 * card & 15
    return size


@numba.njit(cache=True, nogil=True)
def _take(weights: Weights, packed: int, drawn: int, n: int) -> Any:
    """Return the probability of drawing the up card and a set, among this many cards."""
    chance = weights.inverse[drawn, n]
    for card in range(10):
        chance = chance * weights.ways[card, packed >> 4 * card & 15, n] % weights.primes[n]
    return chance


@numba.njit(cache=True, nogil=True)
def count_lone(
    hands: Hands, start: int, orders: int, felt: Felt, play: Play, weights: Weights, tally: Tally
) -> None:
    """Count every end of an unsplit hand that is dealt in this many orders."""
    nothing = Beside(0, 0, 0, 0)
    finished = finish(hands, start, orders, nothing, felt, play, False, tally)
    for hand in range(start, len(finished)):
        for doubled in range(2):
            if finished[hand, doubled] > 0:
                place = place_of(hands, hand, nothing, felt)
                code = _code(hands, hand, doubled)
                _add(weights, place, finished[hand, doubled], code, NO_HALF, tally)
                tally.most[0] = max(tally.most[0], hands.size[hand])


@numba.njit(cache=True, nogil=True)
def count_split(
    hands: Hands,
    felt: Felt,
    first: Play,
    second: Play,
    doubling: int,
    one_card: bool,
    adapt: bool,
    weights: Weights,
    tally: Tally,
) -> None:
    """Count every end of a split hand.

    With `adapt`, the second half is solved again after each first half, into `second`. Without it,
    the second half is played as `second` says, whatever the first half drew.
    """
    none = np.empty(0)
    ended = finish(hands, 0, 1, beside_hand(hands, 0), felt, first, one_card, tally)
    for half in range(len(ended)):
        if ended[half, 0] + ended[half, 1] == 0:
            continue
        beside = beside_hand(hands, half)
        if adapt:
            play_hands(hands, beside, felt, none, doubling, one_card, second)
        finished = finish(hands, 0, 1, beside, felt, second, one_card, tally)
        for hand in range(len(finished)):
            for doubled in range(2):
                if finished[hand, doubled] > 0:
                    code = _code(hands, hand, doubled)
                    for stakes in range(2):
                        orders = ended[half, stakes] * finished[hand, doubled]
                        before = _code(hands, half, stakes)
                        if half >= hands.live and hand >= hands.live:
                            packed = hands.packed[half] + hands.packed[hand]
                            _add_bust(weights, packed, orders, before, code, felt, tally)
                        else:
                            place = place_of(hands, hand, beside, felt)
                            _add(weights, place, orders, before, code, tally)
                    size = hands.size[half] + hands.size[hand]
                    tally.most[0] = max(tally.most[0], size)


@numba.njit(cache=True, nogil=True)
def finish(
    hands: Hands,
    start: int,
    orders: int,
    beside: Beside,
    felt: Felt,
    play: Play,
    one_card: bool,
    tally: Tally,
) -> NDArray[np.int64]:
    """Return the number of orders in which each hand is final, without and with a doubling."""
    finished = np.zeros((len(hands.packed), 2), dtype=np.int64)
    reached = np.zeros(hands.live, dtype=np.int64)
    reached[start] = orders
    for hand in range(start, hands.live):
        if reached[hand] == 0:
            continue
        choice = play.choice[hand]
        if hands.size[hand] > 1:
            tally.closest[0] = min(tally.closest[0], play.margin[hand])
        if choice == STAND:
            finished[hand, 0] += reached[hand]
            continue
        for card in range(10):
            after = hands.next[hand, card]
            if after < 0 or not in_deck(felt.guard, hands.packed[after] + beside.packed):
                continue
            if choice == DOUBLE:
                finished[after, 1] += reached[hand]
            elif after >= hands.live or one_card:
                finished[after, 0] += reached[hand]
            else:
                reached[after] += reached[hand]
    return finished


@numba.njit(cache=True, nogil=True)
def _code(hands: Hands, hand: int, doubled: int) -> int:
    finish = 0 if hand >= hands.live else 1 + max(hands.total[hand] - 16, 0)
    return int(finish + FINISHES * doubled)


@numba.njit(cache=True, nogil=True)
def _add(weights: Weights, place: int, orders: int, first: int, second: int, tally: Tally) -> None:
    for n in range(len(weights.primes)):
        prime = weights.primes[n]
        times = np.uint64(orders) % prime
        for end in range(ENDS):
            found = tally.chances[first, second, end, n] + times * weights.chances[place, end, n]
            tally.chances[first, second, end, n] = found % prime


@numba.njit(cache=True, nogil=True)
def _add_bust(
    weights: Weights, packed: int, orders: int, first: int, second: int, felt: Felt, tally: Tally
) -> None:
    """Add a split hand of which both halves are bust. Such a set may have too many points for a
    place.

    The house only turns its hole card, which makes no blackjack.
    """
    size = _size(packed)
    holes = felt.cards - size
    if felt.bar >= 0:
        holes -= felt.deck[felt.bar] - (packed >> 4 * felt.bar & 15)
    for n in range(len(weights.primes)):
        prime = weights.primes[n]
        chance = _take(weights, packed, size + 2, n) * np.uint64(holes) % prime
        found = tally.chances[first, second, 0, n] + np.uint64(orders) % prime * chance
        tally.chances[first, second, 0, n] = found % prime


def put_together(remainders: list[int], cards: int, drawn: int) -> int:
    """Return the number of orders, of this many drawn cards, that a probability stands for.

    >>> put_together([pow(4, -1, prime) * 3 % prime for prime in PRIMES], cards=4, drawn=1)
    3
    """
    orders = perm(cards, drawn)
    whole = 1
    found = 0
    for remainder, prime in zip(remainders, PRIMES, strict=True):
        wanted = remainder * orders % prime
        found += whole * ((wanted - found) * pow(whole, -1, prime) % prime)
        whole *= prime
    if orders * PRIMES[-1] > whole or found > orders:
        raise AssertionError(f"{found:,} of {orders:,} orders: the primes do not agree")
    return found
