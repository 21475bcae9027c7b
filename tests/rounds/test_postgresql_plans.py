"""PostgreSQL finds the rows of a group by key, also when it planned while the tables were small."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest

from rounds.guests_in_one_group import KINDS, Tables
from rounds.house_with_operator import Operator
from stores import POSTGRESQL, url_of
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.store.postgres_database import connect
from tapisvert.store.postgres_tx import PostgresTx, translated

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)

# Tables that stay small: a row for each table that is stopped, each sheet in use, each pot, each
# rate.
SMALL = ("switches", "sheets", "jackpots", "exchange_rates")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Return the database of a house with a pot, on which nobody has played."""
    tables = Tables(tmp_path / "tapis.db")
    Operator(tables.house).open_jackpot("blackjack", "CAD")
    Operator(tables.house).set_rate("blackjack", "EUR", "1.4700")
    tables.store.close()
    return tmp_path / "tapis.db"


@pytest.fixture
def statements(house: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the statements of every kind of command, and of a seal."""
    sent: dict[str, None] = {}
    send = PostgresTx._send

    def recorded(tx: PostgresTx, sql: str, params: Sequence[object]) -> Any:
        sent[translated(sql)] = None
        return send(tx, sql, params)

    monkeypatch.setattr(PostgresTx, "_send", recorded)
    tables = Tables(house)
    for kind in (*KINDS, "retired", "repeated", "refused", "stays", "pot", "claim"):
        tables.ready(kind)[1]().result()
    Housekeeping(tables.house).seal()
    tables.store.close()
    monkeypatch.undo()
    return list(sent)


def scanned(connection: psycopg.Connection[Any], sql: str) -> list[str]:
    """Return the tables that the plan of a statement scans whole."""
    parts = sql.replace("%%", "%").split("%s")
    numbered = "".join(f"{part}${place}" for place, part in enumerate(parts[:-1], 1)) + parts[-1]
    connection.execute(f"PREPARE planned AS {numbered}", prepare=False)
    values = f"({', '.join(['NULL'] * (len(parts) - 1))})" if len(parts) > 1 else ""
    plan = connection.execute(f"EXPLAIN EXECUTE planned{values}", prepare=False).fetchall()
    connection.execute("DEALLOCATE planned", prepare=False)
    lines = [line for (line,) in plan if "Seq Scan on " in line]
    found = [line.partition("Seq Scan on ")[2].split()[0] for line in lines]
    return [table for table in found if table not in SMALL]


def all_scanned(path: Path, statements: Sequence[str], *, by_key: bool) -> dict[str, list[str]]:
    with connect(url_of(path), by_key=by_key) as connection:
        if not by_key:
            connection.execute("SET plan_cache_mode = force_generic_plan")
        found = {sql: scanned(connection, sql) for sql in statements}
    return {sql: tables for sql, tables in found.items() if tables}


def test_no_statement_of_a_command_scans_a_table_that_grows(
    house: Path, statements: list[str]
) -> None:
    assert len(statements) > 20
    assert all_scanned(house, statements, by_key=True) == {}


def test_control_one_plan_for_all_values_would_scan_tables_that_were_small(
    house: Path, statements: list[str]
) -> None:
    assert len(all_scanned(house, statements, by_key=False)) > 1
