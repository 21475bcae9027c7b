"""S4: the exact findings of an audit: the first bad row of each kind, and no more.

The database is that of `tampering.fill`: 63 transfers and 8 events under three seals, after the
first seal of the audit trail.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bank.tampering import Forger
from rounds.guest_seat import Seated
from rounds.house_with_operator import open_tables, played
from tapisvert.bank import seals
from tapisvert.bank.audit import Finding

BROKEN = "its hash does not follow from the one before"


@pytest.mark.parametrize("table", ["transfers", "significant_events"])
def test_S4_a_changed_row_is_told_once(forger: Forger, table: str) -> None:
    # Later rows of the same chain depend on it, and are not reported again.
    sql = f"UPDATE {table} SET at_ms = at_ms + 1 WHERE id = ?"
    for (number,) in forger.rows(f"SELECT id FROM {table}"):
        found = [each for each in forger.write(sql, number) if each.table == table]
        assert found == [Finding(table, str(number), BROKEN)]


def test_S4_a_hash_made_again_is_told_by_its_seal(forger: Forger) -> None:
    for number, seal in ((1, 2), (31, 2), (32, 3), (47, 3), (48, 4), (63, 4)):
        with forger.trying():
            sql = "UPDATE transfers SET at_ms = at_ms + 1 WHERE id = ?"
            forger.file.execute(sql, (number,))
            forger.chain_again()
            told = [each for each in forger.found() if each.table == "seals"]
            ends = ((1, 31), (32, 47), (48, 63))[seal - 2]
            what = f"transfers {ends[0]} to {ends[1]} do not match the seal"
            assert told == [Finding("seals", str(seal), what)]


@pytest.mark.parametrize("table", ["transfers", "significant_events"])
def test_S4_a_hash_that_was_taken_away_is_told(forger: Forger, table: str) -> None:
    found = forger.write(f"UPDATE {table} SET hash = NULL WHERE id = 3")
    assert found[0] == Finding(table, "3", BROKEN)


def test_S4_an_account_that_nothing_moved_on_is_held_to_nothing(forger: Forger) -> None:
    empty = forger.value("SELECT id FROM accounts WHERE currency = 'EUR'")
    assert forger.write("UPDATE accounts SET units = 5 WHERE id = ?", empty) == (
        Finding("accounts", str(empty), "stores 5 units of EUR; its transfers sum to 0"),
        Finding("transfers", "EUR", "the accounts do not sum to zero but to 5"),
    )


def test_S4_a_player_without_an_account_is_told_even_if_nothing_ever_moved(forger: Forger) -> None:
    empty = forger.value("SELECT id FROM accounts WHERE currency = 'EUR'")
    assert forger.write("DELETE FROM accounts WHERE id = ?", empty) == (
        Finding("accounts", str(empty), "has no balance in EUR; its transfers sum to 0"),
    )
    assert forger.write("UPDATE accounts SET currency = 'USD' WHERE id = ?", empty) == (
        Finding("accounts", str(empty), "has no balance in EUR; its transfers sum to 0"),
    )


def test_S4_of_several_wrong_accounts_the_first_is_told(forger: Forger) -> None:
    accounts = [str(name) for (name,) in forger.rows("SELECT id FROM accounts ORDER BY id")]
    moved = [
        str(name)
        for (name,) in forger.rows(
            "SELECT DISTINCT credit FROM transfers WHERE credit LIKE 'player:%' ORDER BY credit"
        )
    ]
    with forger.trying():
        forger.file.execute("UPDATE accounts SET units = units + 1")
        assert forger.found()[0].row == accounts[0]
        assert sum(each.table == "accounts" for each in forger.found()) == 1
    with forger.trying():  # of two kinds, too
        forger.file.execute("DELETE FROM accounts WHERE id = ?", (moved[0],))
        forger.file.execute("UPDATE accounts SET units = units + 1 WHERE id = ?", (moved[-1],))
        told = [each.row for each in forger.found() if each.table == "accounts"]
        assert told == [moved[-1]]
    with forger.trying():
        forger.file.execute("DELETE FROM accounts")
        told = [each.row for each in forger.found() if each.table == "accounts"]
        assert told == [moved[0]]


def test_S4_of_several_sessions_that_were_changed_one_is_told(forger: Forger) -> None:
    with forger.trying():
        assert forger.file.execute("UPDATE sessions SET mark = x'00'").rowcount > 1
        (found,) = forger.found()
    assert (found.table, found.what) == ("sessions", "was not written with the house key")


def test_S4_money_between_accounts_that_keep_no_row_still_sums_to_zero(forger: Forger) -> None:
    with forger.trying():
        forger.file.execute("UPDATE transfers SET credit = 'house:casino-stud' WHERE id = 1")
        told = [each.what for each in forger.found() if each.row == "FUN"]
    assert told == ["the accounts do not sum to zero but to 10000000000"]


def test_S4_a_hash_that_no_seal_has_is_told(forger: Forger) -> None:
    assert forger.found(bytes(range(32))) == (
        Finding("seals", bytes(range(32)).hex(), "no seal has this hash: seals were deleted"),
    )
    assert forger.found(seals.NONE.hash) == ()  # the anchor of an empty database
    found = forger.write("DELETE FROM seals WHERE id = 1")
    assert Finding("seals", "2", "does not follow seal 0") in found


def test_S4_a_first_round_without_its_mark_is_told_too(tmp_path: Path) -> None:
    house = open_tables(tmp_path / "tapis.db")
    round_id = played(Seated(house), "casino-stud")
    house.store.close()
    forger = Forger(tmp_path / "tapis.db")
    assert forger.rows("SELECT id FROM rounds WHERE seq = 1") == [(round_id,)]
    forger.file.execute("UPDATE rounds SET mark = NULL WHERE seq = 1")
    told = Finding("rounds", round_id, "its record does not match its mark")
    assert forger.found() == (told,)
    forger.file.close()


@pytest.mark.parametrize("table", ["transfers", "significant_events"])
def test_S4_no_row_is_too_early_or_too_late_to_be_read(forger: Forger, table: str) -> None:
    columns = ", ".join(forger.columns(table)[1:])
    for number in (-(2**63) + 1, -1, 0, 2**63 - 1):
        found = forger.write(f"INSERT INTO {table} SELECT {number}, {columns} FROM {table} LIMIT 1")
        # One that is put before the others takes the place of the first of its chain.
        assert (table, str(number if number > 0 else 1)) in {
            (each.table, each.row) for each in found
        }


def test_S4_money_of_another_currency_on_an_account_is_told(forger: Forger) -> None:
    ((mine, moved),) = forger.rows("SELECT credit, units FROM transfers WHERE id = 1")
    units = forger.value("SELECT units FROM accounts WHERE id = ?", mine)
    names = "at_ms, debit, credit, units, reason, player_id"
    added = f"INSERT INTO transfers ({names}, currency) SELECT {names}, 'EUR' FROM transfers"
    found = forger.write(f"{added} WHERE id = 1")
    what = f"has no balance in EUR; its transfers sum to {moved}"
    assert Finding("accounts", mine, what) in found
    found = forger.write("UPDATE transfers SET currency = 'EUR' WHERE id = 1")
    what = f"stores {units} units of FUN; its transfers sum to {units - moved}"
    assert Finding("accounts", mine, what) in found
