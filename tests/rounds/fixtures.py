"""Fixtures for tests of rounds, bank and store: a house with five tables, and its time.

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
from tapisvert.rounds import PlayerService


@pytest.fixture
def time() -> Time:
    """A clock that is moved by hand."""
    return Time()


@pytest.fixture
def house(tmp_path: Path, time: Time) -> Iterator[PlayerService]:
    """A house of its own for every test."""
    made = open_tables(tmp_path / "tapis.db", time)
    yield made
    made.store.close()


@pytest.fixture
def audited(house: PlayerService) -> Iterator[None]:
    """Audit the house after the test; a module asks for it with `usefixtures`."""
    yield
    assert conserved(house)
    assert findings(house) == ()


@pytest.fixture
def anne(house: PlayerService) -> Operator:
    """An operator of the house."""
    return Operator(house)


@contextmanager
def audited_at_the_end(made: PlayerService) -> Iterator[PlayerService]:
    """Lend a house with a pot; then audit it and close it."""
    yield made
    assert findings(made) == ()
    assert report(made).difference_units == 0
    check_books(made.store)
    made.store.close()


@pytest.fixture
def pot_house(tmp_path: Path, time: Time) -> Iterator[PlayerService]:
    """A house whose Blackjack pot is open; audited after the test."""
    with audited_at_the_end(potted(tmp_path / "tapis.db", clock=time.wall)) as made:
        yield made


@pytest.fixture
def forger(tmp_path: Path) -> Iterator[Forger]:
    """Someone who may write what they like in a database with something of everything."""
    fill(tmp_path / "tapis.db")
    made = Forger(tmp_path / "tapis.db")
    yield made
    made.file.close()
