"""What holds for every test: what was not run is told at the end."""

from __future__ import annotations

import pytest

from not_run import told


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a line nobody can miss for what this machine could not run."""
    skipped = terminalreporter.stats.get("skipped", [])
    lines = told(report.longrepr for report in skipped)
    if lines:
        terminalreporter.section("NOT RUN", sep="!", red=True, bold=True)
    for line in lines:
        terminalreporter.write_line(line, red=True, bold=True)
