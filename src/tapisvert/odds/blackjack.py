"""Blackjack Royal Poker, proved: the hands and the side bet, by the sheet the table plays by."""

from __future__ import annotations

from functools import partial

from msgspec import structs

from tapisvert.odds.blackjack_count import (
    blank_tally,
    count_lone,
    count_split,
    weigh,
)
from tapisvert.odds.blackjack_facing import (
    BLACKJACK,
    Facing,
    best_of,
    deals,
    face,
    hand_of,
    insures,
    options_of,
)
from tapisvert.odds.blackjack_felt import Rules, rules_of
from tapisvert.odds.blackjack_hands import ACES, LONE, VALUES, hand_numbers, hands, places
from tapisvert.odds.blackjack_play import SPLIT, blank_play
from tapisvert.odds.blackjack_results import Counted, outcomes
from tapisvert.odds.cores import Tell, silent, spread
from tapisvert.odds.figures import Figure, counted
from tapisvert.sheets import Blackjack


def prove(sheet: Blackjack, tell: Tell = silent) -> list[Figure]:
    """Prove the hands."""
    optimal = best_play(rules_of(sheet), tell)
    return [optimal, structs.replace(optimal, strategy="each-hand-alone")]


def best_play(rules: Rules, tell: Tell = silent) -> Figure:
    """Count every end of the best play of one hand."""
    def work(first, end):
        return [count(rules, face(rules, up)) for up in range(first, end)]
    found = spread(work, VALUES, tell, pieces=VALUES)
    ups = [x for part in found for x in part]
    global LAST
    LAST = ups
    return counted("main", "optimal", *outcomes(rules, ups))


def count(rules: Rules, facing: Facing) -> Counted:
    """Count every end of the best play facing one up card."""
    weights = weigh(rules.deck, facing.up, facing.felt, places().packed, facing.ends)
    tallies = Counted(blank_tally(), blank_tally())
    for two, orders in deals(rules, facing.up):
        if two == BLACKJACK:
            continue
        tally = tallies[insures(rules, facing.up, two)]
        choice, margin = best_of(options_of(facing, two))
        tally.closest[0] = min(tally.closest[0], margin)
        if choice == SPLIT:
            every = hands(two[0])
            count_split(every, facing.felt, facing.splits[two[0]].first, blank_play(every.live),
                rules.doubling_halves, two[0] == ACES, True, weights, tally)
        else:
            start = hand_numbers(LONE)[hand_of(two)]
            count_lone(hands(LONE), start, orders, facing.felt, facing.lone, weights, tally)
    return tallies
