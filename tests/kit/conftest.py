"""Fixture: a planter that undoes its changes after each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.planting import Planter, forget


@pytest.fixture
def planter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Planter]:
    """Return a planter for one test."""
    yield Planter(monkeypatch, tmp_path)
    monkeypatch.undo()
    forget()
