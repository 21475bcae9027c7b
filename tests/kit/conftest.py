"""A planter for every test, and nothing of what it planted after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.planting import Planter, forget


@pytest.fixture
def planter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Planter]:
    """Change a game for one test."""
    yield Planter(monkeypatch, tmp_path)
    monkeypatch.undo()
    forget()
