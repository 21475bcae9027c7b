"""PostgreSQL: several writers at once, one command one transaction, answered after its commit.

Commands of one player come one after another because each begins by taking that player's lock
(`Tx.lock`); at READ COMMITTED every statement after it sees what the unit before has committed
(docs/adr/0023-postgresql.md says why not a stricter level). Readers have one snapshot each.

A unit is run again, whole, when it met a deadlock or lost its connection. If the connection was
lost during COMMIT nobody knows whether it was kept; running it again finds it done by its key.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import psycopg
from psycopg import errors

from tapisvert.refusal import Refused
from tapisvert.store.port import Tx
from tapisvert.store.postgres_database import Connection, connect, prepare
from tapisvert.store.postgres_tail import ConnectionTail
from tapisvert.store.postgres_tx import PostgresTx
from tapisvert.store.tails import IntegrityKey

T = TypeVar("T")
_WRITERS, _READERS = 8, 4  # connections of one server process
_TRIES_MAX = 20  # of a unit that meets deadlocks
_CONNECTIONS_MAX = 3  # that a unit may lose
_PAUSE_MS = 5
_BARRIER_S, _BARRIER_PAUSE_S = 2.0, 0.01
_WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class PostgresStore:
    """The store of an operator: any number of server processes on one database."""

    # Two beside one another gave the same rate for a third more processor time (docs/adr/0029).
    groups_at_once = 1

    def __init__(self, url: str, *, new: bool = True) -> None:
        self.schema = prepare(url, new=new)
        self._url = url
        self._of_thread = threading.local()
        self._connections: set[Connection] = set()
        self._integrity: IntegrityKey | None = None
        self._writers = ThreadPoolExecutor(_WRITERS, thread_name_prefix="writer")
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="reader")

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run work in a transaction of its own; the future is done after its commit."""
        return _submit(self._writers, lambda: self._write(work))

    def read(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run queries on one snapshot."""
        return _submit(self._readers, lambda: self._on_a_connection(lambda line: _look(line, work)))

    def protect_with(self, integrity: IntegrityKey) -> None:
        """Write the tail in every commit from now on."""
        self._integrity = integrity

    def barrier(self) -> Future[bool]:
        """Wait until every transaction that has begun has ended."""
        return _submit(self._readers, lambda: self._on_a_connection(_earlier_have_ended))

    def close(self) -> None:
        """Finish what is queued, then close every connection."""
        self._writers.shutdown()
        self._readers.shutdown()
        for connection in list(self._connections):
            self._let_go(connection)

    def _write(self, work: Callable[[Tx], T]) -> T:
        for attempt in range(_TRIES_MAX):
            try:
                return self._on_a_connection(lambda line: self._unit(line, work))
            except (errors.SerializationFailure, errors.DeadlockDetected):
                time.sleep(_pause_s(attempt))
        raise Refused("store/unavailable")

    def _unit(self, connection: Connection, work: Callable[[Tx], T]) -> T:
        """Run work and commit it."""
        connection.execute(_WRITE, prepare=False)
        tx = self.transaction(connection)
        try:
            done = work(tx)
        except BaseException:
            _roll_back(connection)
            raise
        tail = self._tail_of(connection) if self._integrity and tx.counted else None
        kept = "SELECT must_be_durable()" if tail is None else tail.keep(tx.counted)
        # In one message with the commit: nothing can change in between, and no time is lost.
        last = connection.execute(f"{kept}; COMMIT", prepare=False)
        while last.nextset():
            pass
        # A transaction that has failed, unnoticed by its work, is rolled back by COMMIT too.
        if last.statusmessage != "COMMIT":
            raise psycopg.OperationalError("the transaction had failed before its commit")
        if tail is not None:
            tail.was_kept()
        return done

    def transaction(self, connection: Connection) -> PostgresTx:
        """Return what a unit works with."""
        return PostgresTx(connection, self._integrity)

    def _tail_of(self, connection: Connection) -> ConnectionTail:
        """Return the tail this connection alone writes."""
        found: ConnectionTail | None = getattr(self._of_thread, "tail", None)
        if found is None or found.connection is not connection:
            assert self._integrity is not None
            found = self._of_thread.tail = ConnectionTail(connection, self._integrity)
        return found

    def _on_a_connection(self, work: Callable[[Connection], T]) -> T:
        """Run work on this thread's connection; run it again on a new one if it is lost."""
        lost = 0
        while True:
            connection: Connection | None = None
            try:
                connection = self._connection()
                return work(connection)
            except (psycopg.IntegrityError, psycopg.DataError):
                raise  # of this unit alone
            except (errors.SerializationFailure, errors.DeadlockDetected):
                raise
            except psycopg.Error as error:
                # Whatever else it was, this connection is not trusted again.
                gone = connection is not None and (connection.broken or _was_ended(error))
                self._let_go(connection)
                lost += 1
                if not gone or lost == _CONNECTIONS_MAX:
                    raise Refused("store/unavailable") from error
            except Refused as refusal:
                if refusal.code == "store/not_durable":  # said by a server we came back to
                    raise Refused("store/unavailable") from refusal
                raise

    def _connection(self) -> Connection:
        found: Connection | None = getattr(self._of_thread, "connection", None)
        if found is None or found.closed:
            found = self._of_thread.connection = connect(self._url)
            self._connections.add(found)
        return found

    def _let_go(self, connection: Connection | None) -> None:
        if connection is not None:
            self._connections.discard(connection)
            with contextlib.suppress(psycopg.Error):
                connection.close()


def _look(connection: Connection, work: Callable[[Tx], T]) -> T:
    """Run queries on one snapshot, and leave nothing behind."""
    connection.execute(READ, prepare=False)
    try:
        return work(PostgresTx(connection))
    finally:
        _roll_back(connection)


def _was_ended(error: psycopg.Error) -> bool:
    """Tell whether the server has ended the connection: it stops, or an operator or a limit did."""
    return (error.sqlstate or "").startswith(("57P", "08", "25P03"))


def _roll_back(connection: Connection) -> None:
    """End a transaction without keeping it; one whose connection is gone has ended so."""
    with contextlib.suppress(psycopg.Error):
        connection.execute("ROLLBACK", prepare=False)


def _earlier_have_ended(connection: Connection) -> bool:
    """Draw a transaction's number, and wait until every transaction with a lower one has ended.

    (The end of a snapshot would not do in its place: numbers beyond it may be under way already.)
    """
    mine = _number(connection, "pg_current_xact_id()")
    until = time.monotonic() + _BARRIER_S
    while _number(connection, "pg_snapshot_xmin(pg_current_snapshot())") <= mine:
        if time.monotonic() > until:
            return False
        time.sleep(_BARRIER_PAUSE_S)
    return True


def _number(connection: Connection, what: str) -> int:
    row = connection.execute(f"SELECT {what}::text::bigint").fetchone()
    assert row is not None
    return int(row[0])


def _submit(pool: ThreadPoolExecutor, work: Callable[[], T]) -> Future[T]:
    try:
        return pool.submit(work)
    except RuntimeError:  # closed
        refused: Future[Any] = Future()
        refused.set_exception(Refused("store/unavailable"))
        return refused


def _pause_s(attempt: int) -> float:
    """Return how long to wait before a unit is run again: longer each time, and never in step."""
    spread_us = min(_PAUSE_MS << attempt, 200) * 1000
    return time.monotonic_ns() // 1000 % spread_us / 1_000_000
