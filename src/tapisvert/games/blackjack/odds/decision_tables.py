"""The tables that a simulated player of Blackjack decides by, kept on disk.

A hand is a state: the number of its cards of each value. Facing an up card, a row of actions has
one action for each state. The second half of a split has a row for each final first half. Few of
these rows differ, and equal rows are stored once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.chart import chart_rows
from tapisvert.games.blackjack.odds.hands import ACES, LONE, VALUES, Hands, hand_numbers, hands
from tapisvert.games.blackjack.odds.play import (
    DOUBLE,
    SPLIT,
    STAND,
    Felt,
    beside_hand,
    blank_play,
    play_hands,
)
from tapisvert.games.blackjack.odds.rules import Rules, lay
from tapisvert.games.blackjack.odds.strategies import HABITS, ways_of
from tapisvert.games.blackjack.odds.strategy_count import Strategy, best_strategy, habitual
from tapisvert.games.blackjack.odds.up_card import face, hand_of
from tapisvert.odds.parallel import Progress, spread
from tapisvert.odds.table_cache import cached_tables

_FORM = 2  # increment when the content of the files changes
ENDS, DRAWS = 4, 5  # actions beside the choices: none is offered; a half gets its second card
_STARTS = LONE + 1

Actions = NDArray[np.uint8]


class Decisions(NamedTuple):
    """States of hands by their start (a value that was split, or LONE), and what is done there."""

    following: NDArray[np.int16]  # by start, live state and card: the next state
    total: NDArray[np.uint8]  # by start and state
    two: NDArray[np.int16]  # by two cards: the state of a hand as dealt
    splits: NDArray[np.bool_]  # by up card and two cards
    insures: NDArray[np.bool_]
    actions: Actions  # by row and state
    lone: NDArray[np.int32]  # by up card: the row of a hand that is not split
    first: NDArray[np.int32]  # by up card and value split
    second: NDArray[np.int32]  # by up card, value split and final state of the first half


def decisions(rules: Rules, strategy: str, tell: Progress) -> Decisions:
    """Return the tables of a strategy; compute them if they are not kept."""

    def build() -> dict[str, NDArray[Any]]:
        found = spread(lambda up, _: _facing(rules, up, strategy), VALUES, tell, pieces=VALUES)
        return _joined(rules, found)._asdict()

    return Decisions(**cached_tables("blackjack", [_FORM, strategy, *rules], build))


class _Facing(NamedTuple):
    """The rows of one up card."""

    strategy: Strategy
    lone: Actions
    first: list[Actions]
    second: list[Actions]  # by value split: a row for each final state of the first half


def _facing(rules: Rules, up: int, strategy: str) -> _Facing:
    """Return the actions facing an up card."""
    felt, _ = lay(rules, up)
    found = face(rules, up, felt)
    if strategy in HABITS:
        way = habitual(rules, up, ways_of(rules, chart_rows(rules, found))[strategy])
    else:
        way = best_strategy(rules, found)
    first, second = [], []
    for card in range(VALUES):
        every = hands(card)
        first.append(_actions(card, way.first[card].choice))
        if way.start.get((card, card), (0, 0.0))[0] != SPLIT:
            rows = np.zeros((0, every.live), dtype=np.int8)
        elif way.adapts:
            rows = np.zeros((len(every.packed), every.live), dtype=np.int8)
            _second_halves(every, felt, rules.doubling_halves, card == ACES, first[card], rows)
        else:
            rows = way.second[card].choice[None, :]
        second.append(_actions(card, rows))
    return _Facing(way, _actions(LONE, way.lone.choice), first, second)


def _actions(start: int, choices: NDArray[np.int8]) -> Actions:
    """Return the actions in each live state, from the choices there."""
    every, live = hands(start), slice(hands(start).live)
    found: Actions = choices.astype(np.uint8)
    found[..., every.hard[live] >= 21] = ENDS  # bj.9
    if start == ACES:
        found[..., every.size[live] == 2] = ENDS  # bj.11
    if start != LONE:
        found[..., every.size[live] == 1] = DRAWS
    return found


@numba.njit(cache=True, nogil=True)
def _second_halves(
    hands: Hands,
    felt: Felt,
    doubling: int,
    one_card: bool,
    first: Actions,
    rows: NDArray[np.int8],
) -> None:
    """Solve the second half after every first half that the actions lead to."""
    count = len(hands.packed)
    reached, final = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    reached[0] = True
    play, none = blank_play(hands.live), np.empty(0)
    for state in range(count):  # larger hands come later
        action = first[state] if state < hands.live else ENDS
        if reached[state] and action in (STAND, ENDS):
            final[state] = True
        elif reached[state]:
            for card in range(VALUES):
                after = hands.next[state, card]
                if after >= 0 and action == DOUBLE:
                    final[after] = True
                elif after >= 0:
                    reached[after] = True
        if final[state]:
            play.choice[:] = 0
            play_hands(hands, beside_hand(hands, state), felt, none, doubling, one_card, play)
            rows[state] = play.choice


def _joined(rules: Rules, found: list[_Facing]) -> Decisions:
    """Join the tables of all up cards; equal rows become one."""
    most = max(hands(start).live for start in range(_STARTS))
    states = max(len(hands(start).packed) for start in range(_STARTS))
    made = Decisions(
        following=np.zeros((_STARTS, most, VALUES), dtype=np.int16),
        total=np.zeros((_STARTS, states), dtype=np.uint8),
        two=np.zeros((VALUES, VALUES), dtype=np.int16),
        splits=np.zeros((VALUES, VALUES, VALUES), dtype=np.bool_),
        insures=np.zeros((VALUES, VALUES, VALUES), dtype=np.bool_),
        actions=np.empty((0, states), dtype=np.uint8),
        lone=np.zeros(VALUES, dtype=np.int32),
        first=np.zeros((VALUES, VALUES), dtype=np.int32),
        second=np.zeros((VALUES, VALUES, states), dtype=np.int32),
    )
    for start in range(_STARTS):
        every = hands(start)
        made.following[start, : every.live] = every.next
        made.total[start, : len(every.packed)] = every.total
    rows: dict[bytes, int] = {}

    def row_of(actions: Actions) -> int:
        return rows.setdefault(actions.tobytes().ljust(states, bytes([ENDS])), len(rows))

    for up, each in enumerate(found):
        for two, (choice, _) in each.strategy.start.items():
            insures = each.strategy.insures(rules, up, two)
            for pair in (two, two[::-1]):
                made.splits[up][pair], made.insures[up][pair] = choice == SPLIT, insures
                made.two[pair] = hand_numbers(LONE)[hand_of(two)]
        made.lone[up] = row_of(each.lone)
        for card in range(VALUES):
            made.first[up, card] = row_of(each.first[card])
            second = [row_of(actions) for actions in each.second[card]]
            if second:  # one for each state, or one for all
                made.second[up, card, : len(hands(card).packed)] = second
    return made._replace(actions=np.array([np.frombuffer(row, np.uint8) for row in rows]))
