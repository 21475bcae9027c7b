"""The pot at the bank: opening, contributions, folds, wins, rates, and database constraints."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest

from bank.feeding import (
    CENT,
    FIGURES,
    NOW_MS,
    PART,
    POT,
    ROYAL,
    STRAIGHT_FLUSH,
    Till,
    award,
    contribute,
    moves,
)
from rounds.guest_seat import refusal_of
from stores import VIOLATIONS, both, sqlite_only
from tapisvert.bank import jackpot
from tapisvert.bank.pot import Stake
from tapisvert.engine.sheet import Jackpot
from tapisvert.store import Store, Tx

pytestmark = both


# Opening and changing -----------------------------------------------------------------------------


def test_a_pot_opens_at_its_starting_value_which_the_house_puts_in(till: Till) -> None:
    pot = till.pot()
    assert (pot.units, pot.epoch, pot.triggers, pot.folds) == (2_000_000 * CENT, 1, 0, 0)
    assert moves(till, "reset") == [
        ("house:blackjack", "jackpot:blackjack", "CAD", 2_000_000 * CENT)
    ]
    assert pot.figures == FIGURES


@pytest.mark.parametrize(
    ("pot", "currency", "code"),
    [
        (POT, "CAD", "jackpot/exists"),
        ("stud", "FUN", "player/currency"),
        ("stud", "cad", "player/"),
    ],
)
def test_a_pot_is_opened_once_and_in_real_money(
    shared_till: Till, pot: str, currency: str, code: str
) -> None:
    def work(tx: Tx) -> None:
        jackpot.open_pot(tx, pot, currency, FIGURES, by="anne", at_ms=NOW_MS)

    assert refusal_of(lambda: shared_till.do(work)).code.startswith(code)


def queued(till: Till, reset_cents: int | None, contribution: str | None) -> None:
    queue = partial(jackpot.queue, pot_id=POT, by="anne", reason="why", at_ms=NOW_MS)
    till.do(partial(queue, reset_cents=reset_cents, contribution=contribution))


def test_what_is_queued_twice_is_what_was_said_last_of_each_figure(till: Till) -> None:
    queued(till, 100, "10")
    queued(till, None, "20.30843")
    queued(till, 10**12, None)
    pot = till.pot()
    assert (pot.next_reset_cents, pot.next_contribution) == (10**12, "2030843:10000000")
    assert (pot.reset_cents, pot.contribution) == (2_000_000, "2030843:10000000")


@pytest.mark.parametrize(
    ("reset_cents", "contribution"),
    [(0, None), (-1, None), (10**12 + 1, None), (None, "100"), (None, "1.123456"), (None, "a")],
)
def test_figures_that_cannot_be_are_refused(
    shared_till: Till, reset_cents: int | None, contribution: str | None
) -> None:
    refused = refusal_of(lambda: queued(shared_till, reset_cents, contribution))
    assert refused.code == "jackpot/figures"
    pot = shared_till.pot()
    assert (pot.next_reset_cents, pot.next_contribution) == (None, None)


def test_a_pot_nobody_opened_is_unknown(shared_till: Till) -> None:
    refused = refusal_of(lambda: shared_till.do(lambda tx: jackpot.load(tx, "x" * 99)))
    assert refused.details == {"pot": "x" * 64}
    refused = refusal_of(lambda: shared_till.do(lambda tx: jackpot.fold(tx, "stud", NOW_MS)))
    assert refused.code == "jackpot/unknown"


# Feeding and folding ------------------------------------------------------------------------------


def test_what_is_put_in_waits_outside_until_a_fold_gathers_it(till: Till) -> None:
    till.do(lambda tx: till.stakes(tx, 3))
    assert till.pot().units == 2_000_000 * CENT
    assert till.fold().units == 2_000_000 * CENT + 3 * PART
    assert moves(till, "fold") == [("contributed:blackjack", "jackpot:blackjack", "CAD", 3 * PART)]
    assert till.fold().folds == 1  # with nothing new there is none
    assert (
        moves(till, "contribution")
        == [("house:blackjack", "contributed:blackjack", "CAD", PART)] * 3
    )


@pytest.mark.parametrize(
    ("cents", "share", "units"),
    [
        (100, Fraction(2_030_843, 10**7), 2_030_843),
        (150, Fraction(2_030_843, 10**7), 3_046_265),  # half a unit: the players' gain
        (1, Fraction(1, 3), 33_334),
        (100, Fraction(0), 0),
    ],
)
def test_a_part_is_never_less_than_its_share(cents: int, share: Fraction, units: int) -> None:
    assert Stake("royal", cents, share).units == units


def test_a_share_of_nothing_moves_nothing_and_is_still_recorded(store: Store) -> None:
    till = Till(store)

    def work(tx: Tx) -> None:
        stake = Stake("royal", 100, Fraction(0))
        assert contribute(tx, till.purse(tx), jackpot.load(tx, POT), stake, None) == []

    till.do(work)
    assert till.fold().gathered_units == 0
    assert till.pot().folds == 1
    assert moves(till, "contribution", "fold") == []
    till.all_there()


def cut_by_id(tx: Tx) -> int:
    """Fold wrongly: up to the highest id there is."""
    row = tx.row("SELECT COALESCE(MAX(id), 0) FROM contributions WHERE fold IS NOT NULL")
    assert row is not None
    sql = "SELECT COALESCE(SUM(units), 0) FROM contributions WHERE id > ? AND fold IS NULL"
    found = tx.row(sql, row)
    assert found is not None
    return int(found[0])


@sqlite_only
def test_a_row_with_a_lower_id_that_commits_later_is_gathered_too(till: Till) -> None:
    """Control: a fold that selects by id would lose the row."""
    till.do(lambda tx: till.stakes(tx))
    till.do(lambda tx: tx.run("UPDATE sqlite_sequence SET seq = 10 WHERE name = 'contributions'"))
    till.do(lambda tx: till.stakes(tx))
    assert till.fold().gathered_units == 2 * PART

    def late(tx: Tx) -> None:
        till.stakes(tx)  # it had taken number 5 long ago
        tx.run("DROP TRIGGER contributions_are_folded_once")
        tx.run("UPDATE contributions SET id = 5 WHERE fold IS NULL")

    till.do(late)
    assert till.do(cut_by_id) == 0
    assert till.fold().gathered_units == 3 * PART


# Winning ------------------------------------------------------------------------------------------


def test_an_award_is_paid_by_the_pot_and_a_royal_refilled_by_the_house(till: Till) -> None:
    assert till.wins(STRAIGHT_FLUSH) == 200_002
    assert till.wins(ROYAL) == 1_800_038
    player = ("jackpot:blackjack", "player:CAD", "CAD")
    assert moves(till, "award") == [(*player, 200_002 * CENT), (*player, 1_800_038 * CENT)]
    assert moves(till, "reset")[1:] == [
        ("house:blackjack", "jackpot:blackjack", "CAD", 2_000_000 * CENT)
    ]
    rows = till.do(
        lambda tx: tx.rows(
            "SELECT trigger_no, epoch, share, before_units, award_units, reset_units, after_units,"
            " currency, paid_cents, rate_id, rounding_units FROM awards ORDER BY trigger_no"
        )
    )
    first, second = 2_000_000 * CENT + PART, 2_000_000 * CENT + 2 * PART - 200_002 * CENT
    rest = second - 1_800_038 * CENT
    assert rows == [
        (1, 1, "1:10", first, 200_002 * CENT, 0, second - PART, "CAD", 200_002, None, 0),
        (
            *(2, 1, "1:1", second, 1_800_038 * CENT, 2_000_000 * CENT),
            *(2_000_000 * CENT + rest, "CAD", 1_800_038, None, 0),
        ),
    ]


def test_a_round_is_awarded_once(till: Till) -> None:
    def twice(tx: Tx) -> None:
        purse = till.stakes(tx)
        for _ in range(2):
            award(tx, purse, POT, "royal", STRAIGHT_FLUSH, restarts=False)

    with pytest.raises(VIOLATIONS, match=r"awards[._]round_id"):
        till.do(twice)
    assert till.pot().triggers == 0


def test_a_share_below_a_cent_pays_nothing_and_is_a_win_all_the_same(store: Store) -> None:
    till = Till(store, figures=Jackpot(1, Fraction(0)))

    def work(tx: Tx) -> int:
        return award(tx, till.purse(tx), POT, "royal", STRAIGHT_FLUSH, restarts=False)

    assert till.do(work) == 0
    assert (till.pot().triggers, till.pot().units) == (1, CENT)
    till.all_there()


def test_a_share_that_leaves_some_starts_the_next_pot_on_top_of_it(till: Till) -> None:
    def work(tx: Tx) -> int:
        return award(tx, till.purse(tx), POT, "royal", Fraction(1, 2), restarts=True)

    assert till.do(work) == 1_000_000
    assert (till.pot().units, till.pot().epoch) == (3_000_000 * CENT, 2)
