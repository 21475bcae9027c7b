"""The store of a test: SQLite, or PostgreSQL if its module requests both.

A test names a database by a path on either engine. On PostgreSQL the path stands for a fresh
database of the test's own server, the same each time the same path is opened.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import ClassVar

import psycopg
import pytest

import postgres
from tapisvert.store import SqliteStore, Store, Tx
from tapisvert.store.postgres import PostgresStore
from tiers import long

SQLITE, POSTGRESQL = "sqlite", "postgresql"
# The exception of a database when a unit violates a constraint.
VIOLATIONS = (sqlite3.IntegrityError, psycopg.IntegrityError, psycopg.DataError)

# For a module's `pytestmark`: every test of it runs on both, or on PostgreSQL in the second tier.
both = pytest.mark.parametrize("engine", [SQLITE, POSTGRESQL], indirect=True)
both_at_length = pytest.mark.parametrize(
    "engine", [SQLITE, pytest.param(POSTGRESQL, marks=long)], indirect=True
)
# For a test of such a module that applies to SQLite only.
sqlite_only = pytest.mark.sqlite_only


class _Chosen:
    engine = SQLITE
    opened: ClassVar[list[Store]] = []
    made: ClassVar[list[str]] = []  # databases of this module


def choose(engine: str) -> None:
    """Open stores on this engine from now on."""
    _Chosen.engine = engine


def on_postgresql() -> bool:
    """Tell whether the test runs on PostgreSQL."""
    return _Chosen.engine == POSTGRESQL


@cache
def url_of(path: Path) -> str:
    """Return the address of the PostgreSQL database that a path stands for."""
    _Chosen.made.append(made := postgres.server().fresh())
    return made


def store_at(path: Path) -> Store:
    """Open the database of a path; create it on first use."""
    if not on_postgresql():
        return SqliteStore(path)
    store = PostgresStore(url_of(path))
    _Chosen.opened.append(store)
    return store


def drop_trigger(tx: Tx, table: str, name: str) -> None:
    """Drop one of the database's own protections."""
    tx.run(f"DROP TRIGGER {name} ON {table}" if on_postgresql() else f"DROP TRIGGER {name}")


@contextmanager
def closing_what_is_opened() -> Iterator[None]:
    """Close the connections that a test leaves open: the server's number is limited."""
    before = len(_Chosen.opened)
    yield
    for store in _Chosen.opened[before:]:
        store.close()
    del _Chosen.opened[before:]


def drop_what_was_made() -> None:
    """Drop the databases of a module: each takes 8 MB, possibly of memory."""
    for url in _Chosen.made:
        postgres.server().drop(url)
    _Chosen.made.clear()
    url_of.cache_clear()
