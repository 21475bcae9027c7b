"""The positions in which the rules of a strategy file decide, facing every up card at once.

A round has three stages: the hand that is not split, the first half of a split, and the second. The
hands of a stage are the rows of one table. A row has the chance of one order of its cards and the
values of its options with best play afterwards. A strategy is walked from the smallest hands to the
largest: the orders that reach a hand depend on the choices before it.

Rules do not see the first half when they play the second. A row of the third stage is therefore
the mean over all first halves that the strategy ends with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import perm
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.count import blank_tally, finish
from tapisvert.games.blackjack.odds.hands import LONE, VALUES, Hands, hand_numbers, hands
from tapisvert.games.blackjack.odds.play import (
    CHOICES,
    DOUBLE,
    HIT,
    NOWHERE,
    ON_10_OR_11,
    ON_ANY,
    SPLIT,
    STAND,
    Felt,
    Play,
    beside_hand,
    blank_play,
    in_deck,
    play_hands,
)
from tapisvert.games.blackjack.odds.rules import Rules, lay
from tapisvert.games.blackjack.odds.up_card import Facing, face, hand_of
from tapisvert.odds.parallel import spread

WHOLE, FIRST, SECOND = range(3)  # stages
_HELD = 16  # more than the equal cards that any set has


class Chances(NamedTuple):
    """Factors of the chance of one order of a set of cards, with the up card."""

    ways: NDArray[np.float64]  # of drawing n of a value: by value and n
    orders: NDArray[np.float64]  # by number of cards


class UpCard(NamedTuple):
    """The data of one up card: the deck, the best play, and the chances of cards."""

    felt: Felt
    ends: NDArray[np.float64]
    facing: Facing
    chances: Chances


class Table(NamedTuple):
    """The hands of one stage, a row each."""

    stage: int
    up: NDArray[np.int64]
    start: NDArray[np.int64]  # the value split, or LONE
    number: NDArray[np.int64]  # among the hands of this start
    packed: NDArray[np.int64]
    size: NDArray[np.int64]
    hard: NDArray[np.int64]
    total: NDArray[np.int64]
    next: NDArray[np.int64]  # the row each card leads to; -1: bust, or none
    chance: NDArray[np.float64]  # of one order, where the house has no blackjack
    values: NDArray[np.float64]  # by choice and row
    best: NDArray[np.float64]
    legal: NDArray[np.bool_]  # by choice and row


Ask = Callable[[Table, NDArray[np.intp], NDArray[np.int64]], NDArray[np.int8]]
Segment = tuple[int, int]  # up card and start


def facing_up(rules: Rules, up: int) -> UpCard:
    """Prepare an up card."""
    felt, ends = lay(rules, up)
    cards = sum(rules.deck)
    ways = [[perm(int(held), n) for n in range(_HELD)] for held in felt.deck]
    orders = [rules.deck[up] / (cards * perm(cards - 1, n)) for n in range(cards)]
    chances = Chances(np.array(ways, dtype=np.float64), np.array(orders))
    return UpCard(felt, ends, face(rules, up, felt), chances)


@numba.njit(cache=True, nogil=True)
def chance_of(chances: Chances, felt: Felt, packed: int) -> float:
    """Return the chance that the up card and then these cards come in one given order, and that
    the house has no blackjack.
    """
    found, size = 1.0, 0
    for card in range(10):
        held = packed >> 4 * card & 15
        size += held
        found *= chances.ways[card, held]
    left = felt.cards - size
    if left <= 0 or found == 0.0:
        return 0.0
    hidden = felt.deck[felt.bar] - (packed >> 4 * felt.bar & 15) if felt.bar >= 0 else 0
    return float(found * chances.orders[size] * (left - hidden) / left)


@numba.njit(cache=True, nogil=True)
def _chances_of(
    chances: Chances, felt: Felt, packed: NDArray[np.int64], beside: int
) -> NDArray[np.float64]:
    found = np.zeros(len(packed))
    for place in range(len(packed)):
        if in_deck(felt.guard, packed[place] + beside):
            found[place] = chance_of(chances, felt, packed[place] + beside)
    return found


@numba.njit(cache=True, nogil=True)
def _second(
    hands: Hands,
    ended: NDArray[np.int64],
    felt: Felt,
    chances: Chances,
    doubling: int,
    sums: NDArray[np.float64],
) -> None:
    """Add up, over the final first halves, the chance of each second half (column 0), the best
    value (column 1) and the value of each option (from column 2).
    """
    none, play = np.empty(0), blank_play(hands.live)
    for half in range(len(ended)):
        packed = hands.packed[half]
        if ended[half] == 0 or not in_deck(felt.guard, packed + hands.packed[0]):
            continue
        play_hands(hands, beside_hand(hands, half), felt, none, doubling, False, play)
        for hand in range(1, hands.live):
            both = packed + hands.packed[hand]
            if in_deck(felt.guard, both):
                weight = ended[half] * chance_of(chances, felt, both)
                sums[hand, 0] += weight
                sums[hand, 1] += weight * play.best[hand]
                for choice in range(3):
                    sums[hand, 2 + choice] += weight * play.options[hand, choice]


def whole_hands(rules: Rules, ups: Sequence[UpCard]) -> Table:
    """Return the hands that are not split."""
    parts = []
    numbers = hand_numbers(LONE)
    pairs = [numbers[hand_of((card, card))] for card in range(VALUES)]
    for at in ups:
        play = at.facing.lone
        values = np.full((len(CHOICES), hands(LONE).live), NOWHERE)
        values[:SPLIT] = play.options.T
        values[SPLIT, pairs] = [split.value for split in at.facing.splits]
        best = np.maximum(play.best, values[SPLIT])
        chance = _chances_of(at.chances, at.felt, hands(LONE).packed[: hands(LONE).live], 0)
        parts.append(((at.facing.up, LONE), chance, values, best))
    table = _table(WHOLE, rules.doubling, parts)
    table.legal[SPLIT] = table.values[SPLIT] > NOWHERE
    return table


def first_halves(rules: Rules, ups: Sequence[UpCard]) -> Table:
    """Return the first halves of every split but of aces, which have no choice (bj.11)."""
    parts = []
    for at in ups:
        for card in range(1, VALUES):
            every, split = hands(card), at.facing.splits[card]
            values = np.full((len(CHOICES), every.live), NOWHERE)
            values[:SPLIT] = split.first.options.T
            values[STAND] += split.later[: every.live]
            beside = int(every.packed[0])
            chance = _chances_of(at.chances, at.felt, every.packed[: every.live], beside)
            parts.append(((at.facing.up, card), chance, values, split.first.best))
    return _table(FIRST, rules.doubling_halves, parts)


def second_halves(
    rules: Rules, ups: Sequence[UpCard], first: dict[Segment, Play], split: Sequence[Segment]
) -> Table:
    """Return the second halves of these splits, after first halves played by these choices."""
    at = {each.facing.up: each for each in ups}

    def work(begin: int, end: int) -> list[NDArray[np.float64]]:
        found = []
        for up, card in split[begin:end]:
            every, felt = hands(card), at[up].felt
            play, tally = first[up, card], blank_tally()
            ended = finish(every, 0, 1, beside_hand(every, 0), felt, play, False, tally).sum(axis=1)
            sums = np.zeros((every.live, 5))
            _second(every, ended, felt, at[up].chances, rules.doubling_halves, sums)
            found.append(sums)
        return found

    pieces = spread(work, len(split), pieces=len(split)) if split else []
    parts = []
    for segment, sums in zip(split, (each for piece in pieces for each in piece), strict=True):
        chance = sums[:, 0].copy()
        means = sums[:, 1:] / np.where(chance > 0, chance, 1)[:, None]
        values = np.full((len(CHOICES), len(chance)), NOWHERE)
        values[:SPLIT] = means[:, 1:].T
        parts.append((segment, chance, values, means[:, 0]))
    return _table(SECOND, rules.doubling_halves, parts)


Part = tuple[Segment, NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def _table(stage: int, doubling: int, parts: Sequence[Part]) -> Table:
    """Put the hands of each up card and start below each other."""
    every = [hands(start) for (_, start), *_ in parts]
    offsets = np.cumsum([0, *(each.live for each in every)])
    following = [
        np.where((each.next >= 0) & (each.next < each.live), each.next + offset, -1)
        for each, offset in zip(every, offsets[:-1], strict=True)
    ]
    none = np.zeros(0, dtype=np.int64)
    size = np.concatenate([none, *(each.size[: each.live] for each in every)])
    hard = np.concatenate([none, *(each.hard[: each.live] for each in every)])
    total = np.concatenate([none, *(each.total[: each.live] for each in every)])
    legal = np.zeros((len(CHOICES), len(size)), dtype=np.bool_)
    legal[STAND], legal[HIT] = True, hard < 21
    legal[DOUBLE] = doubles(doubling, size, total)
    return Table(
        stage=stage,
        up=np.repeat([up for (up, _), *_ in parts], np.diff(offsets)).astype(np.int64),
        start=np.repeat([start for (_, start), *_ in parts], np.diff(offsets)).astype(np.int64),
        number=np.concatenate([none, *(np.arange(each.live) for each in every)]),
        packed=np.concatenate([none, *(each.packed[: each.live] for each in every)]),
        size=size,
        hard=hard,
        total=total,
        next=np.concatenate([np.zeros((0, VALUES), dtype=np.int64), *following]),
        chance=np.concatenate([np.zeros(0), *(each[1] for each in parts)]),
        values=np.concatenate([np.zeros((len(CHOICES), 0)), *(each[2] for each in parts)], axis=1),
        best=np.concatenate([np.zeros(0), *(each[3] for each in parts)]),
        legal=legal,
    )


def doubles(doubling: int, size: NDArray[np.int64], total: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which hands may be doubled, by their numbers of cards and their best totals."""
    ten = (total >= 10) & (total <= 11)
    found: NDArray[np.bool_] = (size == 2) & (
        (doubling == ON_ANY) | ((doubling == ON_10_OR_11) & ten)
    )
    return found


def walk(table: Table, reached: NDArray[np.int64], ask: Ask) -> NDArray[np.int8]:
    """Return the choice of every row that a strategy reaches; `reached` has the orders, and grows.

    A half of one card draws, a hard 21 stands (bj.9): neither is asked.
    """
    choice = np.zeros(len(table.size), dtype=np.int8)
    for size in range(1, int(table.size.max(initial=0)) + 1):
        rows = np.flatnonzero((table.size == size) & (reached > 0))
        if size == 1:
            choice[rows] = HIT
        else:
            asked = rows[(table.hard[rows] < 21) & (table.chance[rows] > 0)]
            if len(asked):
                choice[asked] = ask(table, asked, reached[asked])
        drawing = rows[choice[rows] == HIT]
        for card in range(VALUES):
            after = table.next[drawing, card]
            np.add.at(reached, after[after >= 0], reached[drawing][after >= 0])
    return choice


def plays(table: Table, choice: NDArray[np.int8]) -> dict[Segment, Play]:
    """Return the choices of each up card and start, in the form that a count takes."""
    found: dict[Segment, Play] = {}
    for up, start in sorted(set(zip(table.up.tolist(), table.start.tolist(), strict=True))):
        rows = np.flatnonzero((table.up == up) & (table.start == start))
        play = blank_play(hands(start).live)
        play.choice[:] = choice[rows]
        found[up, start] = play
    return found


def drawn_halves(start: int) -> Play:
    """Return the play of halves without a choice: they draw their card."""
    play = blank_play(hands(start).live)
    play.choice[0] = HIT
    return play
