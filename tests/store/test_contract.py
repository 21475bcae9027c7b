"""The contract of a store, on SQLite and PostgreSQL: atomic units, one snapshot, clear refusals."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

import pytest

from store.spies import PATIENCE_S, code_of, facts, insert, put
from stores import VIOLATIONS, both, on_postgresql
from tapisvert.refusal import Refused
from tapisvert.store import Store, Tx
from tapisvert.store.postgres import _WRITERS

pytestmark = both


@contextmanager
def busy(store: Store) -> Iterator[None]:
    """Keep every writer busy, so that the jobs the block queues wait."""
    jobs = _WRITERS if on_postgresql() else 1
    started, go_on = threading.Barrier(jobs + 1), threading.Event()

    def wait(tx: Tx) -> None:
        started.wait(PATIENCE_S)
        go_on.wait(PATIENCE_S)

    held = [store.write(wait) for _ in range(jobs)]
    started.wait(PATIENCE_S)
    try:
        yield
    finally:
        go_on.set()
        for job in held:
            job.result(PATIENCE_S)


def count(tx: Tx) -> int:
    row = tx.row("SELECT COUNT(*) FROM facts")
    assert row is not None
    number: int = row[0]
    return number


@pytest.mark.parametrize("error", [ValueError("a fault of ours"), SystemExit()])
def test_a_job_that_fails_is_taken_back_and_told_so(store: Store, error: BaseException) -> None:
    def failing(tx: Tx) -> None:
        insert(tx, "lost")
        raise error

    put(store, "before").result(PATIENCE_S)
    assert store.write(failing).exception(PATIENCE_S) is error
    put(store, "after").result(PATIENCE_S)
    assert facts(store) == ["after", "before"]


def test_a_job_that_breaks_a_rule_of_the_tables_is_taken_back_alone(store: Store) -> None:
    def twice(tx: Tx) -> None:
        insert(tx, "lost")
        insert(tx, "there")

    put(store, "there").result(PATIENCE_S)
    with busy(store):
        before, broken, after = put(store, "a"), store.write(twice), put(store, "b")
    assert isinstance(broken.exception(PATIENCE_S), VIOLATIONS)
    assert (before.result(PATIENCE_S), after.result(PATIENCE_S)) == ("a", "b")
    assert facts(store) == ["a", "b", "there"]


def test_a_refusal_that_is_returned_commits_and_one_that_is_raised_rolls_back(store: Store) -> None:
    def returning(tx: Tx) -> Refused:
        insert(tx, "returned")
        return Refused("seat/unknown")

    def raising(tx: Tx) -> Refused:
        insert(tx, "raised")
        raise Refused("seat/unknown")

    assert store.write(returning).result(PATIENCE_S).code == "seat/unknown"
    assert code_of(store.write(raising)) == "seat/unknown"
    assert facts(store) == ["returned"]


def test_undo_takes_back_what_the_job_has_done_and_lets_it_go_on(store: Store) -> None:
    def work(tx: Tx) -> None:
        tx.undo()  # nothing yet
        insert(tx, "undone")
        tx.undo()
        insert(tx, "undone too")
        tx.undo()
        insert(tx, "kept")

    with busy(store):
        neighbour, done = put(store, "neighbour"), store.write(work)
    neighbour.result(PATIENCE_S)
    done.result(PATIENCE_S)
    assert facts(store) == ["kept", "neighbour"]


def test_a_statement_says_how_many_rows_it_changed(store: Store) -> None:
    def work(tx: Tx) -> list[int]:
        insert(tx, "a")
        insert(tx, "b")
        again = "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING"
        return [
            tx.run("UPDATE facts SET value = ? WHERE name <> ?", (b"y", "c")),
            tx.run("UPDATE facts SET value = ? WHERE name = ?", (b"y", "c")),
            tx.run(again, ("a", b"z")),
            tx.run("DELETE FROM facts WHERE name = ?", ("a",)),
        ]

    assert store.write(work).result(PATIENCE_S) == [2, 0, 0, 1]


def test_a_question_mark_or_a_percent_sign_in_a_text_stays_what_it_is(store: Store) -> None:
    put(store, "50 %? %s").result(PATIENCE_S)
    sql = "SELECT name, 'it''s ? %s %%', 7 % 4 FROM facts WHERE name LIKE '50 \\%%' ESCAPE '\\'"
    sql += " AND name = ?"
    found = store.read(lambda tx: tx.row(sql, ("50 %? %s",))).result(PATIENCE_S)
    assert found == ("50 %? %s", "it's ? %s %%", 3)


def test_sums_and_counts_are_whole_numbers(store: Store) -> None:
    sql = "SELECT SUM(n), COUNT(*), MAX(n) FROM (SELECT 9223372036854775807 AS n) AS numbers"
    found = store.read(lambda tx: tx.row(sql)).result(PATIENCE_S)
    assert found == (2**63 - 1, 1, 2**63 - 1)
    assert {type(each) for each in found} == {int}


def test_a_job_cancelled_while_it_waits_is_not_run(store: Store) -> None:
    with busy(store):
        first, gone, last = put(store, "first"), put(store, "gone"), put(store, "last")
        assert gone.cancel()
    assert (first.result(PATIENCE_S), last.result(PATIENCE_S)) == ("first", "last")
    assert (gone.cancelled(), facts(store)) == (True, ["first", "last"])


def test_a_job_that_has_begun_can_no_longer_be_cancelled(store: Store) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work(tx: Tx) -> None:
        begun.set()
        go_on.wait(PATIENCE_S)
        insert(tx, "done")

    job = store.write(work)
    assert begun.wait(PATIENCE_S)
    assert not job.cancel()
    go_on.set()
    job.result(PATIENCE_S)
    assert facts(store) == ["done"]


def test_close_finishes_what_is_queued_and_then_refuses(store: Store) -> None:
    with busy(store):
        waiting = [put(store, str(n)) for n in range(5)]
        closing = threading.Thread(target=store.close)
        closing.start()
    closing.join(PATIENCE_S)
    assert [job.result(0) for job in waiting] == ["0", "1", "2", "3", "4"]
    assert code_of(put(store, "late")) == "store/unavailable"
    assert code_of(store.read(count)) == "store/unavailable"
    store.close()  # twice is once


def test_units_under_one_lock_come_one_after_another(store: Store) -> None:
    """Each unit reads a number and writes its successor: no two may read the same number."""

    def one_more(tx: Tx) -> None:
        tx.lock("facts", "count")
        row = tx.row("SELECT value FROM facts WHERE name = 'count'")
        assert row is not None
        tx.run("UPDATE facts SET value = ?", (str(int(row[0]) + 1).encode(),))

    store.write(lambda tx: tx.run("INSERT INTO facts VALUES ('count', ?)", (b"0",))).result()
    for job in [store.write(one_more) for _ in range(60)]:
        job.result(PATIENCE_S)
    found = store.read(lambda tx: tx.row("SELECT value FROM facts")).result(PATIENCE_S)
    assert found == (b"60",)


def test_the_barrier_lets_through_when_nothing_is_under_way(store: Store) -> None:
    put(store, "done").result(PATIENCE_S)
    assert store.barrier().result(PATIENCE_S) is True


# Readers ------------------------------------------------------------------------------------------


def test_a_reader_sees_one_snapshot_while_others_commit(store: Store) -> None:
    put(store, "first").result(PATIENCE_S)

    def two_looks(tx: Tx) -> tuple[int, int]:
        before = count(tx)
        put(store, "meanwhile").result(PATIENCE_S)
        return before, count(tx)

    assert store.read(two_looks).result(PATIENCE_S) == (1, 1)
    assert store.read(count).result(PATIENCE_S) == 2


def test_a_reader_sees_whole_units_only(store: Store) -> None:
    """Each unit writes two facts; no snapshot may contain an odd number of them."""

    def pair(number: int) -> Future[None]:
        def work(tx: Tx) -> None:
            insert(tx, f"{number} left")
            insert(tx, f"{number} right")

        return store.write(work)

    written = [pair(number) for number in range(200)]
    seen = [store.read(count).result(PATIENCE_S) for _ in range(200)]
    for each in written:
        each.result(PATIENCE_S)
    assert [number % 2 for number in seen] == [0] * 200
    assert seen == sorted(seen)
    assert store.read(count).result(PATIENCE_S) == 400


def test_what_is_acknowledged_is_seen_by_the_next_query(store: Store) -> None:
    for number in range(50):
        put(store, f"{number:02}").result(PATIENCE_S)
        assert len(facts(store)) == number + 1


def test_a_reader_cannot_write(store: Store) -> None:
    assert code_of(store.read(lambda tx: insert(tx, "smuggled"))) == "store/unavailable"
    assert facts(store) == []


def test_a_reader_goes_on_after_a_query_that_failed(store: Store) -> None:
    def refusing(tx: Tx) -> None:
        count(tx)
        raise Refused("round/unknown")

    for _ in range(4):  # as many as there are readers
        assert code_of(store.read(refusing)) == "round/unknown"
        assert code_of(store.read(lambda tx: tx.rows("SELECT nonsense"))) == "store/unavailable"
    put(store, "fresh").result(PATIENCE_S)
    for _ in range(4):
        assert store.read(count).result(PATIENCE_S) == 1
