"""A strategy of rules at Blackjack: its decisions are collected, then counted exactly.

The figure is counted in whole numbers (see `count`), and so is the best play, so the difference is
exact. What single rules cost comes from values in doubles, with an error below 1e-12 each. A round
has no fixed number of cards: positions are weighed in parts of 10^15 rounds. Together the costs of
the rules are within 1e-10 of the exact cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.hands import ACES, LONE, TENS, VALUES, Counts, unpack
from tapisvert.games.blackjack.odds.linked_positions import LinkedPositions
from tapisvert.games.blackjack.odds.outcomes import outcomes, ways_to_deal
from tapisvert.games.blackjack.odds.play import CHOICES, SPLIT, Play
from tapisvert.games.blackjack.odds.rule_columns import column_of_dealt, column_of_table
from tapisvert.games.blackjack.odds.rule_positions import (
    SECOND,
    WHOLE,
    Segment,
    Table,
    UpCard,
    drawn_halves,
    facing_up,
    first_halves,
    plays,
    second_halves,
    walk,
    whole_hands,
)
from tapisvert.games.blackjack.odds.rules import Rules
from tapisvert.games.blackjack.odds.strategy_count import Counted, Strategy, best_strategy
from tapisvert.games.blackjack.odds.strategy_count import count as count_facing
from tapisvert.games.blackjack.odds.up_card import (
    BLACKJACK,
    Two,
    deals,
    hand_of,
    house_blackjacks,
    insures,
    options_of,
)
from tapisvert.odds.figures import Figure, counted
from tapisvert.odds.parallel import Progress, part, spread
from tapisvert.odds.vocabulary import Decide, Spots

INSURANCE, PLAY = "insurance", "play"
UNIT = DEALS = 10**15
INSURE, EVEN_MONEY, DECLINE = range(3)
_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "TJQK")


class RulePositions:
    """Every hand facing every up card."""

    unit = UNIT
    deals = DEALS

    def __init__(self, rules: Rules, tell: Progress) -> None:
        self._rules = rules
        shown = [up for up in range(VALUES) if rules.deck[up]]

        def work(first: int, end: int) -> list[tuple[UpCard, Counted]]:
            found = []
            for up in shown[first:end]:
                at = facing_up(rules, up)
                best = best_strategy(rules, at.facing)
                found.append((at, count_facing(rules, best, at.felt, at.ends)))
            return found

        pieces = spread(work, len(shown), tell, pieces=len(shown))
        found = [each for piece in pieces for each in piece]
        self._ups = [at for at, _ in found]
        best = counted(
            "main", "optimal", *outcomes(rules, [tallies for _, tallies in found], insures)
        )
        self.best_edge: Fraction = best.edge
        self._whole, self._first = whole_hands(rules, self._ups), first_halves(rules, self._ups)

    def play(self, name: str, decide: Decide, tell: Progress) -> Figure:
        """Ask about insurance, then about whole hands, first halves and second halves."""
        insured = self._insured(decide)

        def ask(
            table: Table, rows: NDArray[np.intp], reached: NDArray[np.int64]
        ) -> NDArray[np.int8]:
            return decide(PLAY, _spots(table, rows, reached))

        start, whole = self._played_whole(ask)
        split = [(up, two[0]) for (up, two), choice in start.items() if choice == SPLIT]
        choosing = [segment for segment in split if segment[1] != ACES]
        first = plays(self._first, walk(self._first, _begun(self._first, choosing), ask))
        tell(0.2)
        later = second_halves(self._rules, self._ups, first, choosing)
        second = plays(later, walk(later, _begun(later, choosing), ask))
        tell(0.5)

        def takes(_: Rules, up: int, two: Two) -> bool:
            return up == ACES and insured[two]

        def work(begin: int, end: int) -> list[Counted]:
            found = []
            for at in self._ups[begin:end]:
                up = at.facing.up
                strategy = Strategy(
                    up=up,
                    start={two: (each, np.inf) for (of, two), each in start.items() if of == up},
                    lone=whole[up, LONE],
                    first=_halves(first, up),
                    second=_halves(second, up),
                    adapts=False,
                    insures=takes,
                )
                found.append(count_facing(self._rules, strategy, at.felt, at.ends))
            return found

        pieces = spread(work, len(self._ups), part(tell, 0.5, 1), pieces=len(self._ups))
        found = [each for piece in pieces for each in piece]
        return counted("main", name, *outcomes(self._rules, found, takes))

    def _played_whole(
        self, ask: Callable[[Table, NDArray[np.intp], NDArray[np.int64]], NDArray[np.int8]]
    ) -> tuple[dict[tuple[int, Two], int], dict[Segment, Play]]:
        """Return the choice on every two cards, and the play of hands that are not split."""
        table = self._whole
        dealt, reached = self._dealt()
        choice = walk(table, reached, ask)
        return {key: int(choice[place]) for key, place in dealt.items()}, plays(table, choice)

    def _dealt(self) -> tuple[dict[tuple[int, Two], int], NDArray[np.int64]]:
        """Return the row of every two cards that are played, and the orders that reach it."""
        table = self._whole
        row = {
            (up, packed): place
            for place, (up, packed) in enumerate(
                zip(table.up.tolist(), table.packed.tolist(), strict=True)
            )
            if table.size[place] == 2
        }
        reached = np.zeros(len(table.size), dtype=np.int64)
        dealt = {}
        for at in self._ups:
            for two, orders in deals(self._rules, at.facing.up):
                if two != BLACKJACK:
                    place = row[at.facing.up, _packed(two)]
                    dealt[at.facing.up, two], reached[place] = place, orders
        return dealt, reached

    def survey(self, decide: Decide, tell: Progress) -> None:
        """Put the question of insurance, whose answer changes no other position."""
        self._insured(decide)
        tell(1.0)

    def linked(self, question: str, tell: Progress) -> LinkedPositions | None:
        """Return the hands to be played, for a search."""
        if question != PLAY:
            return None
        choosing = [(at.facing.up, card) for at in self._ups for card in range(1, VALUES)]
        first = {
            (at.facing.up, card): at.facing.splits[card].first
            for at in self._ups
            for card in range(1, VALUES)
        }
        later = second_halves(self._rules, self._ups, first, choosing)
        tell(1.0)
        words = {"packed", "held", "total", "soft", "pair", "cards", "up", "double"}
        return LinkedPositions(
            (self._whole, self._first, later),
            self._dealt()[1],
            column_of_table,
            words | {"half", "second"},
        )

    def _insured(self, decide: Decide) -> dict[Two, bool]:
        """Ask about insurance and even money; nothing is asked in a deck without aces."""
        at = next((each for each in self._ups if each.facing.up == ACES), None)
        if at is None:
            return {}
        rules, dealt = self._rules, [two for two, _ in deals(self._rules, ACES)]
        cards = sum(rules.deck)
        weights, values, legal = [], [], []
        for two, orders in deals(rules, ACES):
            tens, unseen = house_blackjacks(rules, ACES, two)
            ways = orders * ways_to_deal(rules, ACES, two)
            weights.append(max(1, ways * DEALS // (cards * (cards - 1) * (cards - 2))))
            theirs, natural = tens / unseen, two == BLACKJACK
            if natural:
                declined = (1 - theirs) * float(rules.blackjack_pays)
                values.append((0.0, float(rules.even_money_pays), declined))
            else:
                best = max(options_of(at.facing, two).values())
                declined = (1 - theirs) * best - theirs
                paid = (theirs * float(rules.insurance_pays) - (1 - theirs)) / 2
                values.append((declined + paid, 0.0, declined))
            legal.append((not natural, natural, True))
        hands = [hand_of(two) for two in dealt]
        spots = Spots(
            options=("insure", "even-money", "decline"),
            weights=np.array(weights, dtype=np.int64),
            hidden=1,
            values=_whole_numbers(np.array(values).T),
            legal=np.array(legal).T,
            column=lambda name: column_of_dealt(name, hands),
            position=lambda place: _cards(hand=hands[place], up=_one(ACES)),
        )
        chosen = decide(INSURANCE, spots)
        return {two: bool(each != DECLINE) for two, each in zip(dealt, chosen, strict=True)}


def _halves(found: Mapping[Segment, Play], up: int) -> tuple[Play, ...]:
    return tuple(found.get((up, card)) or drawn_halves(card) for card in range(VALUES))


def _begun(table: Table, split: list[Segment]) -> NDArray[np.int64]:
    """Return the orders with which these halves begin: their single cards."""
    wanted = set(split)
    pairs = zip(table.up.tolist(), table.start.tolist(), table.size.tolist(), strict=True)
    return np.array([size == 1 and (up, start) in wanted for up, start, size in pairs], np.int64)


def _spots(table: Table, rows: NDArray[np.intp], reached: NDArray[np.int64]) -> Spots:
    weights = np.rint(reached * table.chance[rows] * DEALS).astype(np.int64)

    @cache
    def column(name: str) -> NDArray[np.int64]:
        return column_of_table(table, rows, name)

    def position(place: int) -> Mapping[str, list[str]]:
        row = rows[place]
        zones = {"hand": unpack(int(table.packed[row])), "up": _one(int(table.up[row]))}
        if table.stage != WHOLE:  # the cards that a finished first half drew are any
            zone = "first_half" if table.stage == SECOND else "other_half"
            zones[zone] = _one(int(table.start[row]))
        return _cards(**zones)

    return Spots(
        options=CHOICES,
        weights=np.maximum(weights, 1),
        hidden=1,
        values=_whole_numbers(table.values[:, rows]),
        legal=table.legal[:, rows],
        column=column,
        position=position,
        ceiling=_whole_numbers(table.best[rows]),
    )


def _whole_numbers(values: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.rint(values * UNIT).astype(np.int64)


def _one(card: int) -> Counts:
    return tuple(int(each == card) for each in range(VALUES))


def _packed(two: Two) -> int:
    return (1 << 4 * two[0]) + (1 << 4 * two[1])


def _cards(**zones: Counts) -> dict[str, list[str]]:
    """Write cards of these values, each once."""
    used: Counter[int] = Counter()
    found: dict[str, list[str]] = {}
    for zone, hand in zones.items():
        found[zone] = []
        for card in range(VALUES):
            for _ in range(hand[card]):
                rank = _RANKS[card][used[card] // 4] if card == TENS else _RANKS[card]
                found[zone].append(rank + "cdhs"[used[card] % 4])
                used[card] += 1
    return found
