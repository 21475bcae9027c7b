"""Rounds in other engines are of the long tier: run when asked for, by `make engines`."""

from __future__ import annotations

import os

import pytest

ASKED = os.environ.get("TAPIS_ENGINES") == "1"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the rounds out of a run that does not name them, and count them as deselected."""
    if ASKED or any("engines" in asked for asked in config.args):
        return
    later = [item for item in items if item.nodeid.startswith("tests/engines/test_rounds.py")]
    config.hook.pytest_deselected(items=later)
    items[:] = [item for item in items if item not in set(later)]
