"""Rounds of Blackjack that face one up card, as they were played at commit 795e69f: an oracle.

Cards are values here (0 an ace, 9 a ten). The second half of a split is solved again
in every round.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.hands import (
    ACES,
    LONE,
    TENS,
    VALUES,
    Hands,
    hand_numbers,
    hands,
)
from tapisvert.games.blackjack.odds.play import (
    CHOICES,
    DOUBLE,
    SPLIT,
    STAND,
    Felt,
    Play,
    beside_hand,
    blank_play,
    play_hands,
)
from tapisvert.games.blackjack.odds.rules import Rules
from tapisvert.games.blackjack.odds.strategy_count import Strategy
from tapisvert.games.blackjack.odds.up_card import hand_of

SAID = ("", *CHOICES, "insure", "decline", "even-money")
INSURE, DECLINE, EVEN_MONEY = range(1 + len(CHOICES), len(SAID))
MOST_SAID = 40  # upper bound on the cards of a round of two hands, both split
_NEXT_CARD, _SAID = range(2)  # bits of a counter

Values = NDArray[np.uint8]


class Way(NamedTuple):
    """A strategy facing one up card, as tables."""

    start: NDArray[np.int8]  # by the values of two cards
    insures: NDArray[np.bool_]
    two: NDArray[np.int64]  # the index of a hand of two cards
    lone: NDArray[np.int8]  # by index of the hand
    first: NDArray[np.int8]  # by the value split, and index of the half
    second: NDArray[np.int8]
    adapts: bool  # the second half depends on the cards of the first, not on its table
    doubling: int  # the hands of halves


class Prices(NamedTuple):
    """Prices, in parts of a stake."""

    unit: int
    pays: int
    blackjack: int
    even_money: int
    insurance: int  # per half stake


class Ended(NamedTuple):
    """The results of rounds: one row each, filled while they are played."""

    net: NDArray[np.int64]  # by hand
    staked: NDArray[np.int64]
    said: NDArray[np.int64]


def way_of(rules: Rules, strategy: Strategy) -> Way:
    """Convert a strategy to tables."""
    numbers, most = hand_numbers(LONE), max(hands(card).live for card in range(VALUES))
    way = Way(
        start=np.zeros((VALUES, VALUES), dtype=np.int8),
        insures=np.zeros((VALUES, VALUES), dtype=np.bool_),
        two=np.zeros((VALUES, VALUES), dtype=np.int64),
        lone=strategy.lone.choice,
        first=np.zeros((VALUES, most), dtype=np.int8),
        second=np.zeros((VALUES, most), dtype=np.int8),
        adapts=strategy.adapts,
        doubling=rules.doubling_halves,
    )
    for two, (choice, _) in strategy.start.items():
        for one, other in (two, two[::-1]):
            way.start[one, other] = choice
            way.insures[one, other] = strategy.insures(rules, strategy.up, two)
            way.two[one, other] = numbers[hand_of(two)]
    for card in range(VALUES):
        for table, plays in ((way.first, strategy.first), (way.second, strategy.second)):
            table[card, : hands(card).live] = plays[card].choice
    return way


def halves() -> tuple[Hands, ...]:
    """Return the hands that halves grow into, by the value split."""
    return tuple(hands(card) for card in range(VALUES))


@numba.njit(cache=True, nogil=True)
def play_rounds(
    decks: Values,
    hits_soft_17: bool,
    lone: Hands,
    halves: tuple[Hands, ...],
    felt: Felt,
    way: Way,
    prices: Prices,
    ended: Ended,
) -> None:
    """Play rounds to their end, with one or two hands, according to the result columns."""
    seats = ended.net.shape[1]
    counter, scratch = np.zeros(2, dtype=np.int64), blank_play(way.first.shape[1])
    settled = np.empty(seats, dtype=np.bool_)
    left = np.empty((2 * seats, 3), dtype=np.int64)  # to compare: hand, total, stakes
    for row in range(len(decks)):
        cards, net, staked, said = decks[row], ended.net[row], ended.staked[row], ended.said[row]
        counter[_NEXT_CARD], counter[_SAID] = 2 * seats + 2, 0
        settled[:], net[:], staked[:], said[:] = False, 0, prices.unit, 0
        _offer(cards, way, prices, net, staked, settled, said, counter)
        _look(cards, prices, net, staked, settled)
        standing = 0
        for hand in range(seats):
            if settled[hand]:
                continue
            one, other = cards[2 * hand], cards[2 * hand + 1]
            if way.start[one, other] == SPLIT:
                _say(1 + SPLIT, said, counter)
                of, first = halves[one], way.first[one]
                number, times = _finish(of, 0, first, one == ACES, cards, said, counter)
                standing = _stand(of, number, times, hand, prices, net, staked, left, standing)
                second = _second(of, number, felt, way, one, scratch)
                number, times = _finish(of, 0, second, one == ACES, cards, said, counter)
                standing = _stand(of, number, times, hand, prices, net, staked, left, standing)
                staked[hand] -= prices.unit  # included in each half
            else:
                start = way.two[one, other]
                number, times = _finish(lone, start, way.lone, False, cards, said, counter)
                standing = _stand(lone, number, times, hand, prices, net, staked, left, standing)
                staked[hand] -= prices.unit
        if standing:
            theirs = _house_total(cards, 2 * seats, hits_soft_17, counter)
            for hand, mine, times in left[:standing]:
                if theirs > 21 or mine > theirs:
                    net[hand] += times * prices.pays
                elif mine < theirs:
                    net[hand] -= times * prices.unit


@numba.njit(cache=True, nogil=True)
def is_blackjack(one: int, other: int) -> bool:
    """Tell whether two cards are an ace and a ten."""
    return min(one, other) == ACES and max(one, other) == TENS


@numba.njit(cache=True, nogil=True)
def _say(choice: int, said: NDArray[np.int64], counter: NDArray[np.int64]) -> None:
    said[counter[_SAID]] = choice
    counter[_SAID] += 1


@numba.njit(cache=True, nogil=True)
def _draw(cards: Values, counter: NDArray[np.int64]) -> int:
    counter[_NEXT_CARD] += 1
    return int(cards[counter[_NEXT_CARD] - 1])


@numba.njit(cache=True, nogil=True)
def _offer(
    cards: Values,
    way: Way,
    prices: Prices,
    net: NDArray[np.int64],
    staked: NDArray[np.int64],
    settled: NDArray[np.bool_],
    said: NDArray[np.int64],
    counter: NDArray[np.int64],
) -> None:
    """Offer insurance against an ace, and even money to a blackjack (bj.6)."""
    if cards[2 * len(net)] != ACES:
        return
    for hand in range(len(net)):
        one, other = cards[2 * hand], cards[2 * hand + 1]
        if not way.insures[one, other]:
            _say(DECLINE, said, counter)
        elif is_blackjack(one, other):
            _say(EVEN_MONEY, said, counter)
            net[hand], settled[hand] = prices.even_money, True
        else:
            _say(INSURE, said, counter)
            staked[hand] += prices.unit // 2


@numba.njit(cache=True, nogil=True)
def _look(
    cards: Values,
    prices: Prices,
    net: NDArray[np.int64],
    staked: NDArray[np.int64],
    settled: NDArray[np.bool_],
) -> None:
    """Settle on the house's blackjack (bj.7); if it has none, on the player's (bj.8)."""
    seats = len(net)
    found = is_blackjack(cards[2 * seats], cards[2 * seats + 1])
    for hand in range(seats):
        if settled[hand]:
            continue
        mine = is_blackjack(cards[2 * hand], cards[2 * hand + 1])
        if staked[hand] > prices.unit:
            net[hand] += prices.insurance if found else -(prices.unit // 2)
        if found and not mine:
            net[hand] -= prices.unit
        elif mine and not found:
            net[hand] += prices.blackjack
        settled[hand] = found or mine


@numba.njit(cache=True, nogil=True)
def _finish(
    hands: Hands,
    number: int,
    choices: NDArray[np.int8],
    one_card: bool,
    cards: Values,
    said: NDArray[np.int64],
    counter: NDArray[np.int64],
) -> tuple[int, int]:
    """Play a hand to its end; return the final hand, and the multiple of its stake."""
    if hands.size[number] == 1:  # a half gets its card without a choice
        number = hands.next[number, _draw(cards, counter)]
        if one_card:
            return number, 1
    while hands.hard[number] < 21:  # bj.9
        choice = choices[number]
        _say(1 + choice, said, counter)
        if choice == STAND:
            break
        number = hands.next[number, _draw(cards, counter)]
        if choice == DOUBLE:
            return number, 2
    return number, 1


@numba.njit(cache=True, nogil=True)
def _second(
    hands: Hands, first: int, felt: Felt, way: Way, card: int, scratch: Play
) -> NDArray[np.int8]:
    """Return the play of the second half after this final first half."""
    choices: NDArray[np.int8] = scratch.choice
    if way.adapts:
        beside = beside_hand(hands, first)
        play_hands(hands, beside, felt, np.empty(0), way.doubling, card == ACES, scratch)
    else:
        choices = way.second[card]
    return choices


@numba.njit(cache=True, nogil=True)
def _stand(
    hands: Hands,
    number: int,
    times: int,
    hand: int,
    prices: Prices,
    net: NDArray[np.int64],
    staked: NDArray[np.int64],
    left: NDArray[np.int64],
    standing: int,
) -> int:
    """Settle bust hands as lost, queue the others for comparison; return how many are queued."""
    staked[hand] += times * prices.unit
    if number >= hands.live:
        net[hand] -= times * prices.unit
        return standing
    left[standing, 0], left[standing, 1], left[standing, 2] = hand, hands.total[number], times
    return standing + 1


@numba.njit(cache=True, nogil=True)
def _house_total(cards: Values, up: int, hits_soft_17: bool, counter: NDArray[np.int64]) -> int:
    """Draw to 17 (bj.13); return the total."""
    points, aces = 0, False
    for card in (cards[up], cards[up + 1]):
        points += card + 1
        aces = aces or card == ACES
    while True:
        soft = aces and points <= 11
        total = points + 10 if soft else points
        if total > 17 or (total == 17 and not (soft and hits_soft_17)):
            return total
        card = _draw(cards, counter)
        points += card + 1
        aces = aces or card == ACES
