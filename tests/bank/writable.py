"""Databases on SQLite or PostgreSQL that a forger without the key can write, with rollback."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from bank.tampering import Forger
from houses import KEY
from stores import POSTGRESQL, VIOLATIONS, url_of
from tapisvert.bank.audit import Finding
from tapisvert.operations.audit import audit
from tapisvert.rounds import Dealer
from tapisvert.rounds.decks import Shuffle
from tapisvert.sealing import Sealer
from tapisvert.store import Row
from tapisvert.store.postgres_database import connect
from tapisvert.store.postgres_reading import Reading
from tapisvert.store.postgres_tx import translated

_OF_A_GAME = ("player_id", "game")
# Values an audit does not report, and the reason.
EXCEPTIONS = {
    ("rounds", "seen"): "whether a player was shown how a round ended; nothing depends on it",
    **dict.fromkeys(
        (
            ("own_rules", column)
            for column in ("player_id", "game", "sheet_hash", "name", "in_force")
        ),
        "chosen rules of play money: a round is covered with the hash of the sheet it is played by",
    ),
    **dict.fromkeys(
        (
            *(("practice_cards", column) for column in (*_OF_A_GAME, "position", "theme")),
            *(("practice_cards", column) for column in ("memory", "source")),
            *(("practice_questions", column) for column in (*_OF_A_GAME, "question", "choice")),
            ("practice_questions", "reply"),
            *(("practice_answers", column) for column in (*_OF_A_GAME, "number", "theme")),
            *(("practice_answers", column) for column in ("at_ms", "cost_ppm")),
            *(("practice_streaks", column) for column in ("player_id", "streak")),
        ),
        "practice: no money, no round and no statistic depends on it",
    ),
    ("contributions", "fold"): "which of two equal parts was gathered first: no sum depends on it",
}
# Refused by NOT NULL, UNIQUE or the column type.
IMPOSSIBLE = (*VIOLATIONS, psycopg.errors.DatatypeMismatch)
# Internal to the databases: SQLite's sequence counters, and PostgreSQL's schema version, which is
# checked before anything is opened (tests/store/test_postgres_opening).
NOT_OURS = ("sqlite_sequence", "schema_version")


class Books(ABC):
    """A database, and a forger's operations on it."""

    tables: list[str]
    place = "?"  # the placeholder of a key

    @abstractmethod
    def disarm(self) -> None:
        """Drop the constraints and triggers that would refuse a forgery, permanently."""

    @abstractmethod
    def columns(self, table: str) -> list[str]:
        """Return the columns of a table."""

    @abstractmethod
    def key(self, table: str) -> str:
        """Return the key column of a table."""

    @abstractmethod
    def rows(self, sql: str, *params: object) -> list[Row]:
        """Run a query."""

    @abstractmethod
    def forge(self, sql: str, params: Sequence[object] = ()) -> None:
        """Write; return `IMPOSSIBLE` if the database refuses it even without triggers."""

    @abstractmethod
    @contextmanager
    def trying(self) -> Iterator[None]:
        """Roll back everything done in the block."""

    @abstractmethod
    def found(self) -> tuple[Finding, ...]:
        """Return the findings of an audit now."""

    @abstractmethod
    def close(self) -> None:
        """Close the database."""

    def values(self, table: str, column: str) -> list[tuple[Any, Any]]:
        """Return every row's key and its value in a column."""
        rows = self.rows(f"SELECT {self.key(table)}, {column} FROM {table} ORDER BY 1")
        return [(key, value) for key, value in rows]

    def where(self, table: str) -> str:
        """Return the condition that selects a row by its key."""
        return f"WHERE {self.key(table)} = {self.place}"

    def change(self, table: str, column: str, key: object, value: object) -> None:
        """Change a value."""
        self.forge(f"UPDATE {table} SET {column} = ? {self.where(table)}", (value, key))

    def delete(self, table: str, key: object) -> None:
        """Delete a row."""
        self.forge(f"DELETE FROM {table} {self.where(table)}", (key,))

    def insert(self, table: str, row: Sequence[object]) -> None:
        """Insert a row."""
        places = ", ".join("?" for _ in row)
        self.forge(f"INSERT INTO {table} VALUES ({places})", row)

    def content(self) -> dict[str, list[Row]]:
        """Return all stored values except those an audit need not report."""
        columns = {
            table: [name for name in self.columns(table) if (table, name) not in EXCEPTIONS]
            for table in self.tables
        }
        return {
            table: sorted(self.rows(f"SELECT {', '.join(names)} FROM {table}"), key=repr)
            for table, names in columns.items()
            if names
        }


class SqliteBooks(Books):
    """A copy in memory."""

    def __init__(self, path: Path, shuffle: Shuffle) -> None:
        self._forger = Forger(":memory:", shuffle)
        with closing(sqlite3.connect(path)) as written:
            written.backup(self._forger.file)
        names = self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        self.tables = [name for (name,) in names if name not in NOT_OURS]

    def disarm(self) -> None:
        self._forger._disarm()

    def columns(self, table: str) -> list[str]:
        return self._forger.columns(table)

    def key(self, table: str) -> str:
        known = {"sessions": "token_hash", "accounts": "id"}  # two have no rowid
        return known.get(table, "rowid")

    def rows(self, sql: str, *params: object) -> list[Row]:
        return self._forger.rows(sql, *params)

    def forge(self, sql: str, params: Sequence[object] = ()) -> None:
        self._forger.file.execute(sql, params)

    @contextmanager
    def trying(self) -> Iterator[None]:
        with self._forger.trying():
            yield

    def found(self) -> tuple[Finding, ...]:
        return self._forger.found()

    def close(self) -> None:
        self._forger.file.close()


# Constraints that the owner of a table can drop and restore.
_HERE = "current_schema()::regnamespace"
_TABLES = f"SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = {_HERE} ORDER BY 1"
_CHECKS = f"""SELECT conrelid::regclass::text, conname FROM pg_constraint
    WHERE contype = 'c' AND connamespace = {_HERE}"""
_COLUMNS = """SELECT attname, attnotnull, attidentity <> '', attnum = ANY (COALESCE(conkey, '{}'))
    FROM pg_attribute LEFT JOIN pg_constraint ON conrelid = attrelid AND contype = 'p'
    WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum"""


class PostgresBooks(Books):
    """The database itself; triggers are disabled for each change only."""

    place = "?::tid"

    def __init__(self, path: Path, shuffle: Shuffle) -> None:
        self.line = connect(url_of(path))
        self._dealer = Dealer(Sealer(KEY), shuffle=shuffle)
        names = self.rows(_TABLES)
        self.tables = [name for (name,) in names if name not in NOT_OURS]

    def disarm(self) -> None:
        for table, name in self.rows(_CHECKS):
            self.line.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        for table in self.tables:
            self._loosen(table)

    def _loosen(self, table: str) -> None:
        """Drop a column's NOT NULL and CHECK constraints."""
        for column, required, numbered, in_key in self.rows(_COLUMNS, table):
            if numbered:
                self.line.execute(f"ALTER TABLE {table} ALTER {column} SET GENERATED BY DEFAULT")
            elif required and not in_key:
                self.line.execute(f"ALTER TABLE {table} ALTER {column} DROP NOT NULL")

    def columns(self, table: str) -> list[str]:
        return [name for name, *_ in self.rows(_COLUMNS, table)]

    def key(self, table: str) -> str:
        return "ctid"  # where it lies

    def rows(self, sql: str, *params: object) -> list[Row]:
        return self.line.execute(translated(sql), params).fetchall()

    def forge(self, sql: str, params: Sequence[object] = ()) -> None:
        role = "SET LOCAL session_replication_role = "
        with self.line.transaction():  # a refused statement does not end the trial
            self.line.execute(f"{role} replica")  # no trigger fires, no foreign key is looked at
            self.line.execute(translated(sql), params)
            self.line.execute(f"{role} origin")

    @contextmanager
    def trying(self) -> Iterator[None]:
        with self.line.transaction(force_rollback=True):
            yield

    def found(self) -> tuple[Finding, ...]:
        with self.line.transaction():
            return audit(Reading(self.line), self._dealer).findings

    def close(self) -> None:
        self.line.close()


def books_on(engine: str, path: Path, shuffle: Shuffle) -> Books:
    """Return the database of a path on an engine."""
    return (PostgresBooks if engine == POSTGRESQL else SqliteBooks)(path, shuffle)
