"""Fixtures of the bank: a pot with its players, and those of `rounds.fixtures`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bank.feeding import Till
from bank.tables import check_books
from rounds.fixtures import anne as anne
from rounds.fixtures import audited as audited
from rounds.fixtures import forger as forger
from rounds.fixtures import house as house
from rounds.fixtures import store as store
from rounds.fixtures import time as time
from stores import store_at
from tapisvert.store import Store


@pytest.fixture
def till(store: Store) -> Iterator[Till]:
    """Return a new pot for every test; check it afterwards."""
    made = Till(store)
    yield made
    made.all_there()
    check_books(store)


@pytest.fixture(scope="module")
def shared_store(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return one store per module, for tests that are refused and change nothing."""
    made = store_at(tmp_path_factory.mktemp(engine) / "tapis.db")
    yield made
    made.close()


@pytest.fixture(scope="module")
def shared_till(shared_store: Store) -> Iterator[Till]:
    """Return one pot per module, for tests that are refused and change nothing."""
    made = Till(shared_store)
    yield made
    made.all_there()
    check_books(shared_store)
