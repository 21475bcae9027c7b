"""Many callers at the same instant, and a store without the protections against races."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from tapisvert.refusal import Refused
from tapisvert.rounds import groups
from tapisvert.store import Tx
from tapisvert.store.port import Row
from tapisvert.store.sqlite_file import migrations
from tapisvert.store.tails import IntegrityKey

T = TypeVar("T")
PATIENCE_S = 60
CROWD = 64

# The database's own protections, one line of the schema each.
PROTECTIONS = (
    r" *CONSTRAINT never_below_zero CHECK \(units >= 0\),\n",
    r"CREATE UNIQUE INDEX one_seat .*\n",
    r"CREATE UNIQUE INDEX one_open_round .*\n",
)
_BALANCES = "FROM given JOIN accounts"


def at_once(commands: Iterable[Callable[[], T]]) -> list[T | Exception]:
    """Run every command in its own thread, released together; return their outcomes."""
    every = list(commands)
    start = threading.Barrier(len(every))

    def run(command: Callable[[], T]) -> T | Exception:
        start.wait(PATIENCE_S)
        try:
            return command()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(every)) as threads:
        return list(threads.map(run, every, timeout=PATIENCE_S))


def outcomes(found: Sequence[object]) -> Counter[str]:
    """Count outcomes: accepted, the code of the refusal, or the type of the error."""

    def name(one: object) -> str:
        if isinstance(one, Refused):
            return one.code
        return type(one).__name__ if isinstance(one, Exception) else "accepted"

    return Counter(name(one) for one in found)


def ungrouped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every command a unit of its own: commands of one player in one group do not race."""
    monkeypatch.setattr(groups, "GROUP_MAX", 1)


def state_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a round be updated whatever its state."""
    monkeypatch.setattr("tapisvert.rounds.repository.invariant", lambda holds, promise: None)


class UnprotectedStore:
    """A store without protections, for the controls of the race tests; use it with `ungrouped`.

    Jobs are not serialised: each runs in its caller's thread, statement by statement, and each row
    is a commit. With `schema_too`, the database has no constraints either; with `forgetful`, no
    command records. `in_step(n)` synchronises the next n jobs: each waits until all are about to
    read a balance, so the race is lost every time.
    """

    groups_at_once = 1_000_000

    def __init__(self, path: Path, *, schema_too: bool = False, forgetful: bool = False) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.executescript(schema(schema_too))
        self._one_statement = threading.Lock()
        self._forgetful = forgetful
        self.step: threading.Barrier | None = None

    def in_step(self, jobs: int) -> None:
        """Synchronise the balance reads of the next n jobs."""
        self.step = threading.Barrier(jobs)

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(work(self))
        except BaseException as error:
            future.set_exception(error)
        return future

    read = write

    def barrier(self) -> Future[bool]:
        """Do not wait."""
        passed: Future[bool] = Future()
        passed.set_result(True)
        return passed

    def close(self) -> None:
        self._connection.close()

    def run(self, sql: str, params: Sequence[object] = ()) -> int:
        if self._forgetful and "commands" in sql:
            return 1
        with self._one_statement:
            return self._connection.execute(sql, params).rowcount

    def inserted_ids(
        self, sql: str, params: Sequence[object] = (), *, number: str = "id", rows: int = 1
    ) -> Sequence[int]:
        """Insert rows; return their numbers."""
        return [row[0] for row in self.rows(f"{sql} RETURNING {number}", params)]

    def row(self, sql: str, params: Sequence[object] = ()) -> Row | None:
        found = self.rows(sql, params)
        return found[0] if found else None

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Return all rows of a query; a balance read waits for the other jobs."""
        if self._forgetful and "commands" in sql:
            return [(0,)] if sql.startswith("INSERT") else []
        if _BALANCES in sql and self.step is not None:
            self.step.wait(PATIENCE_S)
        with self._one_statement:
            found: list[Row] = self._connection.execute(sql, params).fetchall()
        if _BALANCES in sql and self.step is not None:
            self.step.wait(PATIENCE_S)  # no job writes before all have read
        return found

    def look_up(self, sql: str, columns: Mapping[str, str], given: Sequence[Row]) -> list[Row]:
        """Query by many keys at once."""
        if not given:
            return []
        row = f"({', '.join('?' for _ in columns)})"
        head = f"WITH given ({', '.join(columns)}) AS (VALUES {', '.join([row] * len(given))}) "
        return self.rows(head + sql, [value for row in given for value in row])

    def insert(
        self, table: str, columns: Sequence[str], rows: Sequence[Row], *, number: str = "id"
    ) -> Sequence[int]:
        places = ", ".join("?" for _ in columns)
        sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"
        return [self.inserted_ids(sql, row, number=number)[0] for row in rows]

    def insert_missing(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        places = ", ".join("?" for _ in columns)
        sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"
        for row in rows:
            self.run(f"{sql} ON CONFLICT DO NOTHING", row)

    def update(
        self, table: str, columns: Sequence[str], keys: Sequence[str], rows: Sequence[Row]
    ) -> int:
        values = ", ".join(f"{name} = ?" for name in columns)
        found = " AND ".join(f"{name} = ?" for name in keys)
        return sum(self.run(f"UPDATE {table} SET {values} WHERE {found}", row) for row in rows)

    def try_lock(self, table: str, names: Sequence[str]) -> set[str]:
        return set(names)

    schema = ""

    def protect_with(self, integrity: IntegrityKey) -> None:
        """Do nothing."""

    def add_to_tail(self, table: str, number: int, digest: bytes, count: int = 1) -> None:
        """Do nothing."""

    def mark(self, content: bytes) -> bytes:
        return b""

    def lock(self, table: str, name: str) -> None:
        """Do nothing."""

    def undo(self) -> None:
        """Do nothing: every row is already committed."""


def schema(without_protections: bool) -> str:
    """Return the schema of a house, with or without the database's own protections."""
    sql = "".join(path.read_text(encoding="utf-8") for path in migrations())
    for protection in PROTECTIONS if without_protections else ():
        sql, found = re.subn(protection, "", sql)
        assert found == 1, f"the schema has no such line any more: {protection}"
    return sql
