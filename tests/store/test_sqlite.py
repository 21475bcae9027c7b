"""The writer thread of the SQLite store: groups, savepoints, failures, and readers' snapshots."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

import pytest

from store.spies import PATIENCE_S, Spy, busy, code_of, facts, put
from tapisvert.store import SqliteStore, Tx

DISK = sqlite3.OperationalError("disk I/O error")
FULL = 2  # of PRAGMA synchronous


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Spy:
    return Spy(monkeypatch)


@pytest.fixture
def store(tmp_path: Path, spy: Spy) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "tapis.db")
    yield opened
    opened.close()


def test_jobs_that_wait_for_a_busy_writer_share_one_commit(store: SqliteStore, spy: Spy) -> None:
    with busy(store):
        waiting = [put(store, f"{n:02}") for n in range(20)]
    assert [job.result(PATIENCE_S) for job in waiting] == [f"{n:02}" for n in range(20)]
    assert spy.commits() == 2  # the busy job's own, and one for the twenty
    assert len(facts(store)) == 20


def test_a_group_is_never_larger_than_128_jobs(store: SqliteStore, spy: Spy) -> None:
    with busy(store):
        waiting = [put(store, f"{n:03}") for n in range(300)]
    for job in waiting:
        job.result(PATIENCE_S)
    between = " ".join("J" if told == "SAVEPOINT job" else told for told in spy.told)
    groups = [group.count("J") for group in between.split("COMMIT")[:-1]]
    assert groups == [1, 128, 128, 44]


def test_no_job_is_answered_before_its_group_is_committed(
    store: SqliteStore, spy: Spy, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered_at_commit: list[bool] = []
    put(store, "first").result(PATIENCE_S)
    wire, execute = spy.wires[0], spy.wires[0].execute

    def watching(sql: str, params: tuple[object, ...] = ()) -> sqlite3.Cursor:
        if sql == "COMMIT":
            answered_at_commit.extend(job.done() for job in waiting)
        return execute(sql, params)

    waiting: list[Future[str]] = []
    with busy(store):
        monkeypatch.setattr(wire, "execute", watching)
        waiting.extend(put(store, str(n)) for n in range(5))
    for job in waiting:
        job.result(PATIENCE_S)
    # Five times before the busy job's commit, five times before their own.
    assert answered_at_commit == [False] * 10


@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "SAVEPOINT job", "RELEASE job", "COMMIT"])
def test_a_group_that_cannot_be_committed_is_refused_whole_and_the_next_one_works(
    store: SqliteStore, spy: Spy, statement: str
) -> None:
    put(store, "before").result(PATIENCE_S)
    with busy(store):
        waiting = [put(store, str(n)) for n in range(3)]
        to_come = statement in ("RELEASE job", "COMMIT")  # of the busy job, which may end
        spy.before[statement] = [None, DISK] if to_come else [DISK]
    assert [code_of(job) for job in waiting] == ["store/unavailable"] * 3
    assert [str(error.__cause__) for error in map(Future.exception, waiting) if error] == [
        "disk I/O error"
    ] * 3
    assert facts(store) == ["before"]
    assert put(store, "next").result(PATIENCE_S) == "next"
    assert facts(store) == ["before", "next"]
    assert [wire.closed for wire in spy.wires] == [True, False]  # never trusted again


def test_a_commit_that_fails_after_all_is_not_acknowledged_either(
    store: SqliteStore, spy: Spy
) -> None:
    # The sync fails although the rows are written: the caller is asked to retry, and finds them.
    spy.after["COMMIT"] = [DISK]
    assert code_of(put(store, "maybe")) == "store/unavailable"
    assert isinstance(put(store, "maybe").exception(PATIENCE_S), sqlite3.IntegrityError)


def test_a_group_that_fails_at_its_third_job_answers_the_first_two_with_no_as_well(
    store: SqliteStore,
) -> None:
    with busy(store):
        first, second = put(store, "1"), put(store, "2")
        third = store.write(lambda tx: tx.run("INSERT INTO no_such_table VALUES (1)"))
        fourth = put(store, "4")
    every: list[Future[Any]] = [first, second, third, fourth]
    assert [code_of(job) for job in every] == ["store/unavailable"] * 4
    assert facts(store) == []


def test_a_full_disk_refuses_the_group_and_a_fresh_connection_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SqliteStore(tmp_path / "tapis.db").close()
    with sqlite3.connect(tmp_path / "tapis.db") as file:
        pages = file.execute("PRAGMA page_count").fetchone()[0]
    file.close()
    with monkeypatch.context() as full:
        spy = Spy(full, f"PRAGMA max_page_count = {pages + 2}")
        store = SqliteStore(tmp_path / "tapis.db")
        with busy(store):
            small = put(store, "small")
            large = store.write(
                lambda tx: tx.run("INSERT INTO facts VALUES ('large', zeroblob(100000))")
            )
        assert (code_of(small), code_of(large)) == ("store/unavailable",) * 2
        assert facts(store) == []
        assert put(store, "small").result(PATIENCE_S) == "small"
        assert (len(spy.wires), spy.wires[0].closed) == (2, True)
        store.close()


def test_a_lock_held_by_another_process_refuses_and_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Spy(monkeypatch, "PRAGMA busy_timeout = 20")
    store = SqliteStore(tmp_path / "tapis.db")
    other = sqlite3.connect(tmp_path / "tapis.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert code_of(put(store, "locked out")) == "store/unavailable"
    other.execute("ROLLBACK")
    other.close()
    assert put(store, "let in").result(PATIENCE_S) == "let in"
    assert facts(store) == ["let in"]
    store.close()


def test_a_cancellation_at_the_instant_of_the_answer_does_not_stop_the_writer(
    store: SqliteStore, spy: Spy, monkeypatch: pytest.MonkeyPatch
) -> None:
    class CancelledLate(Future[str]):
        """A future whose caller cancels just before the writer answers."""

        def set_exception(self, exception: BaseException | None) -> None:
            self.cancel()
            super().set_exception(exception)

    spy.before["BEGIN IMMEDIATE"] = [DISK]  # a group that fails here leaves its futures pending
    with monkeypatch.context() as patch:
        patch.setattr("tapisvert.store.sqlite.Future", CancelledLate)
        gone = put(store, "given up")
    with pytest.raises(CancelledError):
        gone.result(PATIENCE_S)
    assert put(store, "next").result(PATIENCE_S) == "next"


def test_the_writer_closes_last_and_leaves_everything_in_the_one_file(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a stop, the one file holds everything: no write-ahead log is left."""
    closed: list[str] = []

    def let_go(connection: sqlite3.Connection | None) -> None:
        if connection is not None:
            closed.append(threading.current_thread().name)
            connection.close()

    monkeypatch.setattr("tapisvert.store.sqlite._let_go", let_go)
    put(store, "kept").result(PATIENCE_S)
    facts(store)
    store.close()
    assert (len(closed), closed[-1]) == (2, "writer")
    assert [file.name for file in tmp_path.iterdir()] == ["tapis.db"]


# Readers beside the writer ------------------------------------------------------------------------


def care(tx: Tx) -> tuple[object, ...]:
    """Return a connection's pragmas, and the current thread."""
    names = ("journal_mode", "synchronous", "foreign_keys")
    rows = [tx.row(f"PRAGMA {name}") for name in names]
    return (threading.current_thread().name, *(row[0] for row in rows if row))


def test_every_connection_is_in_wal_mode_with_synchronous_full(store: SqliteStore) -> None:
    together = threading.Barrier(2)

    def both(tx: Tx) -> tuple[object, ...]:
        together.wait(PATIENCE_S)  # so that each of the two readers answers once
        return care(tx)

    asked = [store.write(care), store.read(both), store.read(both)]
    answers = {job.result(PATIENCE_S) for job in asked}
    assert {answer[1:] for answer in answers} == {("wal", FULL, 1)}
    assert {str(answer[0]) for answer in answers} == {"writer", "reader_0", "reader_1"}


def test_the_connection_after_a_failure_is_as_careful_as_the_first(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = Spy(monkeypatch, "PRAGMA max_page_count = 1")
    full = store.write(lambda tx: tx.run("INSERT INTO facts VALUES ('a', zeroblob(500000))"))
    assert code_of(full) == "store/unavailable"
    assert store.write(care).result(PATIENCE_S)[1:] == ("wal", FULL, 1)
    assert len(spy.wires) == 2
