"""S4 for pots: whatever is changed of contributions, awards, rates or a pot is found and named."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bank.tampering import EVERY_WAY, TRIGGERS, ways
from houses import KEY
from rounds.operated import Funded, Operator, act
from rounds.potted import GAME, dealt, named_deck, played, potted, stood
from rounds.seated import Seated
from tapisvert.bank.audit import Finding
from tapisvert.rounds import Dealer
from tapisvert.rounds.audit import audit
from tapisvert.rounds.keeper import Keeper
from tapisvert.sealing import Sealer
from tapisvert.store.sqlite import SqliteTx

# What is no fact of the past but how the pot stands now, or is told to nobody as proved.
FREE = {
    ("jackpots", "opened_at_ms"),
    ("jackpots", "as_of_ms"),
    ("jackpots", "reset_cents"),
    ("jackpots", "contribution"),
    ("jackpots", "next_reset_cents"),
    ("jackpots", "next_contribution"),
    ("awards", "at_ms"),
    ("rates", "at_ms"),
    ("contributions", "id"),
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pot with something of everything: stakes, wins, voids, rates, a queue, play money."""
    path = tmp_path_factory.mktemp("pots") / "tapis.db"
    house = potted(path)
    Operator(house).set_rate(GAME, "EUR", "1.4700")
    dollar, other = Funded(house), Funded(house)
    euro = Funded(house, 100_000, "EUR")
    played(Seated(house), "royal-flush")
    played(dollar, "nothing")
    Keeper(house).tick()
    played(other, "straight-flush")
    first = stood(dollar, dealt(dollar, "royal-flush"))
    played(euro, "nothing", 68)
    second = stood(euro, dealt(euro, "royal-flush", 68))
    for reply in (first, second):
        act(house, lambda office, tx, reply=reply: office.void(tx, reply.round.id, "why"))  # type: ignore[misc]
    Keeper(house).tick()
    played(other, "flush")  # waits for the next fold
    house.store.close()
    return path


@pytest.fixture
def file(filled: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(filled, isolation_level=None)) as opened:
        opened.execute("BEGIN")
        for (name,) in opened.execute(TRIGGERS).fetchall():
            opened.execute(f"DROP TRIGGER {name}")
        opened.execute("PRAGMA ignore_check_constraints = ON")
        yield opened
        opened.execute("ROLLBACK")


def found(file: sqlite3.Connection) -> tuple[Finding, ...]:
    return audit(SqliteTx(file), Dealer(Sealer(KEY), shuffle=named_deck)).findings


def test_S4_untouched_there_is_nothing_to_find(file: sqlite3.Connection) -> None:
    assert found(file) == ()
    kinds = file.execute("SELECT kind, COUNT(*) FROM contributions GROUP BY kind").fetchall()
    assert kinds == [("stake", 6), ("void", 2)]
    assert file.execute("SELECT COUNT(*) FROM awards").fetchone() == (3,)


@pytest.mark.parametrize("table", ["jackpots", "contributions", "awards", "rates"])
@EVERY_WAY
def test_S4_any_value_of_a_pot_that_is_changed_is_found(
    file: sqlite3.Connection, table: str, every_way: bool
) -> None:
    columns = [str(row[1]) for row in file.execute(f"PRAGMA table_info({table})")]
    tried = 0
    for column in columns:
        if (table, column) in FREE:
            continue
        rows = file.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
        values = [row[1] for row in rows]
        for number, (rowid, value) in enumerate(rows):
            for other in ways(value, values, None if every_way else number):
                file.execute("SAVEPOINT forged")
                try:
                    sql = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"
                    file.execute(sql, (other, rowid))
                    assert found(file), (table, column, value, other)
                    tried += 1
                except sqlite3.IntegrityError:
                    pass  # the database itself says no
                finally:
                    file.execute("ROLLBACK TO forged")
                    file.execute("RELEASE forged")
    assert tried > 1


@pytest.mark.parametrize(
    ("sql", "table", "what"),
    [
        ("DELETE FROM contributions WHERE id = 1", "jackpots", "as funded, gathered, awarded"),
        ("DELETE FROM contributions WHERE fold IS NULL", "jackpots", "wait to be gathered"),
        ("DELETE FROM awards WHERE trigger_no = 3", "jackpots", "as funded, gathered, awarded"),
        ("DELETE FROM awards WHERE trigger_no = 1", "jackpots", "as funded, gathered, awarded"),
        ("DELETE FROM rates", "jackpots", "by no rate of it"),
        ("DELETE FROM jackpots", "contributions", "was never opened"),
        ("UPDATE awards SET trigger_no = 9 WHERE trigger_no = 3", "jackpots", "award 9 is"),
        (
            "UPDATE jackpots SET epoch = 9, triggers = 9",
            "jackpots",
            "was won 3 times and 2 times whole, and says otherwise",
        ),
        (
            "UPDATE jackpots SET funded_units = funded_units + 5, units = units + 5",
            "jackpots",
            "as funded, gathered, awarded",
        ),
        (
            "UPDATE awards SET rounding_units = rounding_units + 1 WHERE rate_id = 1",
            "jackpots",
            "the rate says",
        ),
        ("UPDATE contributions SET fold = 2 WHERE id = 1", "jackpots", "was folded"),
        (
            "UPDATE contributions SET fold = 4"
            " WHERE id = (SELECT MAX(id) FROM contributions WHERE fold = 5)",
            "jackpots",
            "something else than its contributions",
        ),
        ("UPDATE awards SET share = '1:9' WHERE share = '1:10'", "jackpots", "were to be won"),
        (
            "UPDATE contributions SET units = units + 1 WHERE fold IS NULL",
            "rounds",
            "its sheet says",
        ),
        (
            "UPDATE contributions SET price_cents = 99 WHERE rate_id = 1 AND kind = 'stake'",
            "rounds",
            "for a bet of 99 at the pot",
        ),
        (
            "UPDATE contributions SET rate_id = NULL WHERE kind = 'stake'",
            "rounds",
            "by no rate of it",
        ),
        ("UPDATE contributions SET kind = 'void' WHERE fold IS NULL", "rounds", "fed the pot by"),
        (
            "UPDATE awards SET round_id = (SELECT round_id FROM contributions WHERE fold IS NULL)"
            " WHERE trigger_no = 1",
            "rounds",
            "awarded a pot; its replay says otherwise",
        ),
        (
            "UPDATE transfers SET units = units + 1 WHERE reason = 'contribution'",
            "rounds",
            "at the pot; it should be",
        ),
        ("UPDATE transfers SET reason = 'win' WHERE reason = 'award'", "rounds", "win royal"),
    ],
)
def test_S4_what_is_wrong_with_a_pot_is_said(
    file: sqlite3.Connection, sql: str, table: str, what: str
) -> None:
    file.execute(sql)
    said = [finding.what for finding in found(file) if finding.table == table]
    assert [each for each in said if what in each], found(file)
