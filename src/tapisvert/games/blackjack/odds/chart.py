"""The best play as a chart of totals, and the hands whose best play differs from it."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from msgspec import Struct

from tapisvert.games.blackjack.odds.hands import (
    LONE,
    VALUES,
    Counts,
    best_total,
    hand_numbers,
    hands,
    points,
    unpack,
)
from tapisvert.games.blackjack.odds.outcomes import ways_to_deal
from tapisvert.games.blackjack.odds.play import (
    CHOICES,
    DOUBLE,
    HIT,
    SPLIT,
    STAND,
    may_double,
)
from tapisvert.games.blackjack.odds.rules import Rules, lay, rules_of
from tapisvert.games.blackjack.odds.up_card import (
    BLACKJACK,
    Facing,
    best_of,
    deals,
    face,
    hand_of,
    house_blackjacks,
    options_of,
)
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.parallel import Progress, no_progress, spread

NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")
Rows = dict[str, dict[str, str]]  # the choice by kind of hand and up card


class Odd(Struct, frozen=True):
    """A hand whose best play differs from its row, and the gain as a fraction of the stake."""

    hand: str
    up: str
    row: str
    chart: str
    best: str
    better_by: float


class Chart(Struct, frozen=True):
    """The best choice for each kind of two cards and each up card, and the exceptions."""

    rows: Rows
    odd: list[Odd]


def chart(sheet: Blackjack, tell: Progress = no_progress) -> Chart:
    """Draw the chart of a sheet.

    The row of a total has the best choice on average over its two-card hands, weighted as dealt;
    the row of a pair is exact. Longer hands that the best play reaches are compared with the rows
    too.
    """
    rules = rules_of(sheet)
    ups = spread(lambda up, _: facing(rules, up), VALUES, tell, pieces=VALUES)
    rows: Rows = defaultdict(dict)
    for each in ups:
        for row, choice in chart_rows(rules, each).items():
            rows[row][NAMES[each.up]] = CHOICES[choice]
    odd = [one for each in ups for one in odd_hands(rules, each)]
    return Chart(rows=dict(sorted(rows.items(), key=_row_order)), odd=odd)


def facing(rules: Rules, up: int) -> Facing:
    """Find the best play facing an up card, in buffers of its own."""
    return face(rules, up, lay(rules, up)[0])


def chart_rows(rules: Rules, facing: Facing) -> dict[str, int]:
    """Return the best choice for each row facing one up card."""
    means: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for two, orders in deals(rules, facing.up):
        if two != BLACKJACK:
            theirs, unseen = house_blackjacks(rules, facing.up, two)
            weight = orders * ways_to_deal(rules, facing.up, two) * (unseen - theirs)
            for choice, value in options_of(facing, two).items():
                means[row_of(hand_of(two))][choice] += weight * value
    return {row: best_of(options)[0] for row, options in means.items()}


@cache
def row_of(hand: Counts, *, pairs: bool = True) -> str:
    """Return the row of a hand; if two cards cannot be split, rows of pairs are excluded.

    >>> from tapisvert.games.blackjack.odds.hands import counts
    >>> row_of(counts([9, 5])), row_of(counts([0, 5])), row_of(counts([7, 7]))
    ('hard-16', 'soft-17', 'pair-8')
    """
    if pairs and sum(hand) == 2 and 2 in hand:
        return f"pair-{NAMES[hand.index(2)]}"
    total = best_total(hand)
    return f"{'hard' if total == points(hand) else 'soft'}-{total}"


def write_values(hand: Counts) -> str:
    """Format the values of a hand.

    >>> write_values((1, 0, 0, 0, 0, 2, 0, 0, 0, 0))
    'A 6 6'
    """
    return " ".join(NAMES[card] for card in range(VALUES) for _ in range(hand[card]))


def by_chart(rows: dict[str, int], hand: Counts, doubling: int, *, half: bool = False) -> int:
    """Return the choices that the rows of one up card give for any hand of two or more cards."""
    total = best_total(hand)
    # A total that only pairs make has no row; it is so low or high that the choice is evident.
    choice = rows.get(row_of(hand, pairs=not half), STAND if total > 17 else HIT)
    if choice == DOUBLE and not may_double(sum(hand), total, doubling):
        return HIT
    return choice


def odd_hands(rules: Rules, facing: Facing) -> list[Odd]:
    """Return the hands the best play reaches and plays otherwise than their row."""
    rows = chart_rows(rules, facing)
    found: list[Odd] = []
    for hand in _reached(rules, facing):
        number = hand_numbers(LONE)[hand]
        options = {choice: float(value) for choice, value in enumerate(facing.lone.options[number])}
        best, said = int(facing.lone.choice[number]), by_chart(rows, hand, rules.doubling)
        if best != said and SPLIT not in (best, said):
            found.append(
                Odd(
                    hand=write_values(hand),
                    up=NAMES[facing.up],
                    row=row_of(hand),
                    chart=CHOICES[said],
                    best=CHOICES[best],
                    better_by=options[best] - options[said],
                )
            )
    return found


def _reached(rules: Rules, facing: Facing) -> list[Counts]:
    """Return the unsplit hands that the best play reaches and that still have a choice."""
    every, left = hands(LONE), rules.deck
    reached = set()
    for two, _ in deals(rules, facing.up):
        if two != BLACKJACK and best_of(options_of(facing, two))[0] != SPLIT:
            reached.add(hand_numbers(LONE)[hand_of(two)])
    for number in range(every.live):  # by size: larger hands are reached from smaller ones
        if number in reached and facing.lone.choice[number] == HIT:
            hand = unpack(int(every.packed[number]))
            reached |= {
                int(every.next[number, card])
                for card in range(VALUES)
                if hand[card] + (card == facing.up) < left[card]
            }
    live = sorted(number for number in reached if number < every.live)
    return [unpack(int(every.packed[n])) for n in live if every.hard[n] < 21]


def _row_order(row: tuple[str, object]) -> tuple[int, int]:
    kind, _, number = row[0].partition("-")
    order = NAMES.index(number) if kind == "pair" else int(number)
    return ("hard", "soft", "pair").index(kind), order
