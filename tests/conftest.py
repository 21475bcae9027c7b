"""What holds for every test: the store it runs on, and that what was not run is told at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from not_run import told
from stores import SQLITE, choose


@pytest.fixture(scope="module", autouse=True)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Choose the database engine: SQLite, unless the module asks for both (stores.py)."""
    chosen: str = getattr(request, "param", SQLITE)
    choose(chosen)
    yield chosen
    choose(SQLITE)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a line nobody can miss for what this machine could not run."""
    skipped = terminalreporter.stats.get("skipped", [])
    lines = told(report.longrepr for report in skipped)
    if lines:
        terminalreporter.section("NOT RUN", sep="!", red=True, bold=True)
    for line in lines:
        terminalreporter.write_line(line, red=True, bold=True)
