"""Royal Poker: the five-card hands, the long run of the pot, and the published return."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from odds.renaming import sheet_of
from tapisvert.games.blackjack.odds.royal_poker import (
    RoyalPoker,
    prove_royal,
    returned_at,
    royal_poker,
)
from tapisvert.games.blackjack.sheet import Blackjack

SHEET = sheet_of(Blackjack)
DEALS = comb(52, 5)
# Every five-card hand by closed form.
HANDS = {
    "royal-flush": 4,
    "straight-flush": 36,
    "four-of-a-kind": 13 * 48,
    "full-house": 13 * comb(4, 3) * 12 * comb(4, 2),
    "flush": 4 * comb(13, 5) - 40,
    "straight": 10 * 4**5 - 40,
    "three-of-a-kind": 13 * comb(4, 3) * comb(12, 2) * 16,
    "two-pair": comb(13, 2) * 36 * 44,
    "pair": 13 * 6 * comb(12, 3) * 64,
    "high-card": (comb(13, 5) - 10) * (4**5 - 4),
}


def test_the_hands_are_counted_as_closed_forms_say() -> None:
    assert royal_poker(SHEET).counts == HANDS
    assert sum(HANDS.values()) == DEALS


def test_the_return_is_the_sum_the_rule_sheet_prints() -> None:
    bet = royal_poker(SHEET)
    prizes = {"four-of-a-kind": 500, "full-house": 100, "flush": 50, "straight": 25,
              "three-of-a-kind": 5}  # fmt: skip
    assert bet.fixed == Fraction(sum(HANDS[row] * prize for row, prize in prizes.items()), DEALS)
    assert bet.reset == Fraction(20_000 * 4, DEALS)
    assert bet.contribution == Fraction(2_030_843, 10_000_000)
    assert bet.total == bet.fixed + bet.reset + bet.contribution
    assert f"{float(100 * bet.total):.2f}" == SHEET.published["royal"]
    assert prove_royal(SHEET).returned == bet.total


def test_what_goes_into_the_pot_comes_out_of_it() -> None:
    bet = royal_poker(SHEET)
    paid_from_pot = (bet.chance("royal-flush") + bet.chance("straight-flush") / 10) * bet.mean_pot
    assert paid_from_pot == bet.contribution + bet.reset
    assert bet.mean_bets_between_royals == 649_740
    assert bet.mean_pot == Fraction(75_975_996_541, 950_000)  # 79,974.73 stakes of 1.00
    assert bet.break_even_pot == Fraction(2_819_000, 19)  # 148,368.42
    assert returned_at(SHEET, bet.break_even_pot) == 1
    assert returned_at(SHEET, bet.mean_pot) == bet.total


def next_moments(bet: RoyalPoker, mean: Fraction, square: Fraction) -> tuple[Fraction, Fraction]:
    """Compute the pot's moments after one bet, outcome by outcome."""
    royal, flush = bet.chance("royal-flush"), bet.chance("straight-flush")
    added = bet.contribution
    first = second = Fraction(0)
    for chance, kept, restart in (
        (royal, Fraction(0), 20_000),
        (flush, Fraction(9, 10), 0),
        (1 - royal - flush, Fraction(1), 0),
    ):
        start = restart + added
        first += chance * (kept * mean + start)
        second += chance * (kept**2 * square + 2 * kept * start * mean + start**2)
    return first, second


def test_the_moments_of_the_pot_stay_as_they_are() -> None:
    bet = royal_poker(SHEET)
    assert next_moments(bet, bet.mean_pot, bet.mean_square_pot) == (
        bet.mean_pot,
        bet.mean_square_pot,
    )
    figure = prove_royal(SHEET)
    squares = sum(
        Fraction(HANDS[row] * (prize // 100) ** 2, DEALS)
        for row, prize in SHEET.royal.prizes_cents.items()
    )
    squares += (
        bet.chance("royal-flush") + bet.chance("straight-flush") / 100
    ) * bet.mean_square_pot
    assert figure.variance == squares - bet.total**2


def test_one_cent_more_on_a_prize_moves_the_return_by_its_frequency() -> None:
    for row, prize in SHEET.royal.prizes_cents.items():
        richer = sheet_of(Blackjack, {f"royal.prizes_cents.{row}": prize + 1})
        moved = royal_poker(richer).total - royal_poker(SHEET).total
        assert moved == Fraction(HANDS[row], 100 * DEALS)


def test_a_smaller_share_leaves_the_rest_in_the_pot() -> None:
    sheet = sheet_of(Blackjack, {"royal.shares.royal-flush": "1:2"})
    assert royal_poker(sheet).total == royal_poker(SHEET).total
    assert royal_poker(sheet).mean_pot > royal_poker(SHEET).mean_pot
