"""Spies on the connections of a store that raise errors at a chosen statement."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from tapisvert.refusal import Refused
from tapisvert.store import SqliteStore, Store, Tx
from tapisvert.store.sqlite_file import connect

T = TypeVar("T")
PATIENCE_S = 30  # a test fails after waiting this long for an answer

# The faults of a statement at its first, second, ... execution: an error, or None to pass.
Faults = dict[str, list[Exception | None]]


class Wire:
    """A connection that records its statements and fails where the spy says so."""

    def __init__(self, connection: sqlite3.Connection, spy: Spy) -> None:
        self._connection = connection
        self._spy = spy
        self.closed = False

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        """Pass a statement on; a planned fault occurs before or after it."""
        self._spy.told.append(sql)
        _strike(self._spy.before, sql)
        cursor = self._connection.execute(sql, params)
        _strike(self._spy.after, sql)
        return cursor

    def executemany(self, sql: str, rows: Sequence[Sequence[object]]) -> sqlite3.Cursor:
        """Pass a statement for several rows on."""
        self._spy.told.append(sql)
        _strike(self._spy.before, sql)
        cursor = self._connection.executemany(sql, rows)
        _strike(self._spy.after, sql)
        return cursor

    def close(self) -> None:
        self.closed = True
        self._connection.close()


class Spy:
    """Wraps the writer's connections that a store opens from now on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, prelude: str | None = None) -> None:
        self.told: list[str] = []
        self.wires: list[Wire] = []
        self.before: Faults = {}  # the error instead of the statement
        self.after: Faults = {}  # the error although the statement was done
        self._prelude = prelude
        monkeypatch.setattr("tapisvert.store.sqlite.connect", self._connect)

    def commits(self) -> int:
        """Count the commits so far."""
        return self.told.count("COMMIT")

    def _connect(self, path: Path, *, query_only: bool = False) -> sqlite3.Connection | Wire:
        connection = connect(path, query_only=query_only)
        if query_only:
            return connection
        if self._prelude is not None:
            connection.execute(self._prelude)
        self.wires.append(Wire(connection, self))
        return self.wires[-1]


def _strike(faults: Faults, sql: str) -> None:
    if faults.get(sql):
        error = faults[sql].pop(0)
        if error is not None:
            raise error


@contextmanager
def busy(store: SqliteStore) -> Iterator[None]:
    """Keep the writer busy, so that the jobs the block queues wait together."""
    started, go_on = threading.Event(), threading.Event()

    def wait(tx: Tx) -> None:
        started.set()
        go_on.wait(PATIENCE_S)

    held = store.write(wait)
    assert started.wait(PATIENCE_S)
    try:
        yield
    finally:
        go_on.set()
        held.result(PATIENCE_S)


def put(store: Store, name: str) -> Future[str]:
    """Queue a job that inserts one fact."""

    def work(tx: Tx) -> str:
        insert(tx, name)
        return name

    return store.write(work)


def insert(tx: Tx, name: str) -> None:
    tx.run("INSERT INTO facts (name, value) VALUES (?, ?)", (name, b"x"))


def facts(store: Store) -> list[str]:
    rows = store.read(lambda tx: tx.rows("SELECT name FROM facts ORDER BY name"))
    return [name for (name,) in rows.result(PATIENCE_S)]


def code_of(future: Future[T]) -> str:
    error = future.exception(PATIENCE_S)
    assert isinstance(error, Refused), f"not refused: {error!r}"
    return error.code
