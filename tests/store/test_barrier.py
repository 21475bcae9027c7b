"""Sealing on PostgreSQL: only up to a number that no lower uncommitted number can follow.

A row gets its number when it is written and becomes visible when it is committed. The control seals
without waiting; a lower number then commits late, and the audit reports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import psycopg
import pytest

from houses import KEY
from rounds.guest_seat import PATIENCE_S, Seated, rows_of
from rounds.house_with_operator import Time, audited, findings, keeper_of, played
from stores import POSTGRESQL, url_of
from tapisvert.bank import ledger, money
from tapisvert.bank.money import Purse, Transfer
from tapisvert.rounds import PlayerService
from tapisvert.sealing import Sealer
from tapisvert.store import postgres
from tapisvert.store.postgres_database import Connection, connect
from tapisvert.store.postgres_tail import ConnectionTail
from tapisvert.store.postgres_tx import PostgresTx
from tapisvert.store.tails import IntegrityKey

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)


@pytest.fixture
def lines(tmp_path: Path) -> Iterator[list[Connection]]:
    """Return connections of two servers, each inside a transaction."""
    opened = [connect(url_of(tmp_path / "tapis.db")) for _ in range(2)]
    for line in opened:
        line.execute("BEGIN")
    yield opened
    for line in opened:
        line.close()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a barrier give up after one poll."""
    monkeypatch.setattr(postgres, "_BARRIER_S", 0.0)


def grant(line: Connection, guest: Seated) -> None:
    mine = money.player_account(guest.player_id)
    move = Transfer("cashier:FUN", mine, 1, "grant")
    tx, integrity = PostgresTx(line, begun=True), IntegrityKey(Sealer(KEY).integrity_key)
    ledger.move(tx, Purse(guest.player_id, "FUN", 0), move)
    line.execute(ConnectionTail(line, integrity).save_statement(tx.counted))


def seal(house: PlayerService) -> int:
    """Seal what may be sealed; return the last numbers covered."""
    keeper_of(house, Time()).seal()
    return int(rows_of(house, "SELECT COALESCE(MAX(last_transfer), 0) FROM seals")[0][0])


@pytest.mark.parametrize("known_first", [True, False], ids=["late", "early"])
@pytest.mark.usefixtures("hasty")
def test_a_seal_waits_for_a_lower_number_that_is_still_to_come(
    house: PlayerService, lines: list[Connection], known_first: bool
) -> None:
    """The late transaction began before the other, or after."""
    (late, other), one, two = lines, Seated(house), Seated(house)
    if not known_first:  # the end of the other's snapshot is then no bound for the late one
        other.execute("SELECT pg_current_xact_id()")
    grant(late, one)
    grant(other, two)
    other.execute("COMMIT")
    assert [row[0] for row in rows_of(house, "SELECT id FROM transfers ORDER BY id")] == [1, 2, 4]
    assert seal(house) == 0  # not even what lies before: it is asked for as one piece
    late.execute("COMMIT")
    assert seal(house) == 4
    assert findings(house) == ()
    assert audited(house).unsealed == 0


@pytest.mark.usefixtures("hasty")
def test_control_a_seal_that_does_not_wait_misses_the_lower_number(
    house: PlayerService, lines: list[Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    passed: Future[bool] = Future()
    passed.set_result(True)
    monkeypatch.setattr(house.store, "barrier", lambda: passed)
    (late, other), one, two = lines, Seated(house), Seated(house)
    grant(late, one)
    grant(other, two)
    other.execute("COMMIT")
    assert seal(house) == 4
    late.execute("COMMIT")
    assert [finding.table for finding in findings(house)] == ["seals", "transfers"]


def test_a_number_that_was_drawn_and_never_used_keeps_no_seal_waiting(
    house: PlayerService, lines: list[Connection]
) -> None:
    guest = Seated(house)
    grant(lines[0], guest)
    lines[0].execute("ROLLBACK")
    lines[1].execute("ROLLBACK")
    played(guest, "casino-stud")
    ((last,),) = rows_of(house, "SELECT MAX(id) FROM transfers")
    assert seal(house) == last
    assert findings(house) == ()


def test_the_barrier_opens_when_what_was_under_way_has_ended(
    house: PlayerService, lines: list[Connection]
) -> None:
    guest = Seated(house)
    grant(lines[0], guest)
    waiting = house.store.barrier()
    lines[0].execute("COMMIT")
    assert waiting.result(PATIENCE_S) is True


@pytest.mark.usefixtures("hasty")
def test_the_barrier_does_not_wait_for_readers(
    house: PlayerService, lines: list[Connection]
) -> None:
    lines[0].execute("SELECT COUNT(*) FROM transfers")
    assert house.store.barrier().result(PATIENCE_S) is True


@pytest.mark.parametrize("table", ["transfers", "significant_events"])
def test_a_transaction_is_numbered_before_its_rows_are(
    house: PlayerService, tmp_path: Path, table: str
) -> None:
    """The barrier requires this order. Control: without the trigger a row is numbered first."""
    column, rest = {
        "transfers": ("bet", "(at_ms, debit, credit, currency, units, reason, player_id)"),
        "significant_events": ("player_id", "(at_ms, kind, data)"),
    }[table]
    guest = Seated(house)
    values = {
        "transfers": f"(0, 'cashier:FUN', 'house:x', 'FUN', 1, 'grant', '{guest.player_id}')",
        "significant_events": "(0, 'test', '{}')",
    }[table]
    with psycopg.connect(url_of(tmp_path / "tapis.db"), autocommit=True) as line:
        known = "pg_current_xact_id_if_assigned()::text"
        line.execute(f"ALTER TABLE {table} ALTER {column} SET DEFAULT {known}")
        for protected in (True, False):
            line.execute(f"INSERT INTO {table} {rest} VALUES {values}")
            row = line.execute(f"SELECT {column} FROM {table} ORDER BY id DESC").fetchone()
            assert row is not None
            assert (row[0] is not None) is protected
            name = "events" if table == "significant_events" else table
            line.execute(f"ALTER TABLE {table} DISABLE TRIGGER {name}_are_numbered_late")
