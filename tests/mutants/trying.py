"""Running mutants: each in a forked process, which ends with the first test that kills it.

Mutants of functions run in forks of a process that has collected all tests; mutants of code at
import, in forks of one that has not imported the house.
"""

from __future__ import annotations

import ctypes
import gc
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
from typing import Any

import hypothesis
import psycopg
import pytest
from hypothesis import settings

from mutants.mutant import Mutant
from mutants.plan import ENDLESS, KILLED, SURVIVED, Outcome, Plan
from mutants.planting import plant
from mutants.selection import ROOT, all_files, arguments

_SURVIVED, _NOTICED, _BROKEN = 0, 1, 70  # how a process ends; broken: the driver, not the mutant
Report = Callable[[Mutant, Outcome], None]
_SETTINGS = "_hypothesis_internal_use_settings"
_DEADLOCK_S = 240  # how long a mutant may take on a busy machine; see Trial for the endless ones
_IDLE_S = 20  # how long a mutant may do nothing: its threads wait for each other
_SCREEN = os.dup(2)  # what pytest does not catch


def say(text: str) -> None:
    """Write a line to the waiting process."""
    os.write(_SCREEN, text.encode())


def started(work: Callable[[], int], printed: str | Path = os.devnull) -> int:
    """Start work in a forked process, whose exit status it returns; return its process id."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the warning about forking with threads
        child = os.fork()
    if child == 0:
        status = _BROKEN
        try:
            os.setsid()
            _end_with_parent()
            os.dup2(os.open(printed, os.O_WRONLY | os.O_CREAT), 1)
            status = work()
        except BaseException:
            say(traceback.format_exc())
        finally:
            os._exit(status)
    return child


def _end_with_parent() -> None:
    """End this process with the one that started it: Ctrl-C reaches that one only."""
    with suppress(OSError, AttributeError):  # Linux has it
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def awaited(child: int, patience_s: float, idle_s: float | None = None) -> int | None:
    """Wait for a process; return its exit status, or None on a timeout, or after it has done
    nothing for `idle_s`.
    """
    deadline, ended = time.monotonic() + patience_s, None
    worked, busy_at = 0.0, time.monotonic()
    try:
        while ended is None and (now := time.monotonic()) < deadline:
            found, status = os.waitpid(child, os.WNOHANG)
            if found:
                ended = os.waitstatus_to_exitcode(status)
                break
            if idle_s is not None and now > busy_at + idle_s / 10:
                if (seconds := _cpu_seconds(child)) != worked:
                    worked, busy_at = seconds, now
                elif now > busy_at + idle_s:
                    break
            time.sleep(0.004)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # itself, and whatever it has started
    if ended is None:
        os.waitpid(child, 0)
    return ended


def _cpu_seconds(process: int) -> float:
    """Return the processor time of a process so far; of no use where there is no /proc."""
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return float(int(fields[11]) + int(fields[12]))
    return time.monotonic()


def forked(
    work: Callable[[], int],
    patience_s: float,
    printed: str | Path = os.devnull,
    idle_s: float | None = None,
) -> int | None:
    """Run work in a forked process; return its exit status, or None on a timeout."""
    return awaited(started(work, printed), patience_s, idle_s)


class Desk:
    """The context of mutants: the plan, a folder for the tests' files, and the reporter."""

    def __init__(self, plan: Plan, scratch: Path, report: Report) -> None:
        self.plan, self.scratch, self.report = plan, scratch, report
        self._note = scratch / "noticed-by"

    def noticed(self, test: str) -> None:
        """End this process: a test has killed the mutant."""
        self._note.write_text(test)
        os._exit(_NOTICED)

    def outcome(self, work: Callable[[], int], tests: Sequence[str]) -> Outcome:
        """Run tests in a forked process; return the outcome of its mutant."""
        self._note.write_text("")
        ended = forked(work, _DEADLOCK_S + 10 * self.plan.work_s(tests), idle_s=_IDLE_S)
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

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            do_not_shrink(getattr(item, "obj", None))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.setitimer(signal.ITIMER_PROF, self.desk.plan.patience_s(nodeid))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """End before the failure is written up: that takes longer than most tests."""
        expected = (pytest.skip.Exception, pytest.xfail.Exception)
        if call.excinfo is None or issubclass(call.excinfo.type, expected):
            return
        if item.get_closest_marker("xfail") is None:
            self.desk.noticed(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.desk.noticed(report.nodeid)


def do_not_shrink(test: Any) -> None:
    """Make a test of Hypothesis stop at the first example that fails: no smaller one is needed."""
    if hasattr(test, "hypothesis"):
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        used = getattr(test, _SETTINGS, hypothesis.settings.default)
        setattr(getattr(test, "__func__", test), _SETTINGS, settings(used, phases=phases))


class Loop(Trial):
    """Instead of running the tests once, run them on mutants of functions."""

    def __init__(self, desk: Desk, mutants: Sequence[Mutant]) -> None:
        super().__init__(desk)
        self._mutants = mutants

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        killers: dict[str, None] = {}
        start_postgresql()
        gc.collect()
        gc.freeze()  # what is here now is never collected, nor copied for it, in the forks
        for mutant in self._mutants:
            tests = self.desk.plan.tests(mutant)
            chosen = [items[test] for test in tests if test in items]
            outcome = self.desk.outcome(partial(run, mutant, chosen), tests)
            self.desk.plan.learn(mutant, outcome)
            self.desk.report(mutant, outcome)
            killers |= dict.fromkeys([outcome.by] if outcome.by else [])
            if any("postgresql" in test for test in tests):
                drop_databases()
        # Control: the house as it is survives, in the same way, all tests that killed a mutant.
        work = partial(run, None, [items[test] for test in killers])
        outcome = self.desk.outcome(work, list(killers))
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
        super().pytest_collection_modifyitems(items)
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
        desk.report(mutant, outcome)


def _run_fresh(desk: Desk, mutant: Mutant, tests: Sequence[str]) -> int:
    plant(mutant)
    files = dict.fromkeys(str(ROOT / test.partition("::")[0]) for test in tests)
    return int(pytest.main(arguments(files, desk.files), plugins=[Chosen(desk, tests)]))
