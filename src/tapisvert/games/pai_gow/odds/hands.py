"""The sets of all seven-card hands at once: by the house way, or by a simple strategy.

The house way equals `games/pai_gow/house_way.py`, with the same rule numbers. The sheet sets the
ranks in rules 3, 8 and 9.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import ACE, RANKS
from tapisvert.games.pai_gow.odds.deck import HAND, Deck, Sets, number_all, sets_of
from tapisvert.games.pai_gow.odds.sets import (
    NO_PAIRS,
    SETS,
    Marks,
    Order,
    lay,
    low_class,
    low_strengths,
    mark,
    order,
)
from tapisvert.games.pai_gow.sheet import HouseWay, PaiGow
from tapisvert.odds.parallel import spread

TWO, KING = 0, 11
FOULED = 12  # reported instead of a rule: the set is a foul
RULES = range(1, 12)
HABITS = ("best-high", "best-low")
_HOUSE_WAY, _BEST_HIGH, _BEST_LOW = range(3)


class Way(NamedTuple):
    """The figures of the house way as ranks."""

    fours_stay_to: int
    fours_stay_with_ace_to: int
    two_pairs_stay_to: int
    two_pairs_split_from: int
    two_pairs_split_with: int
    pair_stays_from: int


class Settings(NamedTuple):
    """The sets of hands."""

    marks: Marks
    rules: NDArray[np.uint8]  # the deciding rule of the house way; 0 for a simple strategy


class HouseHands(NamedTuple):
    """The house in a proof: its set of every hand of a deck."""

    deck: Deck
    hands: Sets  # one per suit pattern
    usual: Settings  # the sets of these
    eligible: NDArray[np.bool_]  # whether the house is eligible, by low hand


def way_of(figures: HouseWay) -> Way:
    """Return the figures of the house way as ranks."""
    return Way(*(RANKS.index(getattr(figures, name)) for name in Way._fields))


def house_of(sheet: PaiGow, deck: Deck) -> HouseHands:
    """Set the hands of the deck by the house way."""
    hands = sets_of(deck, HAND)
    return HouseHands(deck, hands, by_house_way(deck, hands, sheet.house_way), eligible_lows(sheet))


def eligible_lows(sheet: PaiGow) -> NDArray[np.bool_]:
    """Tell for each low hand whether the house is eligible."""
    top = RANKS.index(sheet.house.not_eligible_with)
    # In a low hand without a pair, no bits are set above its first rank.
    return np.array([low >> 16 != top for low in low_strengths()])


def marks_of_all(house: HouseHands) -> Marks:
    """Return the house's marks of all hands, by number: 617 MB for the 53 cards."""
    return every_hand(house.deck, house.hands, house.usual.marks)


def every_hand(deck: Deck, hands: Sets, marks: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the marks of all hands, by number; or another number that each has."""
    table = np.empty(deck.hands, dtype=np.uint32)
    number_all(deck, hands, marks, table)
    return table


def by_house_way(deck: Deck, hands: Sets, figures: HouseWay) -> Settings:
    """Set hands by the house way."""
    return _set_all(deck, hands, _HOUSE_WAY, way_of(figures))


def by_habit(deck: Deck, hands: Sets, habit: str) -> Settings:
    """Set hands by one of `HABITS`: the best high hand first, or the best allowed low hand."""
    return _set_all(deck, hands, 1 + HABITS.index(habit), way_of(HouseWay()))


def set_rows(
    deck: Deck, rows: NDArray[np.uint8], figures: HouseWay, habit: str | None = None
) -> Marks:
    """Set a few hands on one core: by the house way, or by a simple strategy."""
    manner = _HOUSE_WAY if habit is None else 1 + HABITS.index(habit)
    return _set_rows(deck, rows, manner, way_of(figures)).marks


def _set_all(deck: Deck, hands: Sets, manner: int, way: Way) -> Settings:
    parts = spread(
        lambda first, end: _set_rows(deck, hands.rows[first:end], manner, way), len(hands.rows)
    )
    return Settings(
        np.concatenate([each.marks for each in parts]),
        np.concatenate([each.rules for each in parts]),
    )


def _set_rows(deck: Deck, rows: NDArray[np.uint8], manner: int, way: Way) -> Settings:
    found = Settings(np.empty(len(rows), dtype=np.uint32), np.empty(len(rows), dtype=np.uint8))
    _set_hands(deck.cards, rows, order(), manner, way, found.marks, found.rules)
    if (found.rules == FOULED).any():
        raise AssertionError("a hand is set so that its high hand is the weaker")
    return found


@numba.njit(cache=True, nogil=True)
def _set_hands(
    deck: NDArray[np.uint8],
    rows: NDArray[np.uint8],
    by: Order,
    manner: int,
    way: Way,
    marks: NDArray[np.uint32],
    rules: NDArray[np.uint8],
) -> None:
    cards = np.empty(7, dtype=np.int64)
    lows, highs = np.empty(SETS, dtype=np.int64), np.empty(SETS, dtype=np.int64)
    groups = np.empty((6, 8), dtype=np.int64)
    for row in range(len(rows)):
        for n in range(7):
            cards[n] = deck[rows[row, n]]
        lay(cards, by, lows, highs)
        if manner == _HOUSE_WAY:
            group(cards, groups)
            at, rules[row] = house_set(groups, way, lows, highs, by.complete)
        else:
            at, rules[row] = habitual(lows, highs, by.most_low, high_first=manner == _BEST_HIGH), 0
        marks[row] = mark(highs[at], lows[at])
        if lows[at] > by.most_low[highs[at]]:
            rules[row] = FOULED


@numba.njit(cache=True, nogil=True)
def group(cards: NDArray[np.int64], groups: NDArray[np.int64]) -> None:
    """Write the ranks held n times to row n: their number, then the ranks, highest first."""
    held = 0  # four bits for each rank
    for n in range(7):
        held += 1 << 4 * min(int(cards[n] >> 2), ACE)  # the joker is an ace
    groups[:, 0] = 0
    for place in range(ACE, -1, -1):
        size = held >> 4 * place & 15
        groups[size, 0] += 1
        if size:
            groups[size, groups[size, 0]] = place


@numba.njit(cache=True, nogil=True)
def house_set(
    groups: NDArray[np.int64],
    way: Way,
    lows: NDArray[np.int64],
    highs: NDArray[np.int64],
    complete: NDArray[np.bool_],
) -> tuple[int, int]:
    """Return the set of the house way, and the deciding rule."""
    fives, fours, threes, pairs = groups[5, 0], groups[4, 0], groups[3, 0], groups[2, 0]
    single = groups[1]
    higher = groups[2, 1]
    apart = low_class(single[1], single[2]) if single[0] >= 2 else -1
    if fives:
        king = pairs == 1 and higher == KING
        return find(lows, highs, NO_PAIRS + (KING if king else ACE)), 1
    if fours and threes:
        return find(lows, highs, NO_PAIRS + groups[3, 1]), 2
    if fours and pairs:
        return find(lows, highs, NO_PAIRS + higher), 2
    if fours:
        four, ace = groups[4, 1], single[1] == ACE
        stays = four <= way.fours_stay_to or (ace and four <= way.fours_stay_with_ace_to)
        return find(lows, highs, apart if stays else NO_PAIRS + four), 3
    if threes == 2:
        return find(lows, highs, NO_PAIRS + groups[3, 1]), 4
    if threes and pairs:
        stays = pairs == 1 and higher == TWO and single[1] == ACE and single[2] == KING
        return find(lows, highs, apart if stays else NO_PAIRS + higher), 4 if pairs == 2 else 5
    if pairs == 3:
        return find(lows, highs, NO_PAIRS + higher), 6
    if threes:
        three = groups[3, 1]
        split = find(lows, highs, NO_PAIRS + three)
        if complete[highs[split]]:
            return split, 7
        return find(lows, highs, low_class(ACE, single[1]) if three == ACE else apart), 7
    if pairs == 2:
        stays = two_pairs_stay(higher, groups[2, 2], single[1] == ACE, way)
        return find(lows, highs, apart if stays else NO_PAIRS + groups[2, 2]), 8
    best = find_complete(lows, highs, complete)
    if pairs and best >= 0:
        kept = higher >= way.pair_stays_from and single[1] == ACE and apart > lows[best]
        return find(lows, highs, apart) if kept else best, 9
    if best >= 0:
        return best, 10
    return find(lows, highs, apart if pairs else low_class(single[2], single[3])), 11


@numba.njit(cache=True, nogil=True)
def two_pairs_stay(higher: int, lower: int, ace: bool, way: Way) -> bool:
    """Rule 8: tell whether both pairs stay high."""
    if higher == ACE:
        return False
    if higher >= way.two_pairs_split_from and lower >= way.two_pairs_split_with:
        return False
    return higher <= way.two_pairs_stay_to or ace


@numba.njit(cache=True, nogil=True)
def find(lows: NDArray[np.int64], highs: NDArray[np.int64], low: int) -> int:
    """Rule 12: of the sets with this low hand, return the one with the best high hand."""
    best = -1
    for at in range(SETS):
        if lows[at] == low and (best < 0 or highs[at] > highs[best]):
            best = at
    return best


@numba.njit(cache=True, nogil=True)
def find_complete(
    lows: NDArray[np.int64], highs: NDArray[np.int64], complete: NDArray[np.bool_]
) -> int:
    """Return the set with the best low hand that leaves a straight or a flush, or -1."""
    best = -1
    for at in range(SETS):
        if complete[highs[at]] and (best < 0 or (lows[at], highs[at]) > (lows[best], highs[best])):
            best = at
    return best


@numba.njit(cache=True, nogil=True)
def habitual(
    lows: NDArray[np.int64],
    highs: NDArray[np.int64],
    most_low: NDArray[np.uint8],
    high_first: bool,
) -> int:
    """Return the allowed set with the best high hand, then low hand; or the reverse."""
    best = -1
    for at in range(SETS):
        if lows[at] > most_low[highs[at]]:
            continue
        if best < 0:
            best = at
        elif high_first:
            if (highs[at], lows[at]) > (highs[best], lows[best]):
                best = at
        elif (lows[at], highs[at]) > (lows[best], highs[best]):
            best = at
    return best
