"""S4: the audit finds and names every changed, deleted or moved row.

Each case is a forger's write on a raw connection, without triggers and checks, rolled back after
the audit. Only an anchor stored elsewhere reveals an end that was cut off cleanly.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bank.tampering import EVERY_WAY, Forger, ways
from rounds.guest_seat import Seated
from rounds.house_with_operator import Time, audited, keeper_of, open_tables, played
from tapisvert.bank import audit
from tapisvert.bank.audit import Finding

KEYS = {
    "transfers": "id",
    "significant_events": "id",
    "seals": "id",
    "accounts": "id",
    "rounds": "id",
    "reversals": "round_id",
    "sheets": "hash",
}


def changes(
    forger: Forger, table: str, column: str, within: str = "1", every_way: bool = True
) -> Iterator[tuple[object, object]]:
    """Yield rows and the forged values to write there."""
    values = [value for (value,) in forger.rows(f"SELECT {column} FROM {table}")]
    rows = forger.rows(f"SELECT {KEYS[table]}, {column} FROM {table} WHERE {within}")
    for number, (key, value) in enumerate(rows):
        for other in ways(value, values, None if every_way else number):
            yield key, other


def assert_found(
    forger: Forger, table: str, column: str, every_way: bool, within: str = "1"
) -> int:
    """Change a column row by row; each change must be found, and its row named."""
    tried = 0
    for key, other in changes(forger, table, column, within, every_way):
        with suppress(sqlite3.IntegrityError):  # refused by NOT NULL or UNIQUE
            found = forger.write(
                f"UPDATE {table} SET {column} = ? WHERE {KEYS[table]} = ?", other, key
            )
            tried += 1
            named = {(each.table, each.row) for each in found}
            assert (table, str(key)) in named, (column, key, other, found)
    return tried


def test_S4_books_that_nobody_touched_are_in_order_whatever_anchor_was_noted(
    forger: Forger,
) -> None:
    assert forger.found() == ()
    anchors = forger.rows("SELECT hash FROM seals")
    assert len(anchors) >= 4
    for (anchor,) in anchors:
        assert isinstance(anchor, bytes)
        assert forger.found(anchor) == ()
    states = forger.rows("SELECT DISTINCT state FROM rounds ORDER BY state")
    assert states == [(name,) for name in ("open", "retired", "seated", "settled", "voided")]


@pytest.mark.parametrize(
    ("table", "column"),
    [
        *(
            ("transfers", column)
            for column in (
                *("at_ms", "debit", "credit", "currency", "units", "reason", "player_id"),
                *("round_id", "bet", "hash"),
            )
        ),
        *(
            ("significant_events", column)
            for column in ("at_ms", "kind", "player_id", "round_id", "data", "hash")
        ),
        *(("seals", column) for column in ("at_ms", "last_transfer", "last_event", "hash")),
        *(("accounts", column) for column in ("currency", "units")),
        *(
            ("reversals", column)
            for column in ("by", "reason", "given_cents", "taken_cents", "debt_cents")
        ),
        ("sheets", "body"),
    ],
)
@EVERY_WAY
def test_S4_a_changed_value_is_found_and_its_row_named(
    forger: Forger, table: str, column: str, every_way: bool
) -> None:
    assert assert_found(forger, table, column, every_way) >= 1


OPENED = "state IN ('open', 'settled', 'voided')"
RECORD = (
    *("seq", "player_id", "game", "edition", "sheet_hash", "state", "commitment", "sealed_seed"),
    *("server_seed", "client_seed", "stakes", "answers", "seated_at_ms", "opened_at_ms"),
    *("ended_at_ms", "staked_cents", "returned_cents", "balance_before_cents"),
    *("balance_after_cents", "void_reason", "replaces", "void_at_ms", "mark"),
)


@pytest.mark.parametrize("column", RECORD)
@EVERY_WAY
def test_S4_a_changed_record_of_a_round_is_found_and_named(
    forger: Forger, column: str, every_way: bool
) -> None:
    assert assert_found(forger, "rounds", column, every_way, OPENED) >= (5 if every_way else 3)


@pytest.mark.parametrize("column", ["commitment", "sealed_seed"])
def test_S4_a_pending_deal_that_was_exchanged_is_found(forger: Forger, column: str) -> None:
    waiting = "state IN ('seated', 'retired')"
    assert assert_found(forger, "rounds", column, every_way=True, within=waiting) >= 2


@pytest.mark.parametrize("table", ["transfers", "significant_events", "seals", "accounts"])
def test_S4_a_row_under_another_name_is_found(forger: Forger, table: str) -> None:
    for key, other in changes(forger, table, "id"):
        with suppress(sqlite3.IntegrityError):
            found = forger.write(f"UPDATE {table} SET id = ? WHERE id = ?", other, key)
            assert {each.table for each in found} & {table, "seals"}, (key, other)


def test_S4_a_round_under_another_name_is_found(forger: Forger) -> None:
    for key, other in changes(forger, "rounds", "id"):
        with suppress(sqlite3.IntegrityError):
            found = forger.write("UPDATE rounds SET id = ? WHERE id = ?", other, key)
            assert {each.row for each in found if each.table == "rounds"} & {key, other}


def test_S4_a_deleted_transfer_is_found_even_if_the_balances_are_made_right(forger: Forger) -> None:
    for number, debit, credit, units in forger.rows(
        "SELECT id, debit, credit, units FROM transfers"
    ):
        with forger.trying():
            forger.file.execute("DELETE FROM transfers WHERE id = ?", (number,))
            assert forger.found(), number
            sql = "UPDATE accounts SET units = units + ? WHERE id = ?"
            forger.file.execute(sql, (units, debit))
            forger.file.execute(sql, (-units, credit))
            named = {each.table for each in forger.found()}
            assert named & {"transfers", "seals"}, number


def test_S4_a_deleted_transfer_is_named_by_the_next_of_its_player(forger: Forger) -> None:
    rows = forger.rows("SELECT id, player_id FROM transfers ORDER BY id")
    for place, (number, player) in enumerate(rows):
        following = [later for later, whose in rows[place + 1 :] if whose == player]
        found = forger.write("DELETE FROM transfers WHERE id = ?", number)
        if following:
            assert (found[0].table, found[0].row) == ("transfers", str(following[0]))


@pytest.mark.parametrize("table", ["significant_events", "accounts", "reversals"])
def test_S4_a_deleted_row_is_found(forger: Forger, table: str) -> None:
    for (key,) in forger.rows(f"SELECT {KEYS[table]} FROM {table}"):
        found = forger.write(f"DELETE FROM {table} WHERE {KEYS[table]} = ?", key)
        assert {each.table for each in found} & {table, "seals"}, key


def test_S4_a_deleted_round_is_found_and_named(forger: Forger) -> None:
    for (key,) in forger.rows(f"SELECT id FROM rounds WHERE {OPENED}"):
        found = forger.write("DELETE FROM rounds WHERE id = ?", key)
        assert ("rounds", key) in {(each.table, each.row) for each in found}


@pytest.mark.parametrize("table", ["transfers", "significant_events", "seals"])
def test_S4_two_rows_that_changed_places_are_found(forger: Forger, table: str) -> None:
    numbers = [number for (number,) in forger.rows(f"SELECT id FROM {table} ORDER BY id")]
    for place, one in enumerate(numbers):
        for other in numbers[place + 1 : place + 5 : 2]:
            with forger.trying():
                for old, new in ((one, -1), (other, one), (-1, other)):
                    sql = f"UPDATE {table} SET id = ? WHERE id = ?"
                    forger.file.execute(sql, (new, old))
                assert {each.table for each in forger.found()} & {table, "seals"}, (one, other)


def test_S4_a_row_put_in_is_found(forger: Forger) -> None:
    last = forger.value("SELECT MAX(id) FROM transfers")
    for number in (-5, 0, last + 1):
        columns = ", ".join(forger.columns("transfers")[1:])
        found = forger.write(
            f"INSERT INTO transfers SELECT {number}, {columns} FROM transfers WHERE id = 1"
        )
        assert ("transfers", str(max(number, 1) if number <= 0 else number)) in {
            (each.table, each.row) for each in found
        }


def test_S4_the_end_cut_off_is_found_by_the_seals(forger: Forger) -> None:
    for table in ("transfers", "significant_events"):
        for rows in (1, 2, 5):
            found = forger.write(
                f"DELETE FROM {table} WHERE id > (SELECT MAX(id) FROM {table}) - {rows}"
            )
            assert "seals" in {each.table for each in found}


def test_S4_a_seal_that_is_missing_is_found(forger: Forger) -> None:
    rows = forger.rows("SELECT id FROM seals ORDER BY id")
    for (number,) in rows[:-1]:
        found = forger.write("DELETE FROM seals WHERE id = ?", number)
        assert ("seals", str(number + 1)) in {(each.table, each.row) for each in found}
    found = forger.write("DELETE FROM seals WHERE id = ?", *rows[-1])
    assert ("seals", "") in {(each.table, each.row) for each in found}  # by the tail


def test_S4_an_end_cut_off_cleanly_is_found_by_an_anchor_and_by_nothing_else(
    tmp_path: Path,
) -> None:
    """An older copy of the database replaces the newer one: in itself it is consistent."""
    time, path = Time(), tmp_path / "tapis.db"
    house = open_tables(path, time)
    guest, keeper = Seated(house), keeper_of(house, time)
    played(guest, "casino-stud")
    keeper.tick()
    early = bytes.fromhex(audited(house).anchor)
    house.store.close()
    older = Path(shutil.copy(path, tmp_path / "older.db"))
    house = guest.house = open_tables(path, time)
    played(guest, "casino-stud")
    keeper_of(house, time).tick()
    late = bytes.fromhex(audited(house).anchor)
    assert audited(house, early).findings == audited(house, late).findings == ()
    house.store.close()
    cut = open_tables(older, time)
    assert audited(cut).findings == audited(cut, early).findings == ()
    (found,) = audited(cut, late).findings
    assert (found.table, found.row) == ("seals", late.hex())
    cut.store.close()


def test_S4_a_chain_made_again_is_found_by_the_seals_and_seals_by_their_signature(
    forger: Forger,
) -> None:
    with forger.trying():
        forger.file.execute("UPDATE transfers SET reason = 'gift' WHERE id = 1")
        forger.chain_again()
        assert ("seals", "2") in {(each.table, each.row) for each in forger.found()}
        forger.seal_again()
        told = [each for each in forger.found() if each.table == "seals"]
        assert told[0] == Finding("seals", "2", "is not signed by the house's key")


def test_the_owner_of_an_account_is_looked_up_by_index(forger: Forger) -> None:
    """A scan of all rounds for each account makes the audit quadratic."""
    plan = forger.rows(f"EXPLAIN QUERY PLAN {audit._WITHOUT_OWNER}")
    scans = [row[-1] for row in plan if row[-1].startswith("SCAN")]
    assert len(scans) == 1, scans
    assert scans[0].startswith("SCAN accounts")
