"""A house with five tables, and the time it lives in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rounds.operated import Time, open_tables
from tapisvert.rounds import House


@pytest.fixture
def time() -> Time:
    """A clock that is moved by hand."""
    return Time()


@pytest.fixture
def house(tmp_path: Path, time: Time) -> Iterator[House]:
    """A house of its own for every test."""
    made = open_tables(tmp_path / "tapis.db", time)
    yield made
    made.store.close()
