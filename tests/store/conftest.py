"""Fixtures of the stores, and the house of `rounds.fixtures`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rounds.fixtures import house as house
from rounds.fixtures import time as time
from stores import store_at
from tapisvert.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = store_at(tmp_path / "tapis.db")
    yield opened
    opened.close()
