"""SQLite in one file: one writer thread that commits in groups, and concurrent readers.

Durability: the database uses WAL with `synchronous=FULL`, so a commit is fsynced when it returns.
Commands that arrive during a commit share the next one: each runs in its own savepoint, and all are
answered after the group's fsync. If a group cannot be committed, none of it takes effect and every
command in it is refused.
"""

from __future__ import annotations

import contextlib
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from tapisvert.refusal import Refused
from tapisvert.store.port import Tx
from tapisvert.store.schema import digest
from tapisvert.store.sqlite_file import connect, expected, prepare
from tapisvert.store.sqlite_tx import SqliteTx
from tapisvert.store.tails import IntegrityKey, TailWriter

T = TypeVar("T")
_GROUP_MAX = 128
_READERS = 2


class _Job:
    """A unit of work and its caller's future."""

    def __init__(self, work: Callable[[Tx], Any]) -> None:
        self.work = work
        self.future: Future[Any] = Future()
        self.result: Any = None
        self.error: BaseException | None = None

    def answer(self) -> None:
        with contextlib.suppress(InvalidStateError):  # the caller has cancelled meanwhile
            if self.error is not None:
                self.future.set_exception(self.error)
            else:
                self.future.set_result(self.result)


class SqliteStore:
    """The default store."""

    groups_at_once = 1

    def __init__(self, path: Path) -> None:
        self._path = path
        prepare(path)
        self.schema = digest(expected())
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._reader_of = threading.local()
        self._reader_connections: list[sqlite3.Connection] = []
        self._door = threading.Lock()  # so that no job is queued after the stop mark
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="reader")
        self._closed = False
        self._integrity: IntegrityKey | None = None
        self._tail: TailWriter | None = None
        self._writer = threading.Thread(target=self._write_loop, name="writer", daemon=True)
        self._writer.start()

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        """Queue work for the writer; the future completes after the fsync of its group."""
        job = _Job(work)
        with self._door:
            if self._closed:
                job.future.set_exception(Refused("store/unavailable"))
            else:
                self._jobs.put(job)
        return job.future

    def read(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run queries on a reader's connection, on one snapshot."""
        try:
            return self._readers.submit(self._read, work)
        except RuntimeError:  # the pool is shut down
            refused: Future[T] = Future()
            refused.set_exception(Refused("store/unavailable"))
            return refused

    def protect_with(self, integrity: IntegrityKey) -> None:
        """Store the tail in every commit from now on."""
        self._tail = TailWriter(integrity, 0)
        self._integrity = integrity

    def barrier(self) -> Future[bool]:
        """Return True at once: there is one writer, so rows are committed in the order of their
        numbers.
        """
        passed: Future[bool] = Future()
        passed.set_result(True)
        return passed

    def close(self) -> None:
        """Finish queued work, then close every connection."""
        with self._door:
            if self._closed:
                return
            self._closed = True
        self._readers.shutdown()
        for connection in self._reader_connections:
            _let_go(connection)
        # The last connection to close checkpoints the WAL. If two closed at once, each could take
        # the other for the last. So the writer closes after the readers.
        self._jobs.put(None)
        self._writer.join()

    def _read(self, work: Callable[[Tx], T]) -> T:
        connection: sqlite3.Connection | None = getattr(self._reader_of, "connection", None)
        try:
            if connection is None:
                connection = self._reader_of.connection = connect(self._path, query_only=True)
                self._reader_connections.append(connection)
            connection.execute("BEGIN")
            try:
                return work(SqliteTx(connection))
            finally:
                connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            self._reader_of.connection = None  # the next read reconnects
            _let_go(connection)
            raise Refused("store/unavailable") from error

    def _write_loop(self) -> None:
        connection: sqlite3.Connection | None = None
        going = True
        while going:
            group: list[_Job] = []
            job = self._jobs.get()
            while job is not None:
                group.append(job)
                if len(group) == _GROUP_MAX:
                    break
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            going = job is not None
            try:
                if group:
                    connection = connection or connect(self._path)
                    _commit_group(connection, group, self._integrity, self._tail)
            except (sqlite3.Error, Refused) as error:
                # Nothing was committed. A connection whose fsync failed is never used again: the
                # next group reconnects.
                _let_go(connection)
                connection = None
                for each in group:
                    each.error = Refused("store/unavailable")
                    each.error.__cause__ = error
            for each in group:
                each.answer()
        _let_go(connection)


def _commit_group(
    connection: sqlite3.Connection,
    group: Sequence[_Job],
    integrity: IntegrityKey | None,
    tail: TailWriter | None,
) -> None:
    connection.execute("BEGIN IMMEDIATE")
    tx = SqliteTx(connection, integrity)
    for job in group:
        if not job.future.set_running_or_notify_cancel():
            continue  # cancelled before it began
        connection.execute("SAVEPOINT job")
        tx.began_at = len(tx.counted)
        try:
            job.result = job.work(tx)
        except sqlite3.IntegrityError as error:
            _take_back(tx, job, error)
        except sqlite3.Error:
            raise  # an error of the file or the disk: the whole group fails
        except BaseException as error:
            _take_back(tx, job, error)
        connection.execute("RELEASE job")
    if tail and tx.counted:
        _store_tail(tx, tail)
    connection.execute("COMMIT")


def _take_back(tx: SqliteTx, job: _Job, error: BaseException) -> None:
    tx.undo()
    job.error = error


def _store_tail(tx: SqliteTx, tail: TailWriter) -> None:
    """Add the group's rows to the tail. There is one writer, so there is one tail."""
    row = tx.row("SELECT body, mac FROM tails WHERE slot = 0")
    if row is None:
        raise Refused("store/altered", file="", what="tails")
    stored = tail.grow((row[0], row[1]), tx.counted)
    tx.run("UPDATE tails SET body = ?, mac = ? WHERE slot = 0", stored)


def _let_go(connection: sqlite3.Connection | None) -> None:
    if connection is not None:
        with contextlib.suppress(sqlite3.Error):
            connection.close()
