"""Running mutants: each in a forked process, which ends with the first test that kills it.

Mutants of functions run in forks of a process that has collected all tests; mutants of code at
import, in forks of one that has not imported the house.
"""

from __future__ import annotations

import os
import shutil
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest

from mutants.mutant import Mutant
from mutants.plan import ENDLESS, KILLED, SURVIVED, Outcome, Plan
from mutants.planting import plant
from mutants.selection import ROOT, all_files, arguments

_SURVIVED, _NOTICED, _BROKEN = 0, 1, 70  # how a process ends; broken: the driver, not the mutant
Told = Callable[[Mutant, Outcome], None]
_DEADLOCK_S = 120  # how long mutants are waited for that do nothing; see Trial for the busy ones
_SCREEN = os.dup(2)  # what pytest does not catch


def say(text: str) -> None:
    """Write a line to the waiting process."""
    os.write(_SCREEN, text.encode())


def forked(
    work: Callable[[], int], patience_s: float, printed: str | Path = os.devnull
) -> int | None:
    """Run work in a forked process; return its exit status, or None on a timeout."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the warning about forking with threads
        child = os.fork()
    if child == 0:
        status = _BROKEN
        try:
            os.setsid()
            os.dup2(os.open(printed, os.O_WRONLY | os.O_CREAT), 1)
            status = work()
        except BaseException:
            say(traceback.format_exc())
        finally:
            os._exit(status)
    deadline, ended = time.monotonic() + patience_s, None
    while ended is None and time.monotonic() < deadline:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            ended = os.waitstatus_to_exitcode(status)
        else:
            time.sleep(0.004)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # itself, and whatever it has started
    if ended is None:
        os.waitpid(child, 0)
    return ended


class Desk:
    """The context of mutants: the plan, a folder for the tests' files, and the reporter."""

    def __init__(self, plan: Plan, scratch: Path, told: Told) -> None:
        self.plan, self.scratch, self.told = plan, scratch, told
        self._note = scratch / "noticed-by"

    def noticed(self, test: str) -> None:
        """End this process: a test has killed the mutant."""
        self._note.write_text(test)
        os._exit(_NOTICED)

    def outcome(self, work: Callable[[], int], tests: Sequence[str]) -> Outcome:
        """Run tests in a forked process; return the outcome of its mutant."""
        self._note.write_text("")
        ended = forked(work, _DEADLOCK_S + 10 * self.plan.work_s(tests))
        shutil.rmtree(self.files, ignore_errors=True)
        if ended is None or ended == -signal.SIGPROF:
            return Outcome(ENDLESS)
        if ended == _SURVIVED:
            return Outcome(SURVIVED)
        by = self._note.read_text()
        if ended == pytest.ExitCode.USAGE_ERROR:
            return Outcome(KILLED, "import of a conftest.py")
        if ended != _NOTICED or not by:  # nothing but a test may count as one that noticed
            raise RuntimeError(f"the driver failed with {ended}, see above")
        return Outcome(KILLED, by)

    @property
    def files(self) -> Path:
        """Return the folder for the tests' files."""
        return self.scratch / "files"


class Trial:
    """A plugin of pytest: the first test that fails, or takes too long, ends the process."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.setitimer(signal.ITIMER_PROF, self.desk.plan.patience_s(nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.desk.noticed(report.nodeid)


class Loop(Trial):
    """Instead of running the tests once, run them on mutants of functions."""

    def __init__(self, desk: Desk, mutants: Sequence[Mutant]) -> None:
        super().__init__(desk)
        self._mutants = mutants

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        start_postgresql()
        for mutant in self._mutants:
            tests = self.desk.plan.tests(mutant)
            chosen = [items[test] for test in tests]
            outcome = self.desk.outcome(partial(run, mutant, chosen), tests)
            self.desk.plan.learn(mutant, outcome)
            self.desk.told(mutant, outcome)
            drop_databases()
        # Control: the house as it is survives all tests in the same way.
        everything = list(self.desk.plan.reach.seconds)
        work = partial(run, None, [items[test] for test in everything])
        outcome = self.desk.outcome(work, everything)
        assert not outcome.killed, f"without a mutant: {outcome}"
        return True


def start_postgresql() -> None:
    """Start the tests' PostgreSQL here: one server for all forks of this process."""
    import postgres  # which imports the house

    with suppress(pytest.skip.Exception):  # there is none: the tests on it say so
        postgres.server().fresh()


def drop_databases() -> None:
    """Drop the databases that a mutant's tests have left."""
    import postgres

    if not postgres.server.cache_info().currsize:
        return
    with psycopg.connect(postgres.server().url("postgres"), autocommit=True) as line:
        made = line.execute(r"SELECT datname FROM pg_database WHERE datname LIKE 'house\_%'")
        for (name,) in made.fetchall():
            line.execute(f"DROP DATABASE {name} WITH (FORCE)")


def run(mutant: Mutant | None, items: Sequence[pytest.Item]) -> int:
    """Activate a mutant and run tests until one kills it."""
    if mutant is not None:
        plant(mutant)
    following: list[pytest.Item | None] = [*items[1:], None]
    for item, after in zip(items, following[: len(items)], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
    return _SURVIVED


def try_functions(desk: Desk, mutants: Sequence[Mutant]) -> int:
    """Try mutants of functions; return pytest's exit code."""
    plugins = [Loop(desk, mutants)]
    return int(pytest.main(arguments(all_files(), desk.files), plugins=plugins))


class Chosen(Trial):
    """Run these tests in this order."""

    def __init__(self, desk: Desk, tests: Sequence[str]) -> None:
        super().__init__(desk)
        self._tests = tests

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        found = {item.nodeid: item for item in items}
        # The names of cases may be made of a figure that is another one now.
        items[:] = [found[test] for test in self._tests if test in found]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.desk.noticed(f"import of {report.nodeid}")


def try_imports(desk: Desk, mutants: Sequence[Mutant]) -> None:
    """Try mutants of code at import, from a process that has not imported the house."""
    for mutant in mutants:
        tests = desk.plan.tests(mutant)
        outcome = desk.outcome(partial(_run_fresh, desk, mutant, tests), tests)
        desk.plan.learn(mutant, outcome)
        desk.told(mutant, outcome)


def _run_fresh(desk: Desk, mutant: Mutant, tests: Sequence[str]) -> int:
    plant(mutant)
    files = dict.fromkeys(str(ROOT / test.partition("::")[0]) for test in tests)
    return int(pytest.main(arguments(files, desk.files), plugins=[Chosen(desk, tests)]))
