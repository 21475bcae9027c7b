"""The store that a test runs on: SQLite, or PostgreSQL where its module asks for both.

A test names a database by a path, whichever engine it is. On PostgreSQL the path stands for a fresh
database of the test's own server, the same one each time the same path is opened.
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
# What a database raises when a unit breaks a rule of its tables.
VIOLATIONS = (sqlite3.IntegrityError, psycopg.IntegrityError, psycopg.DataError)

# For a module's `pytestmark`: every test of it runs on both, or on PostgreSQL in the second tier.
both = pytest.mark.parametrize("engine", [SQLITE, POSTGRESQL], indirect=True)
both_at_length = pytest.mark.parametrize(
    "engine", [SQLITE, pytest.param(POSTGRESQL, marks=long)], indirect=True
)
# For a test of such a module that speaks of SQLite alone.
sqlite_only = pytest.mark.sqlite_only


class _Chosen:
    engine = SQLITE
    opened: ClassVar[list[Store]] = []
    made: ClassVar[list[str]] = []  # databases of this module


def choose(engine: str) -> None:
    """Open stores on this engine from now on."""
    _Chosen.engine = engine


def on_postgresql() -> bool:
    """Tell which engine the test runs on."""
    return _Chosen.engine == POSTGRESQL


@cache
def url_of(path: Path) -> str:
    """Return the address of the PostgreSQL database that a path stands for."""
    _Chosen.made.append(made := postgres.server().fresh())
    return made


def store_at(path: Path) -> Store:
    """Open the database a path stands for, made if it is not there yet."""
    if not on_postgresql():
        return SqliteStore(path)
    store = PostgresStore(url_of(path))
    _Chosen.opened.append(store)
    return store


def drop_trigger(tx: Tx, table: str, name: str) -> None:
    """Take one of the database's own protections away."""
    tx.run(f"DROP TRIGGER {name} ON {table}" if on_postgresql() else f"DROP TRIGGER {name}")


@contextmanager
def closing_what_is_opened() -> Iterator[None]:
    """Close the connections that a test leaves open: the server takes so many and no more."""
    before = len(_Chosen.opened)
    yield
    for store in _Chosen.opened[before:]:
        store.close()
    del _Chosen.opened[before:]


def drop_what_was_made() -> None:
    """Drop the databases of a module: each takes 8 MB, perhaps of memory."""
    for url in _Chosen.made:
        postgres.server().drop(url)
    _Chosen.made.clear()
    url_of.cache_clear()
