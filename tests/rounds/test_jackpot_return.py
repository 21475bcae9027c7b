"""The long-run return of Royal Poker through the real bank: exactly the published figure.

One round is played for every row of the pay table, each from the same pot, weighted by the number
of the C(52, 5) hands that make it. The mean of return plus pot gain equals the fixed prizes, the
contribution and the reset, to the unit, rounding included. In the long run a pot gains nothing, so
that is the return of the bet.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path
from typing import cast

import pytest

from bank.tables import check_books
from odds.test_royal_poker import HANDS as COUNTS
from rounds.house_with_operator import Funded, findings
from rounds.house_with_pot import CENT, PART, START, played, pot_of, potted, won_cents
from rounds.house_with_pot import HANDS as ROWS
from tapisvert.games.blackjack.odds.royal_poker import royal_poker
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.sheets import load
from tiers import long

DEALS = comb(52, 5)
SHEET = cast(Blackjack, load("blackjack"))
BELOW = ("two-pair", "pair", "high-card")  # pay nothing, all of them
WEIGHTS = {row: COUNTS[row] for row in ROWS if row != "nothing"}
WEIGHTS["nothing"] = sum(COUNTS[row] for row in BELOW)


def came_of(path: Path, row: str, stakes_before: int) -> tuple[int, int]:
    """Play a row from a pot fed this often; return the return of the bet, and the pot's gain."""
    house = potted(path)
    other, player = Funded(house, 10_000_000), Funded(house)
    for _ in range(stakes_before):
        played(other, "nothing")
    Housekeeping(house).fold()
    before = pot_of(house).units
    assert before == START + stakes_before * PART
    back = won_cents(played(player, row)) * CENT
    Housekeeping(house).fold()
    gained = pot_of(house).units - before
    assert findings(house) == ()
    check_books(house.store)
    house.store.close()
    return back, gained


def test_every_hand_there_is_has_its_row() -> None:
    assert sum(WEIGHTS.values()) == DEALS
    assert set(WEIGHTS) == set(ROWS)


@pytest.mark.parametrize("stakes_before", [7, pytest.param(0, marks=long)])
def test_G7_through_the_bank_the_bet_returns_what_is_published(
    tmp_path: Path, stakes_before: int
) -> None:
    proved = royal_poker(SHEET)
    backs, gains = 0, 0
    for row, weight in WEIGHTS.items():
        back, gain = came_of(tmp_path / f"{row}.db", row, stakes_before)
        backs, gains = backs + weight * back, gains + weight * gain
    stake = 100 * CENT
    # Nothing is rounded away anywhere: a floored award leaves its rest in the pot.
    assert Fraction(backs + gains, DEALS * stake) == proved.total
    assert f"{float(100 * proved.total):.2f}" == "80.00"
    # The part of it that does not come from the pot, and what the house adds to the pot.
    assert proved.total == proved.fixed + proved.reset + Fraction(PART, stake)


def test_G7_what_a_pot_pays_on_average_is_what_goes_into_it() -> None:
    """The mean pot is the one with zero gain; at it the shares equal the money put in."""
    proved = royal_poker(SHEET)
    worth = sum(
        Fraction(COUNTS[row], DEALS) * share * proved.mean_pot
        for row, share in SHEET.pot_shares.items()
    )
    assert worth == Fraction(PART, 100 * CENT) + Fraction(COUNTS["royal-flush"] * 20_000, DEALS)
    assert proved.fixed + worth == proved.total
