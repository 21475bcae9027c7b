"""Fixtures for the tests of commands: a house; and no server in this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Never

import pytest

from cli.typed import WAYS, Desk
from tapisvert.cli import serve
from tapisvert.cli.serve import open_house


@pytest.fixture(params=WAYS)
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    """Open a house; commands run in this process, in the second tier also as real processes."""
    made = open_house(tmp_path / "tapis.db")
    yield Desk(made, tmp_path / "tapis.db", request.param)
    made.store.close()


@pytest.fixture
def nothing_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if a server would start in this process: it would never end."""

    def started(*_: object, **__: object) -> Never:
        raise AssertionError("a server was started")

    monkeypatch.setattr(serve, "run_server", started)
