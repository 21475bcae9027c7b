"""Coverage and duration of each test, measured once, in a separate process.

Tests that start another program are excluded: the mutant exists only in this process, so the other
program would be unmutated. A comparison of the two would kill mutants that no test of the house
could kill.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import time
from collections.abc import Generator, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from coverage import Coverage
from msgspec import Struct, structs

ROOT = Path(__file__).parents[2]
# The tests of these packages, and of their effects in the store, over HTTP and on the command line.
TESTS = (
    *("bank", "dealing", "rounds", "history", "races", "simulation", "store", "web"),
    *("cli/test_commands.py", "cli/test_folders.py", "cli/test_jackpot.py", "cli/test_operator.py"),
    *("security/test_matrix.py", "certificate/test_giving.py", "test_contracts.py"),
)
# A million decks; patched copies of the source; the coach's sums, minutes under measurement; what
# is in other languages, or is no module's.
LEFT_OUT = (
    *("dealing/test_R5_shuffle.py", "simulation/test_planted.py"),
    *("simulation/test_on_postgresql.py", "races/test_over_http.py", "history/test_F5_history.py"),
    *("web/test_advice.py", "web/test_drill.py", "web/test_drill_refusals.py"),
    *("web/test_client_source.py", "web/test_game_files.py", "web/test_game_styles.py"),
    *("web/test_line_width.py", "web/test_vendor.py", "web/test_bundle.py", "web/test_par.py"),
    *("store/test_postgres_faults.py", "store/test_postgres_opening.py", "store/test_outage.py"),
)
OPTIONS = (
    *("-q", "-o", "addopts=--import-mode=importlib"),
    "--assert=plain",  # why a test fails is not asked
)


class Reach(Struct, frozen=True):
    """The measurements: each test's CPU seconds, the tests that reach each line, and the versions
    of the test files and of the modules when they were measured.
    """

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]
    files: dict[str, str]

    def with_file(self, file: str, more: Reach) -> Reach:
        """Return these measurements and those of a file, which replace any older ones of it."""
        begins = f"{Path(file).relative_to(ROOT).as_posix()}::"
        seconds = {test: s for test, s in self.seconds.items() if not test.startswith(begins)}
        lines = {
            path: {
                line: [test for test in tests if not test.startswith(begins)]
                for line, tests in found.items()
            }
            for path, found in self.lines.items()
        }
        for path, found in more.lines.items():
            mine = lines.setdefault(path, {})
            for line, tests in found.items():
                mine[line] = [*mine.get(line, ()), *tests]
        return Reach({**seconds, **more.seconds}, lines, {**self.files, **more.files})

    def of_line(self, path: Path, line: int) -> set[str]:
        """Return the tests that reach a line; if the module has changed, those that reach it."""
        if self.files.get(str(path)) != version(path):
            return self.of_module(path)
        return set(self.lines.get(str(path), {}).get(line, ()))

    def of_module(self, path: Path) -> set[str]:
        """Return the tests that reach any function of a module."""
        return {test for tests in self.lines.get(str(path), {}).values() for test in tests}


def arguments(files: Iterable[str], scratch: Path) -> list[str]:
    """Return the arguments of pytest."""
    return [*OPTIONS, f"--rootdir={ROOT}", f"--basetemp={scratch}", *files]


def all_files() -> list[str]:
    """Return the test files for mutants."""
    tests = ROOT / "tests"
    left_out = {tests / name for name in LEFT_OUT}
    found = (each for name in TESTS for each in sorted(tests.glob(f"{name}/test_*.py")))
    named = (tests / name for name in TESTS if name.endswith(".py"))
    return [str(each) for each in (*found, *named) if each not in left_out]


class Watch:
    """A plugin of pytest that measures."""

    def __init__(self, modules: Iterable[Path]) -> None:
        self._coverage = Coverage(
            data_file=None, config_file=False, include=[str(path) for path in modules]
        )
        self._seconds: dict[str, float] = {}
        self._elsewhere: set[str] = set()  # tests that start another program, or fail
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
        here = {item.nodeid for item in items}
        items[:] = [
            item
            for item in items
            if "postgresql" not in item.nodeid or on_sqlite(item.nodeid) not in here
        ]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._elsewhere.add(report.nodeid)

    def reach(self) -> Reach:
        """Return the measurements."""
        self._coverage.stop()
        data = self._coverage.get_data()
        usable = self._seconds.keys() - self._elsewhere
        lines = {
            file: {
                line: sorted(usable.intersection(tests))
                for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        seconds = {test: self._seconds[test] for test in usable}
        return Reach(seconds, lines, {})


def on_sqlite(test: str) -> str:
    """Return the case on SQLite of a test on PostgreSQL: it finds the same mutants, sooner.

    >>> on_sqlite("tests/a.py::test_b[1-postgresql]")
    'tests/a.py::test_b[1-sqlite]'
    """
    return test.replace("postgresql", "sqlite")


def read_reach(out: Path) -> Reach:
    """Return the measurements in a file; none if there is none."""
    return msgspec.json.decode(out.read_bytes(), type=Reach) if out.exists() else Reach({}, {}, {})


@cache
def version(path: Path) -> str:
    """Return a digest of a module's code, comments aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return hashlib.sha256(f"{path.name} {ast.dump(tree)}".encode()).hexdigest()[:16]


def measure(modules: Iterable[Path], file: str, scratch: Path, out: Path) -> int:
    """Run the tests of a file; write what they reach. Return 0."""
    watch = Watch(modules)
    pytest.main(arguments([file], scratch), plugins=[watch])
    found = watch.reach()
    out.write_bytes(msgspec.json.encode(structs.replace(found, files={file: version(Path(file))})))
    return 0
