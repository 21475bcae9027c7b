"""What SQLite does not ask for and PostgreSQL does: the types of look-ups, the numbering column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from rounds.guest_seat import Seated
from rounds.house_with_pot import played, players
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import PlayerService, stored_sheets
from tapisvert.rounds.bounded_cache import BoundedCache
from tapisvert.store import Row
from tapisvert.store.sqlite_tx import SqliteTx

TYPES = {"text", "bytea", "bigint"}  # of PostgreSQL; a wrong one is refused there


def test_look_ups_have_types_and_rows_their_numbering_column(
    pot_house: PlayerService, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_up, insert = SqliteTx.look_up, SqliteTx.insert
    looked: set[tuple[str, ...]] = set()
    inserted: set[str] = set()

    def looking(
        tx: SqliteTx, sql: str, columns: Mapping[str, str], given: Sequence[Row]
    ) -> list[Row]:
        assert set(columns.values()) <= TYPES, columns
        looked.add(tuple(columns))
        return look_up(tx, sql, columns, given)

    def inserting(
        tx: SqliteTx, table: str, columns: Sequence[str], rows: Sequence[Row], **given: Any
    ) -> Sequence[int]:
        # The first column of every table numbers or names its rows.
        first = tx.rows(f"SELECT name FROM pragma_table_info('{table}') WHERE cid = 0")
        assert [(given.get("number", "id"),)] == first, table
        inserted.add(table)
        return insert(tx, table, columns, rows, **given)

    monkeypatch.setattr(SqliteTx, "look_up", looking)
    monkeypatch.setattr(SqliteTx, "insert", inserting)
    monkeypatch.setattr(stored_sheets, "_SHEETS", BoundedCache(256))
    guest, (player,) = Seated(pot_house), players(pot_house, 1)
    guest.leave(0)
    guest.more()
    played(player, "royal-flush")
    Housekeeping(pot_house).tick()
    assert {("account", "player_id"), ("player_id", "round_id"), ("scope",)} <= looked
    assert {("player_id", "key"), ("token_hash",), ("hash",)} <= looked
    assert {"accounts", "rounds", "transfers", "contributions", "commands"} <= inserted
