"""Fixtures for tests of rounds, bank and store: a house with five games, and its clock.

The `conftest.py` of each folder imports them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bank.tables import check_books
from bank.tampering import Forger, fill
from rounds.guest_seat import conserved
from rounds.house_with_operator import Operator, Time, findings, open_tables
from rounds.house_with_pot import potted, report
from stores import store_at
from tapisvert.rounds import PlayerService
from tapisvert.store import Store


@pytest.fixture
def time() -> Time:
    """Return a clock that tests set."""
    return Time()


@pytest.fixture
def house(tmp_path: Path, time: Time) -> Iterator[PlayerService]:
    """Return a new house for every test."""
    made = open_tables(tmp_path / "tapis.db", time)
    yield made
    made.store.close()


@pytest.fixture
def audited(house: PlayerService) -> Iterator[None]:
    """Audit the house after the test; a module requests it with `usefixtures`."""
    yield
    assert conserved(house)
    assert findings(house) == ()


@pytest.fixture
def anne(house: PlayerService) -> Operator:
    """Return an operator of the house."""
    return Operator(house)


@contextmanager
def audited_at_the_end(made: PlayerService) -> Iterator[PlayerService]:
    """Yield a house with a pot; then audit and close it."""
    yield made
    assert findings(made) == ()
    assert report(made).difference_units == 0
    check_books(made.store)
    made.store.close()


@pytest.fixture
def pot_house(tmp_path: Path, time: Time) -> Iterator[PlayerService]:
    """Return a house with an open Blackjack pot; audit it after the test."""
    with audited_at_the_end(potted(tmp_path / "tapis.db", clock=time.wall)) as made:
        yield made


@pytest.fixture(scope="module")
def forger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forger]:
    """Return a forger who can write anything in a database with every kind of row.

    All tests of a module share the database: each takes back what it writes.
    """
    path = tmp_path_factory.mktemp("books") / "tapis.db"
    fill(path)
    made = Forger(path)
    yield made
    made.file.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return a new store for every test."""
    made = store_at(tmp_path / "tapis.db")
    yield made
    made.close()
