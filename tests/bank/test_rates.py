"""Rates convert from the pot's currency to the player's; no money is created or destroyed."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest

from bank.feeding import CENT, PART, ROYAL, Till, moves
from rounds.guest_seat import refusal_of
from stores import both_at_length
from tapisvert.bank import ledger
from tapisvert.bank.exchange_rate import Rate

pytestmark = both_at_length


@pytest.mark.parametrize(
    ("written", "cents", "converted"),
    [
        ("1.4700", 100, 68),
        ("1.4700", 50_000, 34_014),
        ("2", 1, 1),  # half up
        ("2", 3, 2),
        ("3", 1, 0),
        ("0.00917", 100, 10_905),
        ("1", 12_345, 12_345),
    ],
)
def test_amounts_are_divided_by_the_rate_and_rounded_half_up(
    written: str, cents: int, converted: int
) -> None:
    assert Rate(1, "EUR", written).convert(cents) == converted


@pytest.mark.parametrize(
    ("currency", "written", "code"),
    [
        *(
            ("EUR", written, "jackpot/rate")
            for written in ("0", "0.00", "-1", "1,47", "1e3", "1.123456789", "1" * 40)
        ),
        ("CAD", "1.0", "jackpot/rate"),
        ("FUN", "1.0", "player/currency"),
        ("eur", "1.0", "player/currency"),
    ],
)
def test_what_is_no_rate_is_refused(
    shared_till: Till, currency: str, written: str, code: str
) -> None:
    assert refusal_of(lambda: shared_till.rate(currency, written)).code == code
    assert shared_till.do(lambda tx: tx.rows("SELECT * FROM rates")) == []


def test_without_a_rate_nobody_of_another_currency_wins_or_feeds(till: Till) -> None:
    refused = refusal_of(lambda: till.wins(ROYAL, "EUR"))
    assert (refused.code, refused.details) == ("jackpot/no_rate", {"currency": "EUR"})


def test_many_tiny_foreign_bets_create_and_destroy_nothing(till: Till) -> None:
    """In every currency the accounts sum to zero; the pot gets the same part of each bet."""
    till.rate("EUR", "1.4700")
    till.rate("JPY", "0.00917")
    for currency in ("EUR", "JPY", "CAD"):
        till.do(partial(till.stakes, times=200, currency=currency))
    assert till.fold().gathered_units == 600 * PART
    paid = moves(till, "contribution")
    assert paid.count(("house:blackjack", "fx:EUR", "EUR", 1_381_526)) == 200
    assert paid.count(("fx:CAD", "contributed:blackjack", "CAD", PART)) == 400
    assert till.do(ledger.total_units) == {"CAD": 0, "EUR": 0, "JPY": 0}


def test_an_award_is_converted_once_at_the_rate_in_force_and_its_rounding_is_kept(
    till: Till,
) -> None:
    till.rate("EUR", "1.3000")
    till.rate("EUR", "1.4700")
    assert till.wins(ROYAL, "EUR") == 1_360_558  # 20,000.20 / 1.47 = 13,605.578...
    assert moves(till, "award") == [
        ("jackpot:blackjack", "fx:CAD", "CAD", 2_000_020 * CENT),
        ("fx:EUR", "player:EUR", "EUR", 1_360_558 * CENT),
    ]
    exact = round(Fraction(2_000_020 * CENT * 100, 147))
    rows = till.do(lambda tx: tx.rows("SELECT rate_id, rounding_units FROM awards"))
    assert rows == [(2, exact - 1_360_558 * CENT)]
