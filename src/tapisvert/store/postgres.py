"""PostgreSQL: several concurrent writers; each command is answered after its commit.

Each command first takes its player's lock (`Tx.lock`), so commands of one player are serialised. At
READ COMMITTED every later statement sees all earlier commits (docs/adr/0023-postgresql.md explains
why no stricter level is used). Each reader has one snapshot.

A unit is run again, whole, after a deadlock or a lost connection. If the connection was lost during
COMMIT, the outcome is unknown; the second run finds the stored idempotency key if the first was
committed.
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
_WRITERS, _READERS = 8, 4  # per server process
_TRIES_MAX = 20  # attempts of a unit that meets deadlocks
_CONNECTIONS_MAX = 3  # connections a unit may lose
_PAUSE_MS = 5
_BARRIER_S, _BARRIER_PAUSE_S = 2.0, 0.01
READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class PostgresStore:
    """The PostgreSQL store: any number of server processes share one database."""

    # Two groups at once gave the same rate for a third more processor time (docs/adr/0029).
    groups_at_once = 1

    def __init__(self, url: str, *, new: bool = True) -> None:
        self.schema = prepare(url, new=new)
        self._url = url
        self._of_thread = threading.local()
        self._connections: set[Connection] = set()
        self._integrity: IntegrityKey | None = None
        self._writers = ThreadPoolExecutor(
            _WRITERS, thread_name_prefix="writer", initializer=self._as_writer
        )
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="reader")

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run work in its own transaction; the future completes after the commit."""
        return _submit(self._writers, lambda: self._write(work))

    def read(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run queries on one snapshot."""
        return _submit(self._readers, lambda: self._on_a_connection(lambda line: _look(line, work)))

    def protect_with(self, integrity: IntegrityKey) -> None:
        """Store the tail in every commit from now on."""
        self._integrity = integrity

    def barrier(self) -> Future[bool]:
        """Wait until every transaction now under way has ended."""
        return _submit(self._readers, lambda: self._on_a_connection(_earlier_have_ended))

    def close(self) -> None:
        """Finish queued work, then close every connection."""
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
        tx = self.transaction(connection)
        try:
            done = work(tx)
        except BaseException:
            _roll_back(connection)
            raise
        if not tx.begun:  # it has taken no lock and written nothing
            return done
        tail = self._tail_of(connection) if self._integrity and tx.counted else None
        first = "SELECT must_be_durable()" if tail is None else tail.save_statement(tx.counted)
        # Sent in one message with COMMIT: no round trip is added, and nothing can happen in
        # between.
        last = connection.execute(f"{first}; COMMIT", prepare=False)
        while last.nextset():
            pass
        # COMMIT of a failed transaction rolls back, without an error.
        if last.statusmessage != "COMMIT":
            raise psycopg.OperationalError("the transaction had failed before its commit")
        if tail is not None:
            tail.was_saved()
        return done

    def transaction(self, connection: Connection) -> PostgresTx:
        """Return the transaction for a unit."""
        return PostgresTx(connection, self._integrity)

    def _tail_of(self, connection: Connection) -> ConnectionTail:
        """Return the tail of this connection."""
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
                raise  # an error of this unit only
            except (errors.SerializationFailure, errors.DeadlockDetected):
                raise
            except psycopg.Error as error:
                # After any other error this connection is not used again.
                gone = connection is not None and (connection.broken or _was_ended(error))
                self._let_go(connection)
                lost += 1
                if not gone or lost == _CONNECTIONS_MAX:
                    raise Refused("store/unavailable") from error
            except Refused as refusal:
                if refusal.code == "store/not_durable":  # raised on reconnecting
                    raise Refused("store/unavailable") from refusal
                raise

    def _as_writer(self) -> None:
        """Let the connections of this thread look rows up by key."""
        self._of_thread.by_key = True

    def _connection(self) -> Connection:
        found: Connection | None = getattr(self._of_thread, "connection", None)
        if found is None or found.closed:
            by_key = getattr(self._of_thread, "by_key", False)
            found = self._of_thread.connection = connect(self._url, by_key=by_key)
            self._connections.add(found)
        return found

    def _let_go(self, connection: Connection | None) -> None:
        if connection is not None:
            self._connections.discard(connection)
            with contextlib.suppress(psycopg.Error):
                connection.close()


def _look(connection: Connection, work: Callable[[Tx], T]) -> T:
    """Run queries on one snapshot, then roll back."""
    connection.execute(READ, prepare=False)
    try:
        return work(PostgresTx(connection, begun=True))
    finally:
        _roll_back(connection)


def _was_ended(error: psycopg.Error) -> bool:
    """Tell whether the server closed the connection: on shutdown, by an operator, or by a limit."""
    return (error.sqlstate or "").startswith(("57P", "08", "25P03"))


def _roll_back(connection: Connection) -> None:
    """Roll back a transaction. A lost connection has rolled back already."""
    with contextlib.suppress(psycopg.Error):
        connection.execute("ROLLBACK", prepare=False)


def _earlier_have_ended(connection: Connection) -> bool:
    """Assign a transaction id, and wait until every transaction with a lower id has ended.

    (The snapshot's xmax would not do: transactions with higher ids may already be under way.)
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
    except RuntimeError:  # the pool is shut down
        refused: Future[Any] = Future()
        refused.set_exception(Refused("store/unavailable"))
        return refused


def _pause_s(attempt: int) -> float:
    """Return the pause before a unit runs again: exponential, with jitter."""
    spread_us = min(_PAUSE_MS << attempt, 200) * 1000
    return time.monotonic_ns() // 1000 % spread_us / 1_000_000
