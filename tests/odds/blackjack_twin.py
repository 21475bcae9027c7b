"""A reference implementation of the proof: the whole game tree of a small deck, by brute force.

It deals the cards in order, without shortcuts: the hole card is dealt before the player draws, and
a node of the tree keeps, for every hole card, how many orders of the deck begin with it and all
that was drawn. The halves of a split are one game, played for their sum; the house draws last, from
what is then left. Cards are numbers from 0 (ace) to 9 (ten), decks are counts of them, money is
counted in sixtieths of the stake.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import factorial
from typing import NamedTuple

from tapisvert.games.blackjack.odds.rules import Rules

Deck = tuple[int, ...]
Hand = tuple[int, ...]
Done = tuple[tuple[int, int], ...]  # the finished halves: total (0 if bust) and stakes
Ends = dict[tuple[int, int], int]  # the orders that end with each net result and money staked
Habit = Callable[[Hand, bool], str]  # a hand, and whether it is half of a split -> the option
UNIT = 60
HALF = UNIT // 2


class Node(NamedTuple):
    """A state of the deal: for each hole card, the number of orders of the deck that lead here."""

    orders: tuple[int, ...]
    unseen: Deck  # the hole card among them


class Worth(NamedTuple):
    """The value of a node, summed over its orders, and the results."""

    net: int
    ends: Ends


def total(hand: Hand) -> tuple[int, bool]:
    """Return the best total, and whether an ace counts 11 in it."""
    low = sum(card + 1 for card in hand)
    return (low + 10, True) if 0 in hand and low + 10 <= 21 else (low, False)


def without(deck: Deck, card: int) -> Deck:
    """Remove one card."""
    assert deck[card] > 0
    return (*deck[:card], deck[card] - 1, *deck[card + 1 :])


def is_blackjack(hand: Hand) -> bool:
    """Tell whether two cards are an ace and a ten."""
    return sorted(hand) == [0, 9]


def together(worths: Iterable[Worth]) -> Worth:
    """Add the branches of a chance node."""
    net, ends = 0, defaultdict[tuple[int, int], int](int)
    for worth in worths:
        net += worth.net
        for end, orders in worth.ends.items():
            ends[end] += orders
    return Worth(net, dict(ends))


def ended(orders: int, net: int, staked: int = UNIT) -> Worth:
    """Make a leaf."""
    return Worth(orders * net, {(net, staked): orders})


def draw(node: Node) -> Iterator[tuple[int, Node]]:
    """Deal the next card, which is not the hole card."""
    pile = sum(node.unseen) - 1
    assert pile > 0, "the deck is too small for this game"
    for card, held in enumerate(node.unseen):
        # Of the orders that lead here, those that go on with one of these cards.
        orders = tuple(
            orders * (held - (hole == card)) // pile for hole, orders in enumerate(node.orders)
        )
        if any(orders):
            yield card, Node(orders, without(node.unseen, card))


def units(pays: Fraction) -> int:
    """Convert odds to sixtieths."""
    assert (pays * UNIT).denominator == 1
    return int(pays * UNIT)


class Twin:
    """The game by one set of rules, its deck among them."""

    def __init__(self, rules: Rules, habit: Habit | None = None) -> None:
        self.rules, self.habit = rules, habit
        self.house = cache(self._house)
        self.play = cache(self._play)

    def whole_game(self) -> Worth:
        """Deal every up card and every two cards, and play them: optimally, or by a simple
        strategy.
        """
        branches = []
        for up in range(10):
            for first in range(10):
                for second in range(10):
                    ways, left = 1, self.rules.deck
                    for card in (up, first, second):
                        ways *= left[card]
                        left = without(left, card) if left[card] else left
                    if ways:
                        branches.append(self.deal(ways, up, (first, second), left))
        return together(branches)

    def deal(self, ways: int, up: int, hand: Hand, left: Deck) -> Worth:
        """Offer insurance or even money, let the house look, and play."""
        holes = [ways * held * factorial(sum(left) - 1) for held in left]
        theirs = sum(orders for hole, orders in enumerate(holes) if is_blackjack((up, hole)))
        quiet = tuple(0 if is_blackjack((up, hole)) else n for hole, n in enumerate(holes))
        if is_blackjack(hand):
            paid = ended(sum(quiet), units(self.rules.blackjack_pays))
            declined = together([ended(theirs, 0), paid])
            taken = ended(sum(holes), units(self.rules.even_money_pays))
        else:
            played = self.play(up, Node(quiet, left), (), hand, None, False)
            declined = together([ended(theirs, -UNIT), played])
            pays = units(self.rules.insurance_pays) // 2
            shifted = {(net - HALF, staked + HALF): n for (net, staked), n in played.ends.items()}
            lost = Worth(played.net - HALF * sum(quiet), shifted)
            taken = together([ended(theirs, pays - UNIT, UNIT + HALF), lost])
        better = self.habit is None and taken.net > declined.net
        return taken if up == 0 and better else declined

    def offered(self, hand: Hand, half: bool) -> list[str]:
        """List the options of a hand."""
        points, soft = total(hand)
        if points == 21 and not soft:
            return ["stand"]
        doubling = self.rules.doubling_halves if half else self.rules.doubling
        names = ["stand", "hit"]
        if len(hand) == 2 and (doubling == 2 or (doubling == 1 and points in (10, 11))):
            names.append("double")
        if len(hand) == 2 and hand[0] == hand[1] and not half:
            names.append("split")
        return names

    def option(
        self,
        name: str,
        up: int,
        node: Node,
        done: Done,
        hand: Hand,
        waiting: int | None,
        half: bool,
    ) -> Worth:
        """Take one option of a hand; `waiting` is the first card of a half still to come."""
        if name == "stand":
            return self.go_on(up, node, (*done, (total(hand)[0], 1)), waiting)
        if name == "split":
            return self.next_half(up, node, (), hand[0], hand[0])
        branches = []
        for card, after in draw(node):
            more = (*hand, card)
            points = total(more)[0]
            if name == "hit" and points <= 21:
                branch = self.play(up, after, done, tuple(sorted(more)), waiting, half)
            else:
                finished = (points if points <= 21 else 0, 2 if name == "double" else 1)
                branch = self.go_on(up, after, (*done, finished), waiting)
            branches.append(branch)
        return together(branches)

    def _play(
        self, up: int, node: Node, done: Done, hand: Hand, waiting: int | None, half: bool
    ) -> Worth:
        names = self.offered(hand, half)
        if self.habit is not None and len(names) > 1:
            names = [self.habit(hand, half)]
        worths = [self.option(name, up, node, done, hand, waiting, half) for name in names]
        return max(worths, key=lambda worth: worth.net)  # the first of the best

    def next_half(self, up: int, node: Node, done: Done, card: int, waiting: int | None) -> Worth:
        """Give a half its card; aces then stand."""
        branches = []
        for more, after in draw(node):
            hand = (min(card, more), max(card, more))
            if card == 0:
                branches.append(self.go_on(up, after, (*done, (total(hand)[0], 1)), waiting))
            else:
                branches.append(self.play(up, after, done, hand, waiting, True))
        return together(branches)

    def go_on(self, up: int, node: Node, done: Done, waiting: int | None) -> Worth:
        """Play the half that waits, or let the house play."""
        if waiting is not None:
            return self.next_half(up, node, done, waiting, None)
        branches = []
        for hole, orders in enumerate(node.orders):
            if orders:
                pile = without(node.unseen, hole)
                each = orders // factorial(sum(pile))
                for theirs, times in self.house((up, hole), pile).items():
                    branches.append(self.settle(each * times, theirs, done))
        return together(branches)

    def settle(self, orders: int, theirs: int, done: Done) -> Worth:
        """Compare every half with the house."""
        net = 0
        for mine, stakes in done:
            if mine == 0 or (theirs <= 21 and mine < theirs):
                net -= stakes * UNIT
            elif theirs > 21 or mine > theirs:
                net += stakes * units(self.rules.pays)
        return ended(orders, net, UNIT * sum(stakes for _, stakes in done))

    def _house(self, hand: Hand, pile: Deck) -> dict[int, int]:
        """Return the number of orders of the deck that end the house's hand at each total, 22:
        bust.
        """
        points, soft = total(hand)
        if points > 17 or (points == 17 and not (soft and self.rules.hits_soft_17)):
            return {min(points, 22): factorial(sum(pile))}
        assert sum(pile), "the deck is too small for this game"
        found: dict[int, int] = defaultdict(int)
        for card, held in enumerate(pile):
            if held:
                more = tuple(sorted((*hand, card)))
                for end, orders in self.house(more, without(pile, card)).items():
                    found[end] += orders * held
        return dict(found)
