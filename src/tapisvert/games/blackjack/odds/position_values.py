"""The value of each option of a hand on the table, given every visible card.

Values are mean net results in units of the hand's stake, both halves of a split together, with best
play from there on; the error is below 1e-12. They assume that the house has no blackjack. Insurance
and even money are offered before the house looks: their values cover the whole hand, insurance
included, over both cases.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import STANDARD, Card
from tapisvert.games.blackjack.odds.hands import (
    ACES,
    DECK,
    LONE,
    TENS,
    Counts,
    best_total,
    counts,
    hand_numbers,
    hands,
    high_key,
    low_key,
    pack,
    places,
    points,
    value,
)
from tapisvert.games.blackjack.odds.play import (
    CHOICES,
    NIBBLES,
    NOWHERE,
    Beside,
    Felt,
    Play,
    blank_play,
    guard_of,
    play_hands,
)
from tapisvert.games.blackjack.odds.rules import Rules, lay, left_of, room, rules_of
from tapisvert.games.blackjack.odds.split import mark_places, play_first, play_second, reach
from tapisvert.games.blackjack.odds.up_card import BLACKJACK, NO_HALF_LATER, NOTHING_BESIDE, hand_of
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.parallel import spread

LAST_DRAW = 20  # a hand of 21 points or more draws no card (bj.9); an ace is one point
ROUND_POINTS = 2 * (LAST_DRAW + 10) + 16 + 10  # the upper bound: both halves and the house go over
KEPT = 4096  # cached answers: by values alone, the same questions recur
PIECES = 4  # pieces of the longest work, so that an answer uses all cores
_OWN = threading.local()  # buffers that a thread reuses


class Position(TypedDict):
    """A hand on the table.

    `seen` are all other known cards: of another hand and both its halves, never the hole card.
    `other_half` is the other half of a split: a single card waits for its turn, more are finished.
    """

    hand: Sequence[Card]
    up: Card
    seen: NotRequired[Sequence[Card]]
    other_half: NotRequired[Sequence[Card]]
    other_doubled: NotRequired[bool]
    can_split: NotRequired[bool]


def options(sheet: Blackjack, position: Position) -> dict[str, float]:
    """Return the value of each option of the hand; none if it has no choice."""
    _check(position)
    hand, seen, other = (
        counts(map(value, cards))
        for cards in (position["hand"], position.get("seen", ()), position.get("other_half", ()))
    )
    stakes = 2 if position.get("other_doubled", False) else 1
    split = position.get("can_split", False)
    return dict(_options(rules_of(sheet), value(position["up"]), seen, hand, other, stakes, split))


@lru_cache(KEPT)
def _options(
    rules: Rules, up: int, seen: Counts, hand: Counts, other: Counts, stakes: int, can_split: bool
) -> dict[str, float]:
    """Value a position by the values of its cards; suits do not matter."""
    if points(hand) >= 21 or _split_aces(hand, other):
        return {}
    if sum(other) == 1:
        return _first_half(rules, up, seen, hand, other.index(1))
    if sum(other) > 1:
        return _second_half(rules, up, seen, hand, other, stakes)
    found = {}
    if hand != hand_of(BLACKJACK):
        found = _whole_hand(rules, up, seen, hand, can_split=can_split)
    if up == ACES and sum(hand) == 2:
        left = left_of(rules, up, seen) - np.array(hand)
        found |= _before_the_look(rules, float(left[TENS] / left.sum()), found)
    return found


def _check(position: Position) -> None:
    """Refuse an impossible position."""
    hand, other = position["hand"], position.get("other_half", ())
    cards = [*hand, *other, *position.get("seen", ()), position["up"]]
    if len(set(cards)) != len(cards) or not set(cards) <= set(STANDARD):
        raise ValueError("these are not cards of one deck")
    mine, theirs = counts(map(value, hand)), counts(map(value, other))
    if len(hand) < 2 or _drawn_too_far(mine) or _drawn_too_far(theirs):
        raise ValueError("these are not the cards of a hand")
    if other:
        _check_halves(mine, theirs)
    if position.get("other_doubled", False) and len(other) != 3:
        raise ValueError("a half that was doubled has three cards")
    unseen = [value(card) for card in STANDARD if card not in cards]
    seen = counts(map(value, position.get("seen", ())))
    if points(DECK) - points(seen) <= ROUND_POINTS:
        raise ValueError("too few cards are left to finish the round")
    if value(position["up"]) == ACES and set(unseen) == {TENS}:
        raise ValueError("the house can have nothing but a blackjack")


def _drawn_too_far(hand: Counts) -> bool:
    """Tell whether a hand has drawn after its end, whichever card came last."""
    highest = max((card + 1 for card in range(len(hand)) if hand[card]), default=0)
    return points(hand) - highest > LAST_DRAW


def _check_halves(mine: Counts, other: Counts) -> None:
    """Refuse impossible halves: halves of a split begin with cards of equal value (bj.11)."""
    if not any(each and their for each, their in zip(mine, other, strict=True)):
        raise ValueError("halves begin with cards of the same value")
    if _split_aces(mine, other) and max(sum(mine), sum(other)) > 2:
        raise ValueError("split aces get one card each")


def _split_aces(mine: Counts, other: Counts) -> bool:
    """Tell whether only aces can have been split: one card each, and they stand (bj.11)."""
    return [card for card in range(len(mine)) if mine[card] and other[card]] == [ACES]


def _lay(rules: Rules, up: int, seen: Counts, asked: NDArray[np.int64], *, pieces: int = 1) -> Felt:
    """Prepare the `Felt` of one question in buffers that this thread reuses.

    Allocating new memory would take as long as the counting.
    """
    if not hasattr(_OWN, "room"):
        _OWN.room = room()
    return lay(rules, up, seen, asked, pieces, _OWN.room)[0]


def _whole_hand(
    rules: Rules, up: int, seen: Counts, hand: Counts, *, can_split: bool
) -> dict[str, float]:
    """Value the options of an unsplit hand."""
    felt = _lay(rules, up, seen, _alone(guard_of(left_of(rules, up, seen)), NOTHING_BESIDE))
    found = _played(felt, hand, NOTHING_BESIDE, rules.doubling)
    if can_split and sum(hand) == 2 and 2 in hand:
        _, play = _split(rules, up, seen, hand.index(2), 0)
        found["split"] = float(play.best[0])
    return found


def _first_half(rules: Rules, up: int, seen: Counts, hand: Counts, card: int) -> dict[str, float]:
    """Value the options of the first half while the other half waits with one card."""
    number = hand_numbers(card)[hand]
    later, play = _split(rules, up, seen, card, number)
    found = _offered(play.options[number])
    return found | {"stand": found["stand"] + float(later[number])}


def _split(
    rules: Rules, up: int, seen: Counts, card: int, number: int
) -> tuple[NDArray[np.float64], Play]:
    """Solve both halves from this hand on; also return the value of the second."""
    every, doubling, aces = hands(card), rules.doubling_halves, card == ACES
    wanted = reach(every, number)
    if aces:
        wanted = wanted[every.size[wanted] <= 2]
    felt = _lay_for_halves(rules, up, seen, card, wanted)
    later, play = np.zeros(len(every.packed)), blank_play(every.live)

    def work(first: int, end: int) -> None:
        play_second(every, wanted[first:end], felt, doubling, aces, later)

    spread(work, len(wanted), pieces=PIECES)
    play_first(every, felt, later, doubling, aces, play)
    return later, play


def _lay_for_halves(
    rules: Rules, up: int, seen: Counts, card: int, wanted: NDArray[np.int64]
) -> Felt:
    """Prepare the `Felt` with the places of all cards both halves can draw."""
    guard = guard_of(left_of(rules, up, seen))
    if wanted[0] == 0:  # from the split on: all sets that halves can draw from this deck
        asked = _all_of_halves(card)
        asked = asked[(guard - places().packed[asked]) & NIBBLES == NIBBLES]
    else:
        asked = _marked(card, wanted, guard)
    return _lay(rules, up, seen, asked, pieces=PIECES)


@cache
def _all_of_halves(card: int) -> NDArray[np.int64]:
    """Return the places of all sets that halves of these cards can draw from a full deck."""
    wanted = reach(hands(card), 0)
    if card == ACES:
        wanted = wanted[hands(card).size[wanted] <= 2]
    return _marked(card, wanted, guard_of(np.array(DECK)))


def _marked(card: int, wanted: NDArray[np.int64], guard: int) -> NDArray[np.int64]:
    marked = np.zeros(len(places().packed), dtype=np.bool_)
    mark_places(hands(card), wanted, guard, places(), marked)
    return np.flatnonzero(marked)


def _second_half(
    rules: Rules, up: int, seen: Counts, hand: Counts, first: Counts, stakes: int
) -> dict[str, float]:
    """Value the options of the second half, including the result of the finished first half."""
    beside = Beside(pack(first), low_key(first), high_key(first), sum(first))
    felt = _lay(rules, up, seen, _alone(guard_of(left_of(rules, up, seen)), beside))
    finished = -1.0
    if points(first) <= 21:
        both = tuple(mine + theirs for mine, theirs in zip(hand, first, strict=True))
        place = felt.row[low_key(both)] + felt.column[high_key(both)]
        finished = float(felt.values[place, max(best_total(first) - 16, 0)])
    found = _played(felt, hand, beside, rules.doubling_halves)
    return {choice: worth + stakes * finished for choice, worth in found.items()}


def _before_the_look(rules: Rules, theirs: float, found: dict[str, float]) -> dict[str, float]:
    """Value insurance, or even money if the hand is a blackjack (bj.6)."""
    if not found:
        declined = (1 - theirs) * float(rules.blackjack_pays)
        return {"even-money": float(rules.even_money_pays), "decline": declined}
    declined = (1 - theirs) * max(found.values()) - theirs
    insurance = (theirs * float(rules.insurance_pays) - (1 - theirs)) / 2
    return {"insure": declined + insurance, "decline": declined}


def _played(felt: Felt, hand: Counts, beside: Beside, doubling: int) -> dict[str, float]:
    every = hands(LONE)
    play = blank_play(every.live)
    play_hands(every, beside, felt, NO_HALF_LATER, doubling, False, play)
    return _offered(play.options[hand_numbers(LONE)[hand]])


def _offered(worth: NDArray[np.float64]) -> dict[str, float]:
    return {name: float(each) for name, each in zip(CHOICES, worth, strict=False) if each > NOWHERE}


def _alone(guard: int, beside: Beside) -> NDArray[np.int64]:
    """Return the places of every hand with these cards beside it."""
    every, spots = hands(LONE), places()
    taken = every.packed[: every.live] + beside.packed
    fits = np.flatnonzero((guard - taken) & NIBBLES == NIBBLES)
    found: NDArray[np.int64] = (
        spots.row[every.low[fits] + beside.low] + spots.column[every.high[fits] + beside.high]
    )
    return found
