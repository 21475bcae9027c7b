"""The proof and the script agree: every order of a small deck, played through the script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from odds.renaming import sheet_of
from tapisvert.cards import STANDARD, Card
from tapisvert.engine import Table
from tapisvert.engine.events import Asked
from tapisvert.games.blackjack.odds.hands import VALUES, Counts, best_total, counts, value
from tapisvert.games.blackjack.odds.outcomes import outcomes
from tapisvert.games.blackjack.odds.play import (
    CHOICES,
    DOUBLE,
    HIT,
    SPLIT,
    STAND,
    may_double,
)
from tapisvert.games.blackjack.odds.rules import Rules, lay, rules_of
from tapisvert.games.blackjack.odds.strategy_count import count, habitual, never_insures
from tapisvert.games.blackjack.script import blackjack
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.figures import Figure, counted
from tiers import long

STAKE = 100
DECKS: dict[str, Counts] = {
    #         A  2  3  4  5  6  7  8  9  T
    "eights": (1, 0, 0, 0, 1, 0, 0, 3, 0, 5),
    "fives-and-aces": (2, 0, 0, 0, 2, 0, 0, 1, 0, 5),
    "soft-hands": (2, 0, 0, 0, 0, 1, 1, 1, 0, 5),
}


def orders(left: Counts) -> Iterator[tuple[int, ...]]:
    """Yield every order of the values of a deck: all are equally likely."""
    if not any(left):
        yield ()
    for card in range(VALUES):
        if left[card]:
            for rest in orders((*left[:card], left[card] - 1, *left[card + 1 :])):
                yield (card, *rest)


def cards_of(order: tuple[int, ...]) -> list[Card]:
    """Return, for each value, the first unused card of that value."""
    piles = {number: [card for card in STANDARD if value(card) == number] for number in order}
    return [piles[number].pop() for number in order]


def bold(rules: Rules, hand: Counts, half: bool) -> int:
    """Split and double whenever allowed, and draw to 15."""
    doubling = rules.doubling_halves if half else rules.doubling
    if not half and sum(hand) == 2 and 2 in hand:
        return SPLIT
    if may_double(sum(hand), best_total(hand), doubling):
        return DOUBLE
    return HIT if best_total(hand) < 15 else STAND


def at_the_table(sheet: Blackjack, rules: Rules, deck: list[Card]) -> tuple[tuple[int, int], int]:
    """Play one round by the script; return net result, stake, and the cards used."""
    table = Table(sheet, deck, {"hand-1": STAKE})
    script = blackjack(table, sheet)
    try:
        asked = next(script)
        while True:
            assert isinstance(asked, Asked)
            choice = "decline"
            if "hit" in {option.id for option in asked.options}:
                hand = counts([value(card) for card in table.zones[str(asked.hand)]])
                choice = CHOICES[bold(rules, hand, "split-1" in table.stakes)]
            asked = script.send(choice)
    except StopIteration:
        pass
    staked = sum(table.stakes.values())
    net = sum(line.returned_cents for line in table.lines.values()) - staked
    return (net, staked), sum(map(len, table.zones.values()))


def every_round(sheet: Blackjack, rules: Rules) -> Counter[tuple[int, int]]:
    """Count the results over the orders of the deck; orders with equal beginnings share a round."""
    ends: Counter[tuple[int, int]] = Counter()
    known: dict[tuple[int, ...], tuple[int, int]] = {}
    for order in orders(rules.deck):
        begun = next((order[:n] for n in range(4, len(order)) if order[:n] in known), None)
        if begun is None:
            end, taken = at_the_table(sheet, rules, cards_of(order))
            begun = order[:taken]
            known[begun] = end
        ends[known[begun]] += 1
    return ends


def by_counting(rules: Rules) -> Figure:
    found = []
    for up in range(VALUES):
        if rules.deck[up]:
            felt, ends = lay(rules, up)
            way = habitual(rules, up, lambda hand, half: bold(rules, hand, half))
            found.append(count(rules, way, felt, ends))
    return counted("main", "bold", *outcomes(rules, found, never_insures))


CASES = [  # in the first tier each deck once, and each rule once
    pytest.param(*case, marks=[long] if place % 4 else [])
    for place, case in enumerate(product(DECKS, ("10-11", "any", "none")))
]


@pytest.mark.parametrize(("name", "after_split"), CASES)
def test_every_order_of_a_small_deck_ends_as_counted(name: str, after_split: str) -> None:
    sheet = sheet_of(Blackjack, {"hand.double_after_split": after_split})
    rules = rules_of(sheet)._replace(deck=DECKS[name])
    ends = every_round(sheet, rules)
    rounds = sum(ends.values())
    figure = by_counting(rules)
    edge = Fraction(sum(net * times for (net, _), times in ends.items()), rounds * STAKE)
    squares = Fraction(sum(net**2 * times for (net, _), times in ends.items()), rounds * STAKE**2)
    assert figure.edge == edge
    assert figure.variance == squares - edge**2
    assert figure.staked == Fraction(sum(s * n for (_, s), n in ends.items()), rounds * STAKE)
    assert figure.hit == Fraction(sum(n for (net, _), n in ends.items() if net > 0), rounds)
