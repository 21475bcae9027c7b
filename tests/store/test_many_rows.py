"""Many rows in one statement, on SQLite and PostgreSQL: look up, insert, update, lock."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from store.spies import PATIENCE_S
from stores import VIOLATIONS, both, on_postgresql
from tapisvert.refusal import Refused
from tapisvert.store import Row, Store, Tx

pytestmark = both

FACTS = ("name", "value")
NAMES = ("a", "é, 'quoted' \"and\" {more}", "", "\\N", "NULL")
EVENT = ("at_ms", "kind", "player_id", "round_id", "data", "hash")


def add(tx: Tx, *names: str) -> None:
    tx.insert("facts", FACTS, [(name, name.encode()) for name in names], number="name")


def found(store: Store) -> dict[str, bytes]:
    rows = store.read(lambda tx: tx.rows("SELECT name, value FROM facts")).result(PATIENCE_S)
    return dict(rows)


def test_rows_are_added_as_they_are(store: Store) -> None:
    store.write(lambda tx: add(tx, *NAMES)).result(PATIENCE_S)
    assert found(store) == {name: name.encode() for name in NAMES}


def test_rows_are_numbered_in_order_with_nulls_and_large_numbers(store: Store) -> None:
    rows: list[Row] = [
        (number, "kind", None if number % 2 else "p", None, "{}", None if number % 3 else b"\0\xff")
        for number in (2**62, -1, 0, 5, 3)
    ]

    def work(tx: Tx) -> tuple[list[int], list[Row]]:
        first = list(tx.insert("significant_events", EVENT, rows[:3]))
        first += tx.insert("significant_events", EVENT, rows[3:])
        names = ", ".join(EVENT)
        return first, tx.rows(f"SELECT {names} FROM significant_events ORDER BY id")

    numbers, stored = store.write(work).result(PATIENCE_S)
    assert stored == rows
    assert numbers == list(range(numbers[0], numbers[0] + 5))


def test_rows_that_are_there_stay_as_they_are_and_the_others_are_added(store: Store) -> None:
    def work(tx: Tx) -> None:
        add(tx, "a", "c")
        rows: list[Row] = [(name, b"new") for name in ("a", "b", "c", *NAMES[1:])]
        tx.insert_missing("facts", FACTS, rows)
        tx.insert_missing("facts", FACTS, [("d", b"new"), ("d", b"twice"), ("a", b"new")])

    store.write(work).result(PATIENCE_S)
    kept = {"a": b"a", "c": b"c"}
    assert found(store) == dict.fromkeys(("a", "b", "c", "d", *NAMES), b"new") | kept


def test_nothing_given_is_nothing_asked(store: Store) -> None:
    def work(tx: Tx) -> tuple[object, ...]:
        tx.insert_missing("facts", FACTS, [])
        return (
            list(tx.insert("facts", FACTS, [])),
            tx.update("facts", ("value",), ("name",), []),
            tx.look_up("SELECT name FROM given", {"name": "text"}, []),
            tx.try_lock("players", []),
        )

    assert store.write(work).result(PATIENCE_S) == ([], 0, [], set())


@pytest.mark.parametrize("many", [1, 2, 3, 5, 64])
def test_keys_are_looked_up_each_once(store: Store, many: int) -> None:
    names = [f"name {number}" for number in range(many)]
    sql = "SELECT facts.name FROM given JOIN facts ON facts.name = given.name"

    def work(tx: Tx) -> list[Row]:
        add(tx, *names, "another")
        return tx.look_up(sql, {"name": "text"}, [(name,) for name in (*names, "none")])

    assert sorted(store.write(work).result(PATIENCE_S)) == sorted((name,) for name in names)


def test_bytes_are_looked_up_beside_text(store: Store) -> None:
    sql = (
        "SELECT facts.name FROM given JOIN facts"
        " ON facts.name = given.name AND facts.value = given.value"
    )

    def work(tx: Tx) -> list[Row]:
        add(tx, "a", "b")
        return tx.look_up(sql, {"name": "text", "value": "bytea"}, [("a", b"a"), ("b", b"a")])

    assert store.write(work).result(PATIENCE_S) == [("a",)]


def test_rows_are_changed_where_every_key_fits(store: Store) -> None:
    def work(tx: Tx) -> int:
        add(tx, "a", "b", "c")
        rows: list[Row] = [(b"1", "a", b"a"), (b"2", "b", b"not b"), (b"3", "c", b"c")]
        return tx.update("facts", ("value",), ("name", "value"), rows)

    assert store.write(work).result(PATIENCE_S) == 2
    assert found(store) == {"a": b"1", "b": b"b", "c": b"3"}


def test_a_row_that_breaks_a_rule_takes_the_unit_back(store: Store) -> None:
    assert isinstance(
        store.write(lambda tx: add(tx, "a", "b", "a")).exception(PATIENCE_S), VIOLATIONS
    )
    assert found(store) == {}


def test_a_number_beyond_64_bits_is_refused(store: Store) -> None:
    rows: list[Row] = [(1, "k", None, None, "{}", None), (2**63, "k", None, None, "{}", None)]
    failed = store.write(lambda tx: tx.insert("significant_events", EVENT, rows))
    refused = failed.exception(PATIENCE_S)
    assert isinstance(refused, Refused)
    assert refused.code == "ledger/overflow"


def test_a_lock_that_is_held_elsewhere_is_not_waited_for(store: Store) -> None:
    held, go_on = threading.Event(), threading.Event()

    def holding(tx: Tx) -> set[str]:
        mine = tx.try_lock("players", ["a", "b"])
        held.set()
        go_on.wait(PATIENCE_S if on_postgresql() else 0)
        return mine

    def trying(names: str, tx: Tx) -> set[str]:
        return tx.try_lock("players", list(names))

    first = store.write(holding)
    assert held.wait(PATIENCE_S)
    second = store.write(partial(trying, "abc")).result(PATIENCE_S)
    go_on.set()
    assert first.result(PATIENCE_S) == {"a", "b"}
    # SQLite has one writer, which holds every lock.
    assert second == ({"c"} if on_postgresql() else {"a", "b", "c"})
    assert store.write(partial(trying, "a")).result(PATIENCE_S) == {"a"}
