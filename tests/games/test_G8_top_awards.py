"""G8: every top award is possible. The best row of every table, counted exactly.

A hand that reaches a top row lies in one suit (a royal flush with at most two other cards), so it
suffices to count the hands of one suit and the other cards.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest

from tapisvert.cards import STANDARD, Card, suit
from tapisvert.games.registry import SHIPPED
from tapisvert.ranking.flush import straight_flush_length
from tapisvert.ranking.fortune import rows
from tapisvert.ranking.standard import category, strength

LEAST_LIKELY = Fraction(1, 100_000_000)
SUITS = [[card for card in STANDARD if suit(card) == each] for each in range(4)]


def suited(size: int) -> list[tuple[Card, ...]]:
    return [hand for cards in SUITS for hand in combinations(cards, size)]


def royals() -> int:
    """Return the number of royal flushes of five cards."""
    return sum(category(strength(hand)) == "royal-flush" for hand in suited(5))


@cache
def top() -> dict[str, dict[str, Fraction]]:
    """Return the probability of the top award of each bet."""
    return {
        "pai-gow": {
            "fortune": Fraction(
                sum("straight-flush-7" in rows(hand) for hand in suited(7)), comb(53, 7)
            )
        },
        "casino-stud": {
            "play": Fraction(royals(), comb(52, 5)),
            "bonus": Fraction(royals() * 47, comb(52, 6)),
        },
        "high-card-flush": {
            "flush": Fraction(len(suited(7)), comb(52, 7)),
            "straight-flush": Fraction(
                sum(straight_flush_length(hand) == 7 for hand in suited(7)), comb(52, 7)
            ),
        },
        "blackjack": {"royal": Fraction(royals(), comb(52, 5))},
        "ultimate": {
            bet: Fraction(royals() * comb(47, 2), comb(52, 7)) for bet in ("blind", "trips")
        },
    }


@pytest.mark.parametrize("game", SHIPPED)
def test_G8_the_top_award_of_every_table_is_likelier_than_one_in_a_hundred_million(
    game: str,
) -> None:
    assert top()[game]
    for bet, chance in top()[game].items():
        assert chance >= LEAST_LIKELY, bet


def test_G8_the_rarest_are_those_known_in_closed_form() -> None:
    assert top()["pai-gow"]["fortune"] == Fraction(32, 154_143_080)  # 8 runs of 7, ace low or high
    assert top()["high-card-flush"]["straight-flush"] == Fraction(32, 133_784_560)
    assert top()["blackjack"]["royal"] == Fraction(1, 649_740)
    assert top()["ultimate"]["trips"] == Fraction(4_324, 133_784_560)
