"""Ultimate Texas Hold'em: all boards summed and counted once, and checked in every known way.

It is one file, so that a run of the tests computes the sums over all boards once.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import NamedTuple

import msgspec
import numpy as np
import pytest
from msgspec import structs
from numpy.typing import NDArray

from odds.oracle_ultimate import on_flop
from odds.renaming import RENAMINGS, renamed, sheet_of
from tapisvert.cards import STANDARD, parse_hand, rank, suit
from tapisvert.games.ultimate.odds.chart import starts
from tapisvert.games.ultimate.odds.flops import flops
from tapisvert.games.ultimate.odds.play import (
    Strategy,
    Worths,
    before_flop,
    best_after_flop,
    best_before_flop,
    habits,
)
from tapisvert.games.ultimate.odds.proof import ENDS, figure, outcomes, trips
from tapisvert.games.ultimate.odds.sums import (
    FIXED,
    PER_ANTE,
    RIVER,
    Sums,
    prices,
    sums,
)
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.lab import chart_store, proof_store
from tapisvert.odds.figures import Figure
from tapisvert.ranking.standard import CATEGORIES

SHEET = sheet_of(Ultimate)
BOARD_DEALS = comb(52, 2) * comb(50, 5) * comb(45, 2)
FLOP_DEALS = 10 * BOARD_DEALS  # with turn and river distinct from the flop
# Every best five of seven cards, by category: textbook figures, typed out.
SEVEN = dict(
    zip(
        CATEGORIES,
        (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324),
        strict=True,
    )
)
# What to raise before the flop, as it is printed for the common game, which is ours: any ace;
# the lowest second card beside a king, queen or jack, in one suit and in two; pairs from threes.
SUITED = {"K": "2", "Q": "6", "J": "8"}
MIXED = {"K": "5", "Q": "8", "J": "T"}
FLOPS = [  # the player's two cards, and three flops no random deal is likely to bring
    ("Ah Kh", "Qh Jh Th"),
    ("2c 7d", "Ah Ad As"),
    ("9c 9d", "9h 9s 2c"),
    ("6s 5s", "4s 3s Kh"),
    ("Kd 2c", "Kh Ks Kc"),
]


class Proved(NamedTuple):
    """All counts for the shipped sheet."""

    sums: Sums
    on_flop: Sums  # the worth of the best choice there
    worths: Worths
    strategies: dict[str, Strategy]
    ended: NDArray[np.int64]
    shown: dict[str, int]
    figures: dict[str, Figure]


@pytest.fixture(scope="module")
def proved() -> Proved:
    """Sum and count all boards, as `prove` does."""
    found = sums(SHEET)
    after, best = best_after_flop(SHEET, found)
    worths = before_flop(found, best)
    optimal = Strategy(best_before_flop(SHEET, worths), after, always_at_river=False)
    # Of the habits one that goes to the end; the others are summed below.
    strategies = {"optimal": optimal, "never-fold": habits(SHEET)["never-fold"]}
    ended, shown = outcomes(SHEET, strategies)
    figures = {name: figure(SHEET, name, ended[n]) for n, name in enumerate(strategies)}
    counts = dict(zip(ENDS, shown.tolist(), strict=True))
    return Proved(found, best, worths, strategies, ended, counts, figures)


@pytest.fixture(scope="module")
def stands() -> dict[tuple[int, ...], int]:
    """Return the row of each flop that represents its pattern."""
    return {tuple(sorted(cards)): row for row, cards in enumerate(flops().patterns.tolist())}


def column(pair: tuple[int, ...]) -> int:
    return comb(max(pair), 2) + min(pair)


def random_flops(seed: int, count: int) -> list[tuple[list[int], tuple[int, ...]]]:
    chance = Random(seed)
    dealt = [chance.sample(STANDARD, 5) for _ in range(count)]
    return [(cards[:2], tuple(cards[2:])) for cards in dealt]


def test_a_flop_is_worth_what_its_million_endings_say(
    proved: Proved, stands: dict[tuple[int, ...], int]
) -> None:
    special = [(parse_hand(hole), tuple(parse_hand(flop))) for hole, flop in FLOPS]
    unit = prices(SHEET).unit
    for hole, flop in random_flops(3, 48) + special:
        expected = tuple(unit * worth for worth in on_flop(SHEET, hole, flop))
        places = [
            (stands[renamed(flop, renaming)], column(renamed(hole, renaming)))
            for renaming in RENAMINGS
            if renamed(flop, renaming) in stands
        ]
        assert places
        for place in places:
            assert tuple(proved.sums[place].tolist()) == expected
            fixed, per_ante, checked = expected
            assert proved.on_flop[place] == max(checked, fixed + 2 * per_ante)
            raised = proved.strategies["optimal"].after_flop[place]
            assert raised == (2 if fixed + 2 * per_ante > checked else 0)


@pytest.mark.parametrize("hole", ["Kd 5c", "7s 7h"])
def test_two_cards_are_worth_what_their_flops_are(
    proved: Proved, stands: dict[tuple[int, ...], int], hole: str
) -> None:
    pair = parse_hand(hole)
    total = dict.fromkeys(("check", "fixed", "per ante"), 0)
    left = [card for card in STANDARD if card not in pair]
    for flop in combinations(left, 3):
        renaming = next(each for each in RENAMINGS if renamed(flop, each) in stands)
        place = stands[renamed(flop, renaming)], column(renamed(pair, renaming))
        total["check"] += int(proved.on_flop[place])
        total["fixed"] += int(proved.sums[place][FIXED])
        total["per ante"] += int(proved.sums[place][PER_ANTE])
    assert [int(kind[column(tuple(pair))]) for kind in proved.worths] == list(total.values())


def test_before_the_flop_the_best_raises_are_the_printed_ones(proved: Proved) -> None:
    for low, high in combinations(STANDARD, 2):
        first, second = "23456789TJQKA"[rank(high)], "23456789TJQKA"[rank(low)]
        least = (SUITED if suit(low) == suit(high) else MIXED).get(first, "none")
        if first == second:
            raises = first != "2"
        else:
            raises = first == "A" or second in "23456789TJQKA".partition(least)[2] + least[:1]
        chosen = proved.strategies["optimal"].before_flop[column((low, high))]
        assert chosen == (4 if raises else 0), (first, second)


def test_every_deal_is_counted_once_under_every_strategy(proved: Proved) -> None:
    assert sum(proved.shown.values()) == BOARD_DEALS
    for found in proved.figures.values():
        assert sum(found.counts.values()) == FLOP_DEALS
        assert sum(each.deals for each in found.outcomes) == FLOP_DEALS


def test_when_all_is_shown_player_and_house_win_as_often(proved: Proved) -> None:
    shown = proved.shown
    assert shown["won"] + shown["won-not-opened"] == shown["lost"] + shown["lost-not-opened"]
    # An opened house has a pair at least, so against a closed one the player wins more.
    assert shown["won"] < shown["lost"]


def test_who_never_folds_ends_with_each_hand_as_often_as_it_is_dealt(
    proved: Proved,
) -> None:
    counts = proved.figures["never-fold"].counts
    for row, hands in SEVEN.items():
        dealt = sum(counts.get(f"raise-1-{end}-{row}", 0) for end in ENDS)
        assert Fraction(dealt, FLOP_DEALS) == Fraction(hands, comb(52, 7))


def test_strategies_counted_by_ends_are_worth_what_their_choices_are_worth(
    proved: Proved, stands: dict[tuple[int, ...], int]
) -> None:
    alike = np.zeros(len(stands), dtype=np.int64)  # how many flops a pattern stands for
    for flop, row in stands.items():
        alike[row] = len({renamed(flop, renaming) for renaming in RENAMINGS})
    assert alike.sum() == comb(52, 3)
    fixed, per_ante, at_the_end = (
        sum((proved.sums[:, :, kind].sum(axis=1) * alike).tolist())
        for kind in (FIXED, PER_ANTE, RIVER)
    )
    assert per_ante == 0  # summed over all positions, a raise is an even bet
    worths = proved.worths
    best = np.maximum(worths.check, np.maximum(worths.of_raise(3), worths.of_raise(4)))
    unit = FLOP_DEALS * prices(SHEET).unit
    edges = {name: found.edge for name, found in proved.figures.items()}
    assert edges == {
        "optimal": Fraction(sum(best.tolist()), unit),
        "never-fold": Fraction(fixed + per_ante, unit),
    }
    # No habit beats the best play, nor blind raising the choice at the river.
    waited, raised_first = Fraction(at_the_end, unit), Fraction(fixed + 4 * per_ante, unit)
    assert edges["never-fold"] < waited < edges["optimal"]
    assert raised_first < edges["optimal"]
    assert proved.figures["never-fold"].counts["folded"] == 0


@pytest.mark.parametrize("row", list(SHEET.blind.pays))
def test_one_more_on_a_row_of_the_blind_is_worth_its_frequency(proved: Proved, row: str) -> None:
    more = sheet_of(Ultimate, {f"blind.pays.{row}": f"{SHEET.blind.pays[row] * 2 + 2}:2"})
    ends = {f"raise-{times}-{end}-{row}" for times in range(1, 5) for end in ENDS[:2]}
    for n, (name, before) in enumerate(proved.figures.items()):
        won = sum(deals for end, deals in before.counts.items() if end in ends)
        after = figure(more, name, proved.ended[n])
        assert after.edge - before.edge == Fraction(won, FLOP_DEALS) > 0


def test_trips_counts_seven_cards_by_the_textbook() -> None:
    found = trips(SHEET)
    assert found.counts == SEVEN
    paid = sum(SEVEN[row] * (1 + odds) for row, odds in SHEET.trips.pays.items())
    assert found.returned == Fraction(paid, comb(52, 7))
    assert round(100 * found.returned, 1) == Fraction(SHEET.published["trips"])


def test_the_return_is_the_public_one(proved: Proved) -> None:
    best = proved.figures["optimal"]
    # Printed everywhere for these prices: 2.185 % of the ante, 0.53 % of all money staked.
    assert round(100 * best.edge, 3) == Fraction("-2.185")
    assert round(100 * best.returned, 2) == Fraction("99.47")


def test_the_169_starting_hands_are_worth_the_whole_game(proved: Proved) -> None:
    found = starts(SHEET, proved.worths)
    assert len(found) == 169
    assert sum(each.ways for each in found) == comb(52, 2)
    for each in found:
        assert list(each.values) == ["check", "raise-3", "raise-4"]
        assert each.values[each.best] == max(each.values.values())
    assert chart_store.find(SHEET) == msgspec.json.decode(
        chart_store.encode(found)
    )  # what is shipped
    worth = sum(each.ways * each.values[each.best] for each in found) / comb(52, 2)
    assert worth == proved.figures["optimal"].edge
    by_name = {each.hand: each.best for each in found}
    assert (by_name["AA"], by_name["A2o"], by_name["22"]) == ("raise-4", "raise-4", "check")
    assert (by_name["K5o"], by_name["K4o"], by_name["K2s"]) == ("raise-4", "check", "raise-4")


def test_G7_what_is_shipped_is_what_is_counted(proved: Proved) -> None:
    shown = {(each.bet, each.strategy): each for each in proof_store.find(SHEET)}
    main = [structs.replace(each, counts=proved.shown) for each in proved.figures.values()]
    for each in (*main, trips(SHEET)):
        assert proof_store.written(SHEET, each) == shown[each.bet, each.strategy]
