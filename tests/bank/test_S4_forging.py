"""S4: a change of any column, an inserted row and a deleted row are found in every table.

Tables and columns come from the schema: a new one that is not covered fails here. The databases are
tested as left by a clean stop, and as left by a crash.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

import pytest

from bank.forging import BOOKS, any_way, check_forgeries_found, copy_row
from bank.writable import EXCEPTIONS, IMPOSSIBLE, Books, books_on
from stores import both_at_length, sqlite_only
from tiers import long, one_in

pytestmark = both_at_length


@pytest.fixture(scope="module", params=one_in(2, list(BOOKS)))
def books(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, engine: str
) -> Iterator[Books]:
    kind = BOOKS[request.param]
    path = tmp_path_factory.mktemp("books") / "tapis.db"
    kind.write(path, crashed=kind.crashed)
    made = books_on(engine, path, kind.shuffle)
    made.disarm()
    assert made.found() == ()
    yield made
    made.close()


MANY_ROWS = pytest.mark.parametrize(
    "many",
    [False, pytest.param(True, marks=[long, sqlite_only])],
    ids=["two rows", "many rows"],
)
_ONE_IN = 6  # of many rows, beginning with another one each time


def chosen(rows: list[tuple[object, object]], many: bool, turn: int) -> list[tuple[object, object]]:
    """Return the rows to test: the first and the last, or one in six and those two."""
    ends = [*rows[:1], *rows[-1:]]
    return [*ends, *rows[1 + turn % _ONE_IN : -1 : _ONE_IN]] if many else ends


@MANY_ROWS
def test_S4_any_changed_value_is_found(books: Books, many: bool) -> None:
    missed: set[tuple[str, str]] = set()
    turn = count()
    for table in books.tables:
        for column in books.columns(table):
            rows = books.values(table, column)
            values = [value for _, value in rows]
            for key, value in chosen(rows, many, next(turn)):
                others = any_way(value, values)
                if not many:  # another way for the next one
                    others = others[next(turn) % len(others) :][:1]
                for other in others:
                    if not _found(books, table, column, key, other):
                        missed.add((table, column))
    assert missed <= EXCEPTIONS.keys()


def _found(books: Books, table: str, column: str, key: object, other: object) -> bool:
    with books.trying():
        try:
            books.change(table, column, key, other)
        except IMPOSSIBLE:
            return True  # even a forger cannot
        return bool(books.found())


@MANY_ROWS
def test_S4_any_deleted_row_is_found(books: Books, many: bool) -> None:
    for turn, table in enumerate(books.tables):
        for key, _ in chosen(books.values(table, "1"), many, turn):
            with books.trying():
                books.delete(table, key)
                assert books.found(), (table, key)


def test_S4_any_table_that_was_emptied_is_found(books: Books) -> None:
    for table in books.tables:
        if books.values(table, "1"):
            with books.trying():
                books.forge(f"DELETE FROM {table}")
                assert books.found(), table


@MANY_ROWS
def test_S4_any_row_put_in_is_found(books: Books, many: bool) -> None:
    random = Random(2020)
    for turn, table in enumerate(books.tables):
        for key, _ in chosen(books.values(table, "1"), many, turn):
            with books.trying():
                try:
                    copy_row(books, table, key, random)
                except IMPOSSIBLE:
                    continue
                assert books.found(), (table, key)


@pytest.mark.parametrize(
    "trials",
    [
        40,
        pytest.param(120, marks=long),
        pytest.param(500, marks=[long, sqlite_only]),
    ],
)
def test_S4_any_changes_together_are_found(books: Books, trials: int) -> None:
    check_forgeries_found(books, Random(trials), trials // len(BOOKS), 5)
