"""What holds for every test: the store it runs on, and that what was not run is told at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from not_run import told
from stores import POSTGRESQL, SQLITE, choose, closing_what_is_opened


@pytest.fixture(scope="module", autouse=True)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Choose the database engine: SQLite, unless the module asks for both (stores.py)."""
    chosen: str = getattr(request, "param", SQLITE)
    choose(chosen)
    with closing_what_is_opened():
        yield chosen
    choose(SQLITE)


@pytest.fixture(autouse=True)
def _connections() -> Iterator[None]:
    """Leave no connection of a test open."""
    with closing_what_is_opened():
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Take tests that speak of SQLite alone out of those that run on PostgreSQL."""

    def elsewhere(item: pytest.Item) -> bool:
        called = getattr(item, "callspec", None)
        here = called is not None and called.params.get("engine") == POSTGRESQL
        return here and "sqlite_only" in item.keywords

    items[:] = [item for item in items if not elsewhere(item)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a line nobody can miss for what this machine could not run."""
    skipped = terminalreporter.stats.get("skipped", [])
    lines = told(report.longrepr for report in skipped)
    if lines:
        terminalreporter.section("NOT RUN", sep="!", red=True, bold=True)
    for line in lines:
        terminalreporter.write_line(line, red=True, bold=True)
