"""S4 for pots: every changed contribution, award, rate or pot is found and named."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bank.forging import pot_books
from bank.tampering import TRIGGERS
from houses import KEY
from rounds.house_with_pot import named_deck
from tapisvert.bank.audit import Finding
from tapisvert.operations.audit import audit
from tapisvert.rounds import Dealer
from tapisvert.sealing import Sealer
from tapisvert.store.sqlite_tx import SqliteTx


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pots") / "tapis.db"
    pot_books(path, crashed=False)
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


@pytest.mark.parametrize(
    ("sql", "table", "what"),
    [
        ("DELETE FROM contributions WHERE id = 1", "jackpots", "as funded, gathered, awarded"),
        (
            "DELETE FROM contributions WHERE fold IS NULL",
            "jackpots",
            "its unfolded contributions sum to",
        ),
        ("DELETE FROM awards WHERE trigger_no = 3", "jackpots", "as funded, gathered, awarded"),
        ("DELETE FROM awards WHERE trigger_no = 1", "jackpots", "as funded, gathered, awarded"),
        ("DELETE FROM rates", "jackpots", "its rate is missing"),
        ("DELETE FROM jackpots", "contributions", "was never opened"),
        ("UPDATE awards SET trigger_no = 9 WHERE trigger_no = 3", "jackpots", "stores award (9, "),
        (
            "UPDATE jackpots SET epoch = 9, triggers = 9",
            "jackpots",
            "stores (9, 9) as number of awards, epoch; recomputed: (3, 3)",
        ),
        (
            "UPDATE jackpots SET funded_units = funded_units + 5, units = units + 5",
            "jackpots",
            "as funded, gathered, awarded",
        ),
        (
            "UPDATE awards SET rounding_units = rounding_units + 1 WHERE rate_id = 1",
            "jackpots",
            "as paid cents, rounding; recomputed",
        ),
        ("UPDATE contributions SET fold = 2 WHERE id = 1", "jackpots", "are not in folds 1 to"),
        (
            "UPDATE contributions SET fold = 5"
            " WHERE id = (SELECT MAX(id) FROM contributions WHERE fold = 6)",
            "jackpots",
            "differs from the sum of its contributions",
        ),
        (
            "UPDATE awards SET share = '1:9' WHERE share = '1:10'",
            "jackpots",
            "taken, after; recomputed",
        ),
        (
            "UPDATE contributions SET units = units + 1 WHERE fold IS NULL",
            "rounds",
            "its sheet requires",
        ),
        (
            "UPDATE contributions SET price_cents = 99 WHERE rate_id = 1 AND kind = 'stake'",
            "rounds",
            "its contribution's price of 99 gives",
        ),
        (
            "UPDATE contributions SET rate_id = NULL WHERE kind = 'stake'",
            "rounds",
            "its rate is missing",
        ),
        (
            "UPDATE contributions SET kind = 'void' WHERE fold IS NULL",
            "rounds",
            "has contributions",
        ),
        (
            "UPDATE awards SET round_id = (SELECT round_id FROM contributions WHERE fold IS NULL)"
            " WHERE trigger_no = 1",
            "rounds",
            "award; its replay has",
        ),
        (
            "UPDATE transfers SET units = units + 1 WHERE reason = 'contribution'",
            "rounds",
            "; its rows give",
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
