"""Blackjack proved on the whole deck: the published return, public tables, and the chart."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from msgspec.structs import replace

from odds.renaming import sheet_of
from tapisvert.games.blackjack.odds.chart import by_chart, chart_rows, facing, odd_hands
from tapisvert.games.blackjack.odds.count import PRIMES
from tapisvert.games.blackjack.odds.hands import NO_CARDS, counts
from tapisvert.games.blackjack.odds.play import (
    CHOICES,
    DOUBLE,
    HIT,
    NEVER,
    ON_ANY,
    STAND,
)
from tapisvert.games.blackjack.odds.proof import best_play, prove
from tapisvert.games.blackjack.odds.royal_poker import prove_royal
from tapisvert.games.blackjack.odds.rules import Rules, lay, rules_of
from tapisvert.games.blackjack.odds.up_card import options_of
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.lab import proof_store
from tapisvert.odds.figures import Figure, write_return
from tiers import long

SHEET = sheet_of(Blackjack)
EDGE = Fraction(-1471369473751264982659, 437459411539904125246875)

NOTHING_TAKEN = np.array([0])  # the place of no cards

# Bust, 17, 18, 19, 20, 21 in percent, facing 2 to 9, ten and ace: blackjackinfo.com, "Dealer
# outcome probabilities", single deck; of a full deck without the up card, after the look.
STANDS_ON_SOFT_17 = """
35.30 37.56 40.28 42.89 42.08 25.99 23.86 23.34 23.25 16.98
13.90 13.03 13.10 11.97 16.69 37.23 13.09 12.19 12.42 18.38
13.18 13.09 11.42 12.35 10.65 13.86 36.30 10.39 12.25 19.09
13.18 12.38 12.07 11.69 10.72  7.73 12.94 35.74 12.44 18.87
12.39 12.33 11.63 10.47 10.07  7.89  6.83 12.23 35.69 19.17
12.05 11.60 11.51 10.63  9.79  7.30  6.98  6.11  3.96  7.51
"""
HITS_SOFT_17 = """
35.63 37.81 40.58 43.00 43.78 25.99 23.86 23.34 23.25 20.46
12.98 12.35 12.28 11.67 11.61 37.23 13.09 12.19 12.42  8.18
13.31 13.19 11.54 12.38 11.38 13.86 36.30 10.39 12.25 20.54
13.32 12.50 12.19 11.74 11.61  7.73 12.94 35.74 12.44 20.62
12.56 12.42 11.78 10.52 10.96  7.89  6.83 12.23 35.69 20.95
12.20 11.73 11.63 10.69 10.67  7.30  6.98  6.11  3.96  9.26
"""
# Stand, hit and double facing an ace, one deck, soft 17 hit: wizardofodds.com, blackjack appendix
# 9, "1 deck, dealer hits on soft 17".
FACING_AN_ACE = {
    "A 2": (-0.589084, -0.107929, -0.552040),
    "A 3": (-0.587263, -0.139124, -0.548792),
    "2 3": (-0.584988, -0.322592, -1.169976),
    "A 4": (-0.585081, -0.188317, -0.569570),
    "2 4": (-0.583756, -0.362658, -1.157797),
    "3 4": (-0.582464, -0.375417, -1.067304),
    "A 5": (-0.587177, -0.242243, -0.607984),
    "2 5": (-0.585491, -0.364580, -1.073457),
    "3 5": (-0.583566, -0.278288, -0.813846),
    "4 5": (-0.581270, -0.121173, -0.419143),
    "A 6": (-0.507702, -0.229134, -0.529713),
    "4 6": (-0.575556, 0.045103, 0.030867),
    "5 6": (-0.575374, 0.143003, 0.234296),
}


@pytest.fixture(scope="module")
def main() -> Figure:
    """Return the best play of the shipped sheet."""
    return best_play(rules_of(SHEET))[0]


def test_the_published_return_is_that_of_the_best_play(main: Figure) -> None:
    assert (main.bet, main.strategy, main.exact) == ("main", "optimal", True)
    assert write_return(100 * main.returned, 2) == SHEET.published["main"]
    assert main.edge == EDGE
    assert write_return(main.returned) == "0.996930160371"


def test_the_counts_are_those_of_the_deal(main: Figure) -> None:
    orders = sum(main.counts.values())
    mine = Fraction(4 * 16, comb(52, 2))
    both = mine * Fraction(3 * 15, comb(50, 2))
    assert Fraction(main.counts["house-blackjack-tie"], orders) == both
    assert Fraction(main.counts["blackjack"], orders) == mine - both
    assert Fraction(main.counts["house-blackjack"], orders) == mine - both
    assert not any(name.endswith("insured") for name in main.counts)  # 16 of 49 is too few
    assert 1 < main.staked < Fraction(11, 10)
    assert 0 < main.hit < Fraction(1, 2)


@long
def test_the_other_reading_prints_the_same_per_first_stake() -> None:
    figure, closest = best_play(rules_of(SHEET)._replace(doubling_halves=ON_ANY))
    assert write_return(100 * (1 + figure.edge), 2) == SHEET.published["main"]
    assert write_return(100 * figure.returned, 2) == "99.72"
    assert figure.edge > EDGE
    # The closest choice of the best play is a million times clearer than a double can be wrong.
    assert closest > 1e-6
    assert figure.exact


@pytest.mark.parametrize(("table", "hits"), [(STANDS_ON_SOFT_17, False), (HITS_SOFT_17, True)])
def test_the_house_ends_as_public_tables_say(table: str, hits: bool) -> None:
    rows = [[float(cell) for cell in row.split()] for row in table.split("\n") if row]
    for column, up in enumerate((1, 2, 3, 4, 5, 6, 7, 8, 9, 0)):
        ends = lay(Rules(hits_soft_17=hits), up, NO_CARDS, NOTHING_TAKEN)[1][0]
        found = [100 * end / ends.sum() for end in ends]
        assert found == pytest.approx([row[column] for row in rows], abs=0.0051)


def test_hands_are_worth_what_a_public_table_says() -> None:
    facing_ace = facing(Rules(doubling=ON_ANY, doubling_halves=NEVER), 0)
    for hand, wanted in FACING_AN_ACE.items():
        low, high = ("A23456789T".index(card) for card in hand.split())
        found = options_of(facing_ace, (low, high))
        assert [found[each] for each in (STAND, HIT, DOUBLE)] == pytest.approx(wanted, abs=6e-7)


def test_the_chart_and_the_hands_it_gets_wrong() -> None:
    rules = rules_of(SHEET)
    facing_four = facing(rules, 3)
    rows = chart_rows(rules, facing_four)
    assert CHOICES[rows["hard-12"]] == "stand"
    assert CHOICES[rows["pair-4"]] == CHOICES[rows["pair-8"]] == "split"
    assert CHOICES[rows["hard-11"]] == "double"
    assert by_chart(rows, counts([1, 1, 6]), rules.doubling) == HIT  # a longer 11 cannot double
    assert by_chart(rows, counts([7, 7]), rules.doubling, half=True) == STAND  # nor split again
    odd = {each.hand: each for each in odd_hands(rules, facing_four)}
    assert (odd["2 T"].row, odd["2 T"].chart, odd["2 T"].best) == ("hard-12", "stand", "hit")
    assert all(each.better_by > 0 for each in odd.values())


def test_the_primes_are_primes() -> None:
    for prime in PRIMES:
        assert all(prime % factor for factor in range(2, 46_341))
        assert 2**30 < prime < 2**31
    assert len(set(PRIMES)) == len(PRIMES)


def as_shipped(figure: Figure) -> bool:
    shown = {(each.bet, each.strategy): each for each in proof_store.find(SHEET)}
    return proof_store.written(SHEET, figure) == shown[figure.bet, figure.strategy]


def test_G7_what_is_shipped_is_what_is_counted(main: Figure) -> None:
    for figure in (main, replace(main, strategy="each-hand-alone"), prove_royal(SHEET)):
        assert as_shipped(figure)


@long
def test_G7_the_habits_shipped_are_those_counted_and_worse_than_the_best_play() -> None:
    main, alone, royal, *habits = proved = prove(SHEET)
    assert (alone.strategy, alone.edge) == ("each-hand-alone", main.edge)
    assert (royal.bet, royal.strategy) == ("royal", "none")
    assert all(habit.edge < main.edge for habit in habits)
    assert all(as_shipped(figure) for figure in proved)
