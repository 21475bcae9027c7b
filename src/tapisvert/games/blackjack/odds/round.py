"""Simulated rounds of Blackjack with one or two hands, played by the tables of a strategy.

Cards are values here (0 an ace, 9 a ten). The choices of each hand can be recorded, so that the
game's script can replay the round. A round that runs out of the cards dealt is left to the caller.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.decision_tables import DRAWS, ENDS, Actions, Decisions
from tapisvert.games.blackjack.odds.hands import ACES, LONE, TENS, VALUES
from tapisvert.games.blackjack.odds.play import CHOICES, DOUBLE, SPLIT, STAND
from tapisvert.odds.simulation import MORE_CARDS, Decks

SAID = ("", *CHOICES, "insure", "decline", "even-money")
INSURE, DECLINE, EVEN_MONEY = range(1 + len(CHOICES), len(SAID))
MOST_SAID = 40  # upper bound on the cards of a round of two hands, both split
# Codes of a hand. For a hand played to its end and for a half: lost, push or won, then doubled.
TAKEN_EVEN, HOUSE_BLACKJACK, BOTH_BLACKJACK, BLACKJACK, LONE_HAND = range(5)
LOST, PUSHED, WON = range(3)
RESULTS = 6
SPLIT_HAND = LONE_HAND + RESULTS
ALL_ENDS = SPLIT_HAND + RESULTS**2
NOT_INSURED, INSURANCE_LOST, INSURANCE_WON = range(3)  # times ALL_ENDS
_HOUSE_STATES = 64  # points with aces as 1, plus 32 with an ace

Said = NDArray[np.int64]  # a row of choices for each round; no rows where they are not recorded


class House(NamedTuple):
    """The house's hand by state."""

    after: NDArray[np.uint8]  # by state and card: the next state
    total: NDArray[np.uint8]
    stands: NDArray[np.bool_]


def house_of(*, hits_soft_17: bool) -> House:
    """Tabulate the house's hands (bj.13)."""
    after = np.zeros((_HOUSE_STATES, VALUES), dtype=np.uint8)
    total = np.zeros(_HOUSE_STATES, dtype=np.uint8)
    stands = np.ones(_HOUSE_STATES, dtype=np.bool_)
    for state in range(_HOUSE_STATES):
        points, ace = state & 31, state >> 5
        soft = bool(ace) and points <= 11
        total[state] = points + 10 * soft
        soft_17 = soft and total[state] == 17 and hits_soft_17
        stands[state] = total[state] >= 17 and not soft_17
        for card in range(VALUES):
            after[state, card] = min(points + card + 1, 31) + 32 * (ace or card == ACES)
    return House(after, total, stands)


@numba.njit(cache=True, nogil=True)
def play_rounds(
    decks: Decks,
    values: NDArray[np.uint8],
    way: Decisions,
    house: House,
    codes: NDArray[np.uint16],
    said: Said,
) -> None:
    """Play rounds to their end, with as many hands as there are rows of codes."""
    # Read once: reference counting of the arrays costs more than the work itself.
    following, total, two, splits, insures, actions, lone = way[:7]
    after, totals, stands = house
    seats, limit = len(codes), decks.shape[1]
    insurance, still = np.zeros(seats, np.int64), np.zeros(seats, np.bool_)
    left = np.empty((2, seats, 2), np.int64)  # by half (the second 0 if not split): total, stakes
    for row in range(len(decks)):
        up, hole = values[decks[row, 2 * seats]], values[decks[row, 2 * seats + 1]]
        spoken = _offer(decks, values, row, insures, insurance, said) if up == ACES else 0
        peeked = is_blackjack(up, hole)
        at, standing = 2 * seats + 2, False
        for seat in range(seats):
            one, other = values[decks[row, 2 * seat]], values[decks[row, 2 * seat + 1]]
            mine, insured = is_blackjack(one, other), up == ACES and insurance[seat] > 0
            insurance[seat] = (INSURANCE_WON if peeked else INSURANCE_LOST) if insured else 0
            still[seat] = not (mine or peeked)
            if not still[seat]:
                code = _blackjacks(mine, peeked) + ALL_ENDS * insurance[seat]
                codes[seat, row] = TAKEN_EVEN if insured and mine else code
            elif splits[up, one, other]:
                at, spoken = _split(decks, values, row, seat, up, way, at, spoken, left, said)
                standing = standing or min(left[0, seat, 0], left[1, seat, 0]) <= 21
            else:
                start = two[one, other]
                state, times, at, spoken = _finish(
                    decks, values, row, at, spoken, said, LONE, start, following, actions, lone[up]
                )
                left[0, seat, 0], left[0, seat, 1] = total[LONE, state], times
                left[1, seat, 0] = 0
                standing = standing or total[LONE, state] <= 21
        state = after[after[0, up], hole]
        while standing and not stands[state] and at <= limit:
            at += 1
            if at <= limit:
                state = after[state, values[decks[row, at - 1]]]
        theirs = totals[state]
        for seat in range(seats):
            if at > limit:
                codes[seat, row] = MORE_CARDS
            elif still[seat]:
                code = _result(left[0, seat, 0], left[0, seat, 1], theirs)
                if left[1, seat, 0]:
                    code = RESULTS * code + _result(left[1, seat, 0], left[1, seat, 1], theirs)
                    code += SPLIT_HAND - LONE_HAND
                codes[seat, row] = ALL_ENDS * insurance[seat] + LONE_HAND + code


@numba.njit(cache=True, nogil=True, inline="always")
def is_blackjack(one: int, other: int) -> bool:
    """Tell whether two cards are an ace and a ten."""
    return min(one, other) == ACES and max(one, other) == TENS


@numba.njit(cache=True, nogil=True, inline="always")
def _blackjacks(mine: bool, theirs: bool) -> int:
    """Return the code of a hand that a blackjack ends (bj.7, bj.8)."""
    return (BOTH_BLACKJACK if mine else HOUSE_BLACKJACK) if theirs else BLACKJACK


@numba.njit(cache=True, nogil=True, inline="always")
def _say(choice: int, row: int, spoken: int, said: Said) -> int:
    if len(said):
        said[row, spoken] = choice
    return spoken + 1


@numba.njit(cache=True, nogil=True)
def _offer(
    decks: Decks,
    values: NDArray[np.uint8],
    row: int,
    insures: NDArray[np.bool_],
    insurance: NDArray[np.int64],
    said: Said,
) -> int:
    """Offer insurance against an ace, and even money to a blackjack (bj.6)."""
    spoken = 0
    for seat in range(len(insurance)):
        one, other = values[decks[row, 2 * seat]], values[decks[row, 2 * seat + 1]]
        insurance[seat] = insures[ACES, one, other]
        choice = EVEN_MONEY if is_blackjack(one, other) else INSURE
        spoken = _say(choice if insurance[seat] else DECLINE, row, spoken, said)
    return spoken


@numba.njit(cache=True, nogil=True)
def _split(
    decks: Decks,
    values: NDArray[np.uint8],
    row: int,
    seat: int,
    up: int,
    way: Decisions,
    at: int,
    spoken: int,
    left: NDArray[np.int64],
    said: Said,
) -> tuple[int, int]:
    """Play both halves of a hand; return the next card and the next choice."""
    card = values[decks[row, 2 * seat]]
    spoken = _say(1 + SPLIT, row, spoken, said)
    actions = way.first[up, card]
    for half in range(2):
        state, times, at, spoken = _finish(
            decks, values, row, at, spoken, said, card, 0, way.following, way.actions, actions
        )
        left[half, seat, 0], left[half, seat, 1] = way.total[card, state], times
        actions = way.second[up, card, state]
    return at, spoken


@numba.njit(cache=True, nogil=True)
def _finish(
    decks: Decks,
    values: NDArray[np.uint8],
    row: int,
    at: int,
    spoken: int,
    said: Said,
    start: int,
    state: int,
    following: NDArray[np.int16],
    actions: Actions,
    line: int,
) -> tuple[int, int, int, int]:
    """Play a hand to its end: its state, the multiple of its stake, next card and next choice."""
    limit = decks.shape[1]
    while True:
        action = actions[line, state]
        if action == ENDS:
            break
        if action != DRAWS:
            spoken = _say(1 + action, row, spoken, said)
        if action == STAND:
            break
        at += 1
        if at > limit:
            break
        state = following[start, state, values[decks[row, at - 1]]]
        if action == DOUBLE:
            return state, 2, at, spoken
    return state, 1, at, spoken


@numba.njit(cache=True, nogil=True, inline="always")
def _result(mine: int, times: int, theirs: int) -> int:
    """Return the code of a hand or half that was played to its end."""
    result = WON if theirs > 21 or mine > theirs else (PUSHED if mine == theirs else LOST)
    return (LOST if mine > 21 else result) + (WON + 1) * (times - 1)
