"""Configuration of all tests: tiers, the store, and the report at the end."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import failing
import memory
import tiers
from not_run import told
from stores import (
    POSTGRESQL,
    SQLITE,
    choose,
    closing_what_is_opened,
    drop_what_was_made,
)

# The same examples in every run, and no failure because a machine is slow at making them.
settings.register_profile(
    "tests", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")

LATER = "later"
_later = pytest.StashKey[int]()


@pytest.fixture(scope="module", autouse=True)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Choose the database engine: SQLite, unless the module asks for both (stores.py)."""
    chosen: str = getattr(request, "param", SQLITE)
    choose(chosen)
    with closing_what_is_opened():
        yield chosen
    drop_what_was_made()
    choose(SQLITE)


@pytest.fixture(autouse=True)
def _connections() -> Iterator[None]:
    """Close the connections that a test leaves open."""
    with closing_what_is_opened():
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for tiers and for recording the duration of every file (tiers.py)."""
    choices = (tiers.FIRST, tiers.SECOND, tiers.BOTH)
    parser.addoption("--tier", choices=choices, default=tiers.FIRST)
    parser.addoption("--note-seconds", action="store_true")


def pytest_configure(config: pytest.Config) -> None:
    """Use memory for files, and delete old failure reports; workers inherit both."""
    memory.use()
    if not hasattr(config, "workerinput"):
        failing.forget(config.rootpath)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the other tier, and on PostgreSQL the tests for SQLite only; order the rest."""

    def elsewhere(item: pytest.Item) -> bool:
        called = getattr(item, "callspec", None)
        here = called is not None and called.params.get("engine") == POSTGRESQL
        return here and "sqlite_only" in item.keywords

    later = set(tiers.not_of_this_tier(config, items))
    config.stash[_later] = len(later)
    config.hook.pytest_deselected(items=list(later))
    items[:] = [item for item in items if not elsewhere(item) and item not in later]
    tiers.longest_first(config, items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Shorten a failure on the screen; write it in full to a file."""
    report = yield
    if report.failed:
        failing.put_aside(report, item.config.rootpath)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Report from a worker how many tests this run leaves to another tier."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[LATER] = session.config.stash.get(_later, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Receive that number from a worker: each has collected all tests."""
    node.config.stash[_later] = getattr(node, "workeroutput", {}).get(LATER, 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tests left for another run, those this machine cannot run, and the failures."""
    stats, write = terminalreporter.stats, terminalreporter.write_line
    config = terminalreporter.config
    if config.getoption("--note-seconds"):
        every = [each for kind in stats.values() for each in kind]
        reports = (each for each in every if isinstance(each, pytest.TestReport))
        tiers.note_seconds(config.getoption("--tier"), reports)
    if later := config.stash.get(_later, 0):
        tests = "test is" if later == 1 else "tests are"
        write(f"{later:,} {tests} of the other tier (tests/tiers.py)")
    lines = told(report.longrepr for report in stats.get("skipped", []))
    if lines:
        terminalreporter.section("NOT RUN", sep="!", red=True, bold=True)
    for line in lines:
        write(line, red=True, bold=True)
    failed = [*stats.get("failed", []), *stats.get("error", [])]
    if failed:
        terminalreporter.section(f"{len(failed)} failed; to run one alone", red=True, bold=True)
    for line in failing.listed(failed):
        write(line, red=True)
