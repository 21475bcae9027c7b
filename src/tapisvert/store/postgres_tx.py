"""One PostgreSQL transaction: plain SQL, rows sent as column arrays, named locks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import compress

import psycopg
from psycopg import errors

from tapisvert.refusal import Refused
from tapisvert.store.port import Row
from tapisvert.store.postgres_arrays import Array, columns_of
from tapisvert.store.postgres_database import Connection
from tapisvert.store.tails import Counted, IntegrityKey

BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
_COLUMN_TYPES = (
    "SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute"
    " WHERE attrelid = %s::text::regclass AND attnum > 0 AND NOT attisdropped"
)
_TYPES: dict[str, dict[str, str]] = {}  # column types by table: the same in all databases
_LOOKING = ("SELECT", "WITH")
_IN_LITERALS_OR_NOT = re.compile(r"'(?:[^']|'')*'|\?|%")


class PostgresTx:
    """One connection inside a transaction."""

    def __init__(
        self, connection: Connection, integrity: IntegrityKey | None = None, *, begun: bool = False
    ) -> None:
        """Use a connection on which the transaction has `begun`, or begin it later.

        BEGIN is sent with the first lock or write, in the same message. A query before that needs
        no transaction: at READ COMMITTED every statement has its own snapshot.
        """
        self._connection = connection
        self._integrity = integrity
        self.begun = begun
        self._marked = False  # whether a savepoint is set
        self.counted: list[Counted] = []

    def run(self, sql: str, params: Sequence[object] = ()) -> int:
        """Run a statement; return the number of rows changed."""
        return self._execute(sql, params).rowcount

    def inserted_ids(
        self, sql: str, params: Sequence[object] = (), *, number: str = "id", rows: int = 1
    ) -> Sequence[int]:
        """Insert rows; return their numbers."""
        return [row[0] for row in self.rows(f"{sql} RETURNING {number}", params)]

    def row(self, sql: str, params: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query."""
        return self._execute(sql, params).fetchone()

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Return all rows of a query."""
        return self._execute(sql, params).fetchall()

    def look_up(self, sql: str, columns: Mapping[str, str], given: Sequence[Row]) -> list[Row]:
        """Query by many keys at once."""
        if not given:
            return []
        arrays = _arrays(columns.values())
        head = f"WITH given ({', '.join(columns)}) AS (SELECT * FROM unnest({arrays})) "
        return self.rows(head + sql, columns_of(list(columns.values()), given))

    def insert(
        self, table: str, columns: Sequence[str], rows: Sequence[Row], *, number: str = "id"
    ) -> Sequence[int]:
        """Insert rows in order: PostgreSQL sorts before it assigns numbers."""
        if not rows:
            return ()
        return [row[0] for row in self._insert(table, columns, rows, f"RETURNING {number}")]

    def insert_missing(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Insert those rows whose key is not in the table yet."""
        if rows:
            self._insert(table, columns, rows, "ON CONFLICT DO NOTHING")

    def _insert(
        self, table: str, columns: Sequence[str], rows: Sequence[Row], end: str
    ) -> psycopg.Cursor[Row]:
        names, types = ", ".join(columns), self._types(table, columns)
        sql = (
            f"INSERT INTO {table} ({names}) SELECT {names} FROM unnest({_arrays(types)})"
            f" WITH ORDINALITY AS given ({names}, place) ORDER BY place {end}"
        )
        return self._write_rows(sql, types, rows)

    def update(
        self, table: str, columns: Sequence[str], keys: Sequence[str], rows: Sequence[Row]
    ) -> int:
        """Set columns of many rows."""
        if not rows:
            return 0
        new = [f"new_{name}" for name in columns]
        values = ", ".join(f"{name} = new_{name}" for name in columns)
        found = " AND ".join(f"{table}.{name} = given.{name}" for name in keys)
        types = self._types(table, (*columns, *keys))
        sql = (
            f"UPDATE {table} SET {values} FROM unnest({_arrays(types)})"
            f" AS given ({', '.join((*new, *keys))}) WHERE {found}"
        )
        return self._write_rows(sql, types, rows).rowcount

    def _write_rows(
        self, sql: str, types: Sequence[str], rows: Sequence[Row]
    ) -> psycopg.Cursor[Row]:
        """Send the columns of rows to write; begin the transaction if it has not begun."""
        if not self.begun:
            self._in_transaction("")
        return self._send(sql, columns_of(types, rows))

    def _types(self, table: str, columns: Sequence[str]) -> list[str]:
        """Return the types of a table's columns."""
        if table not in _TYPES:
            found = self._connection.execute(_COLUMN_TYPES, (table,)).fetchall()
            _TYPES[table] = dict(found)
        return [_TYPES[table][name] for name in columns]

    def try_lock(self, table: str, names: Sequence[str]) -> set[str]:
        """Take the locks that are free."""
        if not names:
            return set()
        numbers = [_lock_number(table, name) for name in names]
        calls = ", ".join(f"pg_try_advisory_xact_lock({number})" for number in numbers)
        taken = self._in_transaction(f"SELECT {calls}").fetchone()
        assert taken is not None
        return set(compress(names, taken))

    def lock(self, table: str, name: str) -> None:
        """Wait for this lock; hold it until the unit ends."""
        sql = f"SELECT pg_advisory_xact_lock({_lock_number(table, name)})"
        if not self._marked:  # lock and savepoint go in one message
            sql += "; SAVEPOINT job"
        try:
            self._in_transaction(sql)
            self._marked = True
        except errors.LockNotAvailable:
            raise Refused("request/in_flight") from None

    def undo(self) -> None:
        """Roll back everything this unit has written so far, and continue the unit."""
        if self._marked:
            self._connection.execute("ROLLBACK TO SAVEPOINT job", prepare=False)
        self.counted.clear()

    def add_to_tail(self, table: str, number: int, digest: bytes, count: int = 1) -> None:
        """Add a row to the tail."""
        self.counted.append((table, number, digest, count))

    def mark(self, content: bytes) -> bytes:
        """Return a row's MAC under the house key."""
        return self._integrity.mark(content) if self._integrity else b""

    def _execute(self, sql: str, params: Sequence[object]) -> psycopg.Cursor[Row]:
        # The savepoint is set at the first single write or after the first lock, not earlier:
        # rolling back to a savepoint releases the locks taken after it. A group sets no savepoint:
        # it is rolled back as a whole.
        if not self._marked and not sql.startswith(_LOOKING):
            self._in_transaction("SAVEPOINT job")
            self._marked = True
        return self._send(sql, params)

    def _in_transaction(self, sql: str) -> psycopg.Cursor[Row]:
        """Send a statement without parameters; begin the transaction if it has not begun."""
        if self.begun:
            return self._connection.execute(sql, prepare=False)
        self.begun = True
        sent = self._connection.execute(f"{BEGIN}; {sql}", prepare=False)
        sent.nextset()  # from the result of BEGIN to that of the statement
        return sent

    def _send(self, sql: str, params: Sequence[object]) -> psycopg.Cursor[Row]:
        try:
            return self._connection.execute(translated(sql), params)
        except errors.NumericValueOutOfRange:  # a parameter or a sum
            raise Refused("ledger/overflow") from None
        except psycopg.DataError:
            if _has_nul(params):
                reason = "a text with a NUL character cannot be stored here"
                raise Refused("request/malformed", reason=reason) from None
            raise


def _has_nul(params: Sequence[object]) -> bool:
    """Tell whether a text parameter, or a text in an array parameter, contains a NUL character."""
    return any(
        "\0" in each if isinstance(each, str) else isinstance(each, Array) and _has_nul(each.values)
        for each in params
    )


def _arrays(types: Iterable[str]) -> str:
    """Return array placeholders of these types."""
    return ", ".join(f"?::{kind}[]" for kind in types)


def _lock_number(table: str, name: str) -> int:
    digest = hashlib.sha256(f"{table} {name}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


@lru_cache(1024)
def translated(sql: str) -> str:
    """Return a statement in psycopg's form: `%s` for each `?` outside a string literal.

    >>> translated("SELECT '?', 7 % 4, '100 %' WHERE id = ?")
    "SELECT '?', 7 %% 4, '100 %%' WHERE id = %s"
    """

    def one(found: re.Match[str]) -> str:
        return "%s" if found[0] == "?" else found[0].replace("%", "%%")

    return _IN_LITERALS_OR_NOT.sub(one, sql)
