"""S4 on PostgreSQL: a sample of all changes, and the several tails that only PostgreSQL has.

The second tier covers every table and column, and more combinations (test_S4_forging.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from bank.forging import BOOKS, check_forgeries_found
from bank.writable import PostgresBooks
from rounds.guest_seat import Seated
from rounds.house_with_operator import Funded, findings, known_deck, open_tables, played
from stores import POSTGRESQL, url_of
from tapisvert.store.postgres_database import connect
from tapisvert.store.postgres_schema import described
from tiers import one_in

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)


@pytest.mark.parametrize("kind", one_in(2, ["tables after a crash", "pot after a crash"]))
def test_S4_a_sample_of_all_changes_is_found(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "tapis.db"
    BOOKS[kind].write(path, crashed=True)
    books = PostgresBooks(path, BOOKS[kind].shuffle)
    books.disarm()
    assert books.found() == ()
    check_forgeries_found(books, Random(20), 30, 2)
    books.close()


def test_S4_a_value_that_a_check_forbids_is_found_when_the_schema_looks_as_before(
    tmp_path: Path,
) -> None:
    """The owner drops the check, disables triggers, and restores both."""
    house = open_tables(tmp_path / "tapis.db")
    guest = Seated(house)
    house.store.close()
    line = connect(url_of(tmp_path / "tapis.db"))
    before = described(line)
    line.execute("ALTER TABLE accounts DROP CONSTRAINT never_below_zero")
    line.execute("ALTER TABLE accounts DISABLE TRIGGER ALL")
    line.execute("UPDATE accounts SET units = -100000")
    line.execute("ALTER TABLE accounts ENABLE TRIGGER ALL")
    line.execute(
        "ALTER TABLE accounts ADD CONSTRAINT never_below_zero CHECK (units >= 0) NOT VALID"
    )
    line.execute("UPDATE pg_constraint SET convalidated = TRUE WHERE conname = 'never_below_zero'")
    assert described(line) == before
    line.close()
    again = open_tables(tmp_path / "tapis.db")
    found = {(each.table, each.row) for each in findings(again)}
    assert ("accounts", f"player:{guest.player_id}") in found


@pytest.fixture
def books(tmp_path: Path) -> Iterator[PostgresBooks]:
    """Return a database that two servers have written at once: each has a tail, and there is no
    seal.
    """
    houses = [open_tables(tmp_path / "tapis.db") for _ in range(2)]
    for house in houses:
        played(Seated(house), "casino-stud")
        played(Funded(house), "pai-gow")
    for house in houses:
        house.store.close()
    made = PostgresBooks(tmp_path / "tapis.db", known_deck)
    made.disarm()
    assert made.found() == ()
    yield made
    made.close()


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM tails WHERE slot = 0",
        "DELETE FROM tails WHERE slot = 1",
        "UPDATE tails SET slot = slot + 2",
        "UPDATE tails SET slot = 2 WHERE slot = 0",
        "UPDATE tails SET body = (SELECT body FROM tails WHERE slot = 0)",
        "UPDATE tails SET (body, mac) = (SELECT body, mac FROM tails WHERE slot = 0)",
        "UPDATE tails SET (body, mac) = (SELECT o.body, o.mac FROM tails o"
        " WHERE o.slot = 1 - tails.slot)",
        "INSERT INTO tails SELECT 2, body, mac FROM tails WHERE slot = 1",
        "UPDATE tails SET body = ''",
    ],
)
def test_S4_tails_of_several_servers_cannot_be_exchanged(books: PostgresBooks, sql: str) -> None:
    with books.trying():
        books.forge(sql)
        assert {found.table for found in books.found()}
