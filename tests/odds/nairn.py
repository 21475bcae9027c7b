"""J. Nairn's single-deck Blackjack: his drawing rules, and his average, on our house's totals.

Two cards are played by the best of their values. Hands of three or more cards, and halves of a
split, follow a fixed table (Hand.cpp of github.com/nairnj/Blackjack). His average over the
player's cards takes the chance of a house blackjack from the up card alone (main.cpp).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from tapisvert.games.blackjack.odds.hands import (
    ACES,
    NO_CARDS,
    TENS,
    VALUES,
    Counts,
    best_total,
    counts,
    high_key,
    low_key,
    places,
    points,
    with_card,
)
from tapisvert.games.blackjack.odds.outcomes import ways_to_deal
from tapisvert.games.blackjack.odds.play import may_double
from tapisvert.games.blackjack.odds.rules import Rules, lay
from tapisvert.games.blackjack.odds.up_card import BLACKJACK, deals, hand_of, house_blackjacks

Value = Callable[[Counts, Counts], float]  # of a hand, with cards beside it


def draws(rules: Rules, up: int, hand: Counts) -> bool:
    """Tell whether his table draws to a hand; the up card is 0 for an ace to 9 for a ten."""
    shown, total = up + 1, best_total(hand)
    if total > points(hand):
        stands_on = 19 if shown in (9, 10) or (up == ACES and rules.hits_soft_17) else 18
        return total < stands_on
    if shown == 10 and total == 16 and sum(hand) > 2:
        return False
    return total < (13 if shown in (2, 3) else 12 if shown in (4, 5, 6) else 17)


def two_card_rule(rules: Rules, up: int, hand: Counts) -> bool | None:
    """Tell whether his exceptions draw to two cards; None: no exception."""

    def of(*cards: int) -> bool:
        return hand == counts([card - 1 for card in cards])

    if up == 2 and (of(8, 4) or of(7, 5) or of(6, 6)):
        return False
    if (up == 3 and of(10, 2)) or (not rules.hits_soft_17 and up == 5 and of(10, 2)):
        return True
    if up == TENS and of(7, 7):
        return False
    return True if up == 1 and of(10, 3) and not rules.hits_soft_17 else None


class Facing(NamedTuple):
    """His values facing one up card, all for a house without a blackjack."""

    stand: Value
    hit: Value
    double: Value
    half: Callable[[int], float]  # by value split; both halves have the same mean


def facing(rules: Rules, up: int) -> Facing:
    """Return the values facing an up card."""
    felt, _ = lay(rules, up)

    @cache
    def stand(hand: Counts, beside: Counts) -> float:
        if points(hand) > 21:
            return -1.0
        taken = tuple(map(sum, zip(hand, beside, strict=True)))
        place = places().row[low_key(taken)] + places().column[high_key(taken)]
        return float(felt.values[place, max(best_total(hand) - 16, 0)])

    def after_one(hand: Counts, beside: Counts, then: Value) -> float:
        left = [int(felt.deck[n]) - hand[n] - beside[n] for n in range(VALUES)]
        cards, barred = sum(left), left[felt.bar] if felt.bar >= 0 else 0
        worth = 0.0
        for card, held in enumerate(left):
            if held:
                holes = cards - 1 - barred + (card == felt.bar)
                chance = held * holes / ((cards - 1) * (cards - barred))
                worth += chance * then(with_card(hand, card), beside)
        return worth

    @cache
    def by_table(hand: Counts, beside: Counts) -> float:
        if points(hand) < 21 and draws(rules, up, hand):
            return after_one(hand, beside, by_table)
        return stand(hand, beside)

    def double(hand: Counts, beside: Counts) -> float:
        return 2 * after_one(hand, beside, stand)

    def two_of_half(hand: Counts, beside: Counts) -> float:
        total = best_total(hand)
        if may_double(2, total, rules.doubling_halves) and _doubles(rules, up, hand):
            return double(hand, beside)
        said = two_card_rule(rules, up, hand)
        if said is None:
            return by_table(hand, beside)
        return after_one(hand, beside, by_table) if said else stand(hand, beside)

    def half(card: int) -> float:
        one = with_card(NO_CARDS, card)
        return after_one(one, one, stand if card == ACES else two_of_half)

    return Facing(stand, lambda hand, beside: after_one(hand, beside, by_table), double, half)


def _doubles(rules: Rules, up: int, hand: Counts) -> bool:
    """Tell whether his table doubles two cards of a half."""
    shown, total = up + 1, best_total(hand)
    if total > points(hand):
        lowest, highest = {2: (17, 17), 3: (17, 18), 4: (13, 18), 5: (12, 18), 6: (12, 19)}.get(
            shown, (0, 0)
        )
        return lowest <= total <= highest
    if hand == counts([5, 1]) and (shown == 6 or (shown == 5 and not rules.hits_soft_17)):
        return False
    least = {2: 9, 3: 9, 4: 9, 5: 8, 6: 8, 7: 10, 8: 10, 9: 10}.get(shown, 11)
    return least <= total <= 11


def average(rules: Rules, *, splits: bool = True, slip: bool = True) -> float:
    """Return the player's mean in percent; with `slip`, averaged as he does."""
    total, cards = 0.0, sum(rules.deck)
    for up in range(VALUES):
        at = facing(rules, up)
        mean = naturals = 0.0
        for two, orders in deals(rules, up):
            hand, natural = hand_of(two), two == BLACKJACK
            theirs, unseen = house_blackjacks(rules, up, two)
            ways = orders * ways_to_deal(rules, up, two) / (rules.deck[up] * 51 * 50)
            options = [at.stand(hand, NO_CARDS), at.hit(hand, NO_CARDS)]
            if may_double(2, best_total(hand), rules.doubling):
                options.append(at.double(hand, NO_CARDS))
            if splits and two[0] == two[1]:
                options.append(2 * at.half(two[0]))
            won = 1.5 if natural else max(options)
            lost = 0 if natural else theirs / unseen
            mean += ways * (won if slip else (1 - theirs / unseen) * won - lost)
            naturals += ways * natural
        if slip and up in (ACES, TENS):
            chance = rules.deck[ACES if up == TENS else TENS] / (cards - 1)
            mean = (1 - chance) * mean - (1 - naturals) * chance
        total += rules.deck[up] / cards * mean
    return 100 * total
