"""The par sheet's figures of Royal Poker, computed a second way from the rules."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from tapisvert.lab import proof_store
from tapisvert.par.measures import Measures, measures
from tapisvert.sheets import load


def measured() -> Measures:
    sheet = load("blackjack")
    (found,) = [each for each in measures(sheet, proof_store.find(sheet)) if each.bet == "royal"]
    return found


def test_the_jackpots_part_of_the_return_stands_apart() -> None:
    royal = measured()
    parts = royal.progressive
    assert parts is not None
    assert parts.fixed + parts.share == royal.return_staked
    paid = {"royal-flush", "straight-flush"}
    from_pot = sum(row.share_of_return for row in royal.rows if row.name in paid)
    assert from_pot * royal.return_staked == parts.share
    assert parts.contribution == Fraction(2030843, 10_000_000)
    assert parts.reset == Fraction(4, 2_598_960) * 20_000
    assert parts.share == parts.reset + parts.contribution


def royal_pot() -> tuple[Fraction, Fraction]:
    """Return the mean of the pot at the deal, and of its square, in dollars.

    By the number of bets since the last royal flush: after k of them, none royal, the pot is what
    k contributions and the straight flushes between have left of 20,000.
    """
    royal, straight = Fraction(4, comb(52, 5)), Fraction(36, comb(52, 5))
    added, start, stays = Fraction(2030843, 10**7), 20_000, 1 - royal
    tenth_goes = straight / stays  # of the bets that are no royal flush
    kept = 1 - tenth_goes / 10
    squared = 1 - tenth_goes + tenth_goes * Fraction(81, 100)
    first = start + added
    # sum over k of P(k) m_k with m_{k+1} = added + kept m_k, and the same for the squares
    mean = (royal * first + stays * added) / (1 - stays * kept)
    square = (royal * first**2 + stays * (added**2 + 2 * added * kept * mean)) / (
        1 - stays * squared
    )
    return mean, square


def test_royal_poker_by_its_hands_and_the_rounds_since_the_last_royal_flush() -> None:
    royal = measured()
    hands = {5: 54_912, 25: 10_200, 50: 5_108, 100: 3_744, 500: 624}  # by the dollars they pay
    mean, square = royal_pot()
    cycle = comb(52, 5)
    paid = sum(prize * n for prize, n in hands.items()) + (4 + Fraction(36, 10)) * mean
    edge = paid / cycle - 1
    squares = sum(prize**2 * n for prize, n in hands.items()) + (4 + Fraction(36, 100)) * square
    assert [royal.edge, royal.staked, royal.cycle] == [edge, 1, cycle]
    assert royal.element_of_risk == edge
    assert royal.return_first == royal.return_staked == paid / cycle
    assert royal.variance == squares / cycle - (paid / cycle) ** 2
    assert royal.hit_anything == royal.hit_more == Fraction(sum(hands.values()) + 40, cycle)
    assert royal.win_per_hour == -40 * edge
    top = royal.top
    assert top is not None
    assert top.names == ("royal-flush",)
    assert [top.net, top.mean_rounds] == [mean - 1, cycle // 4]
    assert [top.probability, top.odds_against] == [Fraction(4, cycle), cycle // 4 - 1]
    apart = (4 + Fraction(36, 100)) * (square - mean**2) / cycle
    assert royal.variance_of_jackpot == apart / royal.variance
    for row in royal.rows:
        assert row.share_of_return == row.deals * (row.net + 1) / paid
        assert row.share_of_variance == row.deals * (row.net - edge) ** 2 / cycle / royal.variance
