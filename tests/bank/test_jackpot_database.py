"""Database constraints on pots: stored rows of a pot are immutable."""

from __future__ import annotations

import pytest

from bank.feeding import CENT, NOW_MS, POT, ROYAL, Till
from stores import VIOLATIONS, both, drop_trigger, sqlite_only
from tapisvert.bank import chain, jackpot, ledger, seals
from tapisvert.bank.audit import check_transfers
from tapisvert.refusal import Broken
from tapisvert.store import Tx

pytestmark = both


def filled(till: Till) -> Till:
    """Feed and win a pot, then feed it again."""
    till.rate("EUR", "1.47")
    till.do(lambda tx: till.stakes(tx, 2))
    till.wins(ROYAL)
    till.do(lambda tx: till.stakes(tx))
    return till


@pytest.fixture(scope="module")
def shared(shared_till: Till) -> Till:
    return filled(shared_till)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE jackpots SET units = units + 1",
        "UPDATE jackpots SET gathered_units = gathered_units - 1",
        "UPDATE jackpots SET funded_units = 0, gathered_units = 0, awarded_units = 1, units = -1",
        "UPDATE contributions SET units = units + 1",
        "UPDATE contributions SET units = units + 1, fold = 9 WHERE fold IS NULL",
        "UPDATE contributions SET price_cents = 1, fold = 9 WHERE fold IS NULL",
        "UPDATE contributions SET rate_id = 1, fold = 9 WHERE fold IS NULL",
        "UPDATE contributions SET kind = 'void', fold = 9 WHERE fold IS NULL",
        "UPDATE contributions SET pot = 'stud', fold = 9 WHERE fold IS NULL",
        pytest.param(  # where ids are generated always there is no such statement
            "UPDATE contributions SET id = 99, fold = 9 WHERE fold IS NULL", marks=sqlite_only
        ),
        "UPDATE contributions SET fold = 9 WHERE fold = 1",
        "UPDATE contributions SET fold = NULL",
        "DELETE FROM contributions",
        "UPDATE awards SET paid_cents = paid_cents + 1",
        "DELETE FROM awards",
        "UPDATE rates SET rate = '1.48'",
        "DELETE FROM rates",
        "INSERT INTO contributions (pot, round_id, kind, price_cents, units)"
        " SELECT pot, round_id, kind, price_cents, units FROM contributions LIMIT 1",
    ],
)
def test_the_database_refuses(shared: Till, sql: str) -> None:
    with pytest.raises(VIOLATIONS):
        shared.do(lambda tx: tx.run(sql))


def test_a_pot_that_is_not_what_its_account_holds_is_not_kept(shared: Till) -> None:
    def work(tx: Tx) -> None:
        pot = jackpot.load(tx, POT)
        tx.run("UPDATE accounts SET units = units + 1 WHERE id = 'jackpot:blackjack'")
        jackpot.save(tx, pot)

    with pytest.raises(Broken, match="a pot's units must equal its account's balance"):
        shared.do(work)


def test_the_houses_own_transfers_are_chained_by_the_account_they_leave(till: Till) -> None:
    filled(till).fold()
    sql = "SELECT debit, hash FROM transfers WHERE player_id IS NULL ORDER BY id"
    rows = till.do(lambda tx: tx.rows(sql))
    assert [row[0] for row in rows] == ["house:blackjack", *["contributed:blackjack"] * 2]
    heads = till.do(
        lambda tx: {name: ledger.last_of_account(tx, name) for name in {row[0] for row in rows}}
    )
    assert heads == dict(rows)
    assert till.do(lambda tx: ledger.last_of_account(tx, "house:stud")) == chain.BEGINNING

    def forged(tx: Tx) -> list[str]:
        drop_trigger(tx, "transfers", "transfers_are_never_changed")
        tx.run("UPDATE transfers SET at_ms = at_ms + 1 WHERE reason = 'fold'")
        found = [finding.table for finding in check_transfers(tx, seals.NONE.reach)]
        tx.undo()
        return found

    assert till.do(forged) == ["transfers"]
    assert till.do(lambda tx: [*check_transfers(tx, seals.NONE.reach)]) == []


def test_an_idle_fold_only_notes_the_time(till: Till) -> None:
    before = filled(till).fold()
    later = till.do(lambda tx: jackpot.fold(tx, POT, NOW_MS + 5000))
    assert later.as_of_ms == NOW_MS + 5000
    assert (later.units, later.folds) == (before.units, before.folds)
    assert later.units % CENT
