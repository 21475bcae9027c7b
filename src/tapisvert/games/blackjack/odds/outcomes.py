"""Outcomes of hands from the counts of a strategy: net result and money staked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, perm
from typing import NamedTuple

from tapisvert.games.blackjack.odds.count import CODES, FINISHES, NO_HALF, PRIMES, put_together
from tapisvert.games.blackjack.odds.dealer_outcomes import DRAWS, ENDS
from tapisvert.games.blackjack.odds.rules import Rules
from tapisvert.games.blackjack.odds.strategy_count import Counted, Insures
from tapisvert.games.blackjack.odds.up_card import BLACKJACK, Two, deals, house_blackjacks
from tapisvert.odds.figures import Outcome

HALF = Fraction(1, 2)  # price of insurance, as a fraction of the stake


class Result(NamedTuple):
    """The result of a hand against the house: stakes won, lost and put down."""

    won: int
    lost: int
    staked: int
    insured: bool


def outcomes(
    rules: Rules, counted: Sequence[Counted], insures: Insures
) -> tuple[int, list[Outcome]]:
    """Return the number of orders of the cards, and every outcome with its number of orders."""
    cards = sum(rules.deck)
    most = max(int(tally.most[0]) for both in counted for tally in both)
    drawn = min(most + 1 + DRAWS, cards)
    found = [*_at_the_look(rules, drawn, insures), *_played(rules, counted, cards, drawn)]
    orders = perm(cards, drawn)
    same = gcd(orders, *(each.deals for each in found))
    return orders // same, [each._replace(deals=each.deals // same) for each in found]


def result(first: int, second: int, end: int, *, insured: bool) -> Result:
    """Return the result of two codes of finished halves against an end of the house."""
    won = lost = staked = 0
    for code in (first, second):
        if code != NO_HALF:
            doubled, finish = divmod(code, FINISHES)
            stakes = 1 + doubled
            staked += stakes
            mine = finish - 1  # numbered like the house's ends: 0 is 16 or less, 1 is 17
            if finish and (end == 0 or mine > end):
                won += stakes
            elif finish == 0 or mine != end:
                lost += stakes
    return Result(won, lost, staked, insured)


def ways_to_deal(rules: Rules, up: int, two: Two) -> int:
    """Return the number of ways to draw the up card and then these two."""
    left = list(rules.deck)
    ways = 1
    for card in (up, *two):
        ways *= left[card]
        left[card] -= 1
    return ways


def _played(rules: Rules, counted: Iterable[Counted], cards: int, drawn: int) -> Iterable[Outcome]:
    """Yield the outcomes of hands that are played."""
    sums: dict[Result, list[int]] = defaultdict(lambda: [0] * len(PRIMES))
    for both in counted:
        for insured, tally in enumerate(both):
            for first in range(CODES):
                for second in range(CODES + 1):
                    for end in range(ENDS):
                        chances = tally.chances[first, second, end]
                        if chances.any():
                            total = sums[result(first, second, end, insured=bool(insured))]
                            for n, chance in enumerate(chances):
                                total[n] += int(chance)
    for each, remainders in sorted(sums.items()):
        net = each.won * rules.pays - each.lost - HALF * each.insured
        staked = each.staked + HALF * each.insured
        yield Outcome(_name(each), put_together(remainders, cards, drawn), net, staked)


def _at_the_look(rules: Rules, drawn: int, insures: Insures) -> Iterable[Outcome]:
    """Yield the outcomes that need no play: blackjacks on either side."""
    cards = sum(rules.deck)
    for up in range(len(rules.deck)):
        if not rules.deck[up]:
            continue
        for two, orders in deals(rules, up):
            ways = orders * ways_to_deal(rules, up, two) * perm(cards - 4, drawn - 4)
            theirs, unseen = house_blackjacks(rules, up, two)
            taken = insures(rules, up, two)
            if two != BLACKJACK:
                paid = HALF * taken * rules.insurance_pays
                name = "house-blackjack-insured" if taken else "house-blackjack"
                yield Outcome(name, ways * theirs, paid - 1, 1 + HALF * taken)
            elif taken:
                yield Outcome("even-money", ways * unseen, rules.even_money_pays)
            else:
                yield Outcome("house-blackjack-tie", ways * theirs, Fraction(0))
                yield Outcome("blackjack", ways * (unseen - theirs), rules.blackjack_pays)


def _name(each: Result) -> str:
    parts = [f"won-{each.won}"] * (each.won > 0) + [f"lost-{each.lost}"] * (each.lost > 0)
    return "-".join(parts or ["tie"]) + "-insured" * each.insured
