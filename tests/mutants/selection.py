"""Coverage and duration of each test, measured once, in a separate process.

Tests that start another program are excluded: the mutant exists only in this process, so the other
program would be unmutated. A comparison of the two would kill mutants that no test of the house
could kill.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from coverage import Coverage
from msgspec import Struct

ROOT = Path(__file__).parents[2]
# The tests of these packages, and of their effects in the store and over HTTP.
TESTS = (
    *("bank", "dealing", "rounds", "races", "simulation"),
    *("store/test_books.py", "store/test_keys.py", "store/test_migration.py"),
    *("web/test_catalogue.py", "web/test_recall.py", "web/test_royal_poker.py"),
    *("web/test_idempotency.py", "web/test_jackpots.py", "web/test_money.py"),
    *("web/test_operator.py", "web/test_operator_refusals.py", "web/test_rounds.py"),
    *("web/test_sessions.py", "web/test_what_if.py"),
)
# A million decks; nights on patched copies of the source.
LEFT_OUT = ("dealing/test_R5_shuffle.py", "simulation/test_planted.py")
OPTIONS = (
    *("-q", "-x", "-o", "addopts=--import-mode=importlib"),
    *("--tier", "both"),  # a mutant may be found by a test of the second tier only
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # libraries are loaded before pytest
)


class Reach(Struct, frozen=True):
    """The measurements: each test's CPU seconds, and the tests that reach each line."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]

    def of_line(self, path: Path, line: int) -> set[str]:
        """Return the tests that reach a line."""
        return set(self.lines.get(str(path), {}).get(line, ()))

    def of_module(self, path: Path) -> set[str]:
        """Return the tests that reach any function of a module."""
        return {test for tests in self.lines.get(str(path), {}).values() for test in tests}


def arguments(files: Iterable[str], scratch: Path) -> list[str]:
    """Return the arguments of pytest."""
    ignored = [f"--ignore={ROOT / 'tests' / name}" for name in LEFT_OUT]
    return [*OPTIONS, f"--rootdir={ROOT}", f"--basetemp={scratch}", *ignored, *files]


def all_files() -> list[str]:
    """Return the test files for mutants."""
    return [str(ROOT / "tests" / name) for name in TESTS]


class Watch:
    """A plugin of pytest that measures."""

    def __init__(self, modules: Iterable[Path]) -> None:
        self._coverage = Coverage(
            data_file=None, config_file=False, include=[str(path) for path in modules]
        )
        self._seconds: dict[str, float] = {}
        self._elsewhere: set[str] = set()
        self._running = ""
        sys.addaudithook(self._hear)
        self._coverage.start()

    def _hear(self, event: str, _: tuple[Any, ...]) -> None:
        if event in ("subprocess.Popen", "os.posix_spawn", "os.exec"):
            self._elsewhere.add(self._running)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._running = item.nodeid
        self._coverage.switch_context(item.nodeid)
        began = time.process_time()
        try:
            return (yield)
        finally:
            self._seconds[item.nodeid] = time.process_time() - began

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if not is_long_night(item)]

    def reach(self) -> Reach:
        """Return the measurements."""
        self._coverage.stop()
        data = self._coverage.get_data()
        usable = self._seconds.keys() - self._elsewhere
        usable -= {test for test in usable if on_sqlite(test) in usable and "postgresql" in test}
        lines = {
            file: {
                line: sorted(usable.intersection(tests))
                for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        seconds = {test: self._seconds[test] for test in usable}
        return Reach(seconds, lines)


def is_long_night(item: pytest.Item) -> bool:
    """Tell whether a test is one of the long nights of the second tier: too slow for mutants."""
    return item.nodeid.startswith("tests/simulation/") and "long" in item.keywords


def on_sqlite(test: str) -> str:
    """Return the case on SQLite of a test on PostgreSQL: it finds the same mutants, sooner.

    >>> on_sqlite("tests/a.py::test_b[1-postgresql]")
    'tests/a.py::test_b[1-sqlite]'
    """
    return test.replace("postgresql", "sqlite")


def measure(modules: Iterable[Path], scratch: Path, out: Path) -> int:
    """Run all tests once; write what they reach if all pass. Return pytest's exit code."""
    watch = Watch(modules)
    status = pytest.main(arguments(all_files(), scratch), plugins=[watch])
    if not status:
        out.write_bytes(msgspec.json.encode(watch.reach()))
    return int(status)
