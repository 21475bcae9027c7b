"""One SQLite transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from tapisvert.refusal import Refused
from tapisvert.store.port import Row
from tapisvert.store.tails import Counted, IntegrityKey

_ROWS_MAX = 64  # of an INSERT


def _rounded_up(many: int) -> int:
    """Return the next power of two, so that few different statements are prepared and cached.

    >>> [_rounded_up(many) for many in (1, 2, 3, 5, 64)]
    [1, 2, 4, 8, 64]
    """
    return 1 << (many - 1).bit_length()


def _in_powers_of_two(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Split rows into parts of 64, 32, 16 ... rows, so that few different statements are prepared.

    >>> [len(part) for part in _in_powers_of_two([()] * 139)]
    [64, 64, 8, 2, 1]
    """
    at = 0
    while at < len(rows):
        many = min(_ROWS_MAX, 1 << (len(rows) - at).bit_length() - 1)
        yield rows[at : at + many]
        at += many


# Cached SQL texts. There are few: one for each table, and for each power of two of rows or keys.


@cache
def _looking(sql: str, columns: tuple[str, ...], many: int) -> str:
    row = f"({', '.join('?' for _ in columns)})"
    return f"WITH given ({', '.join(columns)}) AS (VALUES {', '.join([row] * many)}) {sql}"


@cache
def _insertion(table: str, columns: tuple[str, ...], many: int) -> str:
    row = f"({', '.join('?' for _ in columns)})"
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES {', '.join([row] * many)}"


@cache
def _change(table: str, columns: tuple[str, ...], keys: tuple[str, ...]) -> str:
    values = ", ".join(f"{name} = ?" for name in columns)
    found = " AND ".join(f"{name} = ?" for name in keys)
    return f"UPDATE {table} SET {values} WHERE {found}"


class SqliteTx:
    """One connection inside a transaction."""

    def __init__(
        self, connection: sqlite3.Connection, integrity: IntegrityKey | None = None
    ) -> None:
        self._connection = connection
        self._integrity = integrity
        self.counted: list[Counted] = []  # rows the group has written so far
        self.began_at = 0  # the number of them from earlier units

    def run(self, sql: str, params: Sequence[object] = ()) -> int:
        """Run a statement; return the number of rows changed."""
        return self._execute(sql, params).rowcount

    def inserted_ids(
        self, sql: str, params: Sequence[object] = (), *, number: str = "id", rows: int = 1
    ) -> Sequence[int]:
        """Insert rows; there is one writer, so their numbers are consecutive."""
        last = self._execute(sql, params).lastrowid
        assert last is not None
        return range(last - rows + 1, last + 1)

    def row(self, sql: str, params: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query."""
        found: Row | None = self._execute(sql, params).fetchone()
        return found

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Return all rows of a query."""
        return self._execute(sql, params).fetchall()

    def look_up(self, sql: str, columns: Mapping[str, str], given: Sequence[Row]) -> list[Row]:
        """Query by many keys at once."""
        if not given:
            return []
        places = _rounded_up(len(given))
        values = [value for row in given for value in row]
        values += [None] * (places * len(columns) - len(values))  # NULL joins nothing
        return self.rows(_looking(sql, tuple(columns), places), values)

    def insert(
        self, table: str, columns: Sequence[str], rows: Sequence[Row], *, number: str = "id"
    ) -> Sequence[int]:
        """Insert rows; there is one writer, so their numbers are consecutive.

        A statement of many rows is cheaper than one row after another: `executemany` steps the
        statement, and lets other threads run, for each row.
        """
        if not rows:
            return ()
        last: int | None = None
        for part in _in_powers_of_two(rows):
            sql = _insertion(table, tuple(columns), len(part))
            last = self._execute(sql, list(chain.from_iterable(part))).lastrowid
        assert last is not None
        return range(last - len(rows) + 1, last + 1)

    def insert_missing(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Insert those rows whose key is not in the table yet."""
        if rows:
            sql = f"{_insertion(table, tuple(columns), 1)} ON CONFLICT DO NOTHING"
            self._execute(sql, rows, many=True)

    def update(
        self, table: str, columns: Sequence[str], keys: Sequence[str], rows: Sequence[Row]
    ) -> int:
        """Set columns of many rows."""
        if not rows:
            return 0
        sql = _change(table, tuple(columns), tuple(keys))
        return self._execute(sql, rows, many=True).rowcount

    def try_lock(self, table: str, names: Sequence[str]) -> set[str]:
        """Return all names: the only writer holds every lock."""
        return set(names)

    def _execute(self, sql: str, params: Sequence[object], *, many: bool = False) -> sqlite3.Cursor:
        execute: Any = self._connection.executemany if many else self._connection.execute
        try:
            found: sqlite3.Cursor = execute(sql, params)
            return found
        except OverflowError:  # a parameter exceeds 64 bits
            raise Refused("ledger/overflow") from None
        except sqlite3.IntegrityError as error:
            # A sum beyond 64 bits becomes a REAL, which no column stores.
            if "REAL value in INTEGER column" in str(error):
                raise Refused("ledger/overflow") from None
            raise

    def lock(self, table: str, name: str) -> None:
        """Do nothing: the only writer holds every lock."""

    def undo(self) -> None:
        """Roll back everything this unit has written so far, and continue the unit."""
        self._connection.execute("ROLLBACK TO job")
        del self.counted[self.began_at :]

    def add_to_tail(self, table: str, number: int, digest: bytes, count: int = 1) -> None:
        """Add a row to the tail."""
        self.counted.append((table, number, digest, count))

    def mark(self, content: bytes) -> bytes:
        """Return a row's MAC under the house key."""
        return self._integrity.mark(content) if self._integrity else b""
