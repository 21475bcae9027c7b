"""Readers beside the writer: one snapshot each, no writing, the same care for the disk."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.spies import PATIENCE_S, Spy, code_of, facts, put
from tapisvert.store import SqliteStore, Tx

FULL = 2


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "tapis.db")
    yield opened
    opened.close()


def care(tx: Tx) -> tuple[object, ...]:
    """Return what a connection's pragmas say, and which thread asks."""
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


def test_close_lets_go_of_every_connection_so_that_one_file_holds_everything(
    store: SqliteStore, tmp_path: Path
) -> None:
    """Whoever copies the file of a stopped server has a whole copy."""
    put(store, "kept").result(PATIENCE_S)
    assert facts(store) == ["kept"]  # a reader has been at work
    store.close()
    assert [file.name for file in tmp_path.iterdir()] == ["tapis.db"]
