"""A process that is killed (SIGKILL) at a chosen point of a command.

The points of a command are: before every statement of its transactions, including the first BEGIN
and the COMMIT, and before every row of a statement that writes several; after every COMMIT, before
anyone is answered; and after the reply. A point is chosen by its number. The process reports
through a pipe where it died.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

import msgspec
from msgspec import Struct

from crash.stage import DATABASE, Give, Scene, open_stage, outcome
from tapisvert.store import SqliteStore, Tx
from tapisvert.store.sqlite_file import connect

REPLIED = "the reply"
AFTER_COMMIT = "after COMMIT"
_GIVEN_ENDS = "))) "  # of the keys that a query looks up
AT_THE_REPLY = sys.maxsize  # more points than any command has


class Point(Struct, frozen=True):
    """Where a process died, the number of points up to there, and its commits and answers."""

    passed: list[str]
    commits: int
    stored: int  # atomic units in those commits
    answered: int  # units whose caller got an answer
    reply: bytes | None = None

    @property
    def label(self) -> str:
        return self.passed[-1]


class Doom:
    """Counts points, and kills the process at one of them."""

    def __init__(self, number: int, told: int, busy: int) -> None:
        self._left, self._told, self._busy = number, told, busy
        self._transactions = self._commits = self._units = self._stored = 0
        self._passed: list[str] = []
        self._queue = threading.Lock()
        self._futures: list[Future[Any]] = []

    def before(self, sql: str) -> None:
        """Pass the point before a statement."""
        self._transactions += sql == "BEGIN IMMEDIATE"
        asked = sql.partition(_GIVEN_ENDS)[2] or sql
        self._pass(" ".join(asked.split()[:3]))

    def after(self, sql: str) -> None:
        """Record an executed statement; after a commit there is a point."""
        if self._transactions > self._busy:
            self._units += sql == "RELEASE job"
            if sql == "COMMIT":
                self._commits += 1
                self._stored, self._units = self._stored + self._units, 0
                self._pass(AFTER_COMMIT)

    def replied(self, reply: bytes) -> NoReturn:
        """Pass the last point."""
        self._left = 1
        self._pass(REPLIED, reply)
        raise AssertionError("nobody survives the reply")

    def queued(self, queue: Callable[[], Future[Any]]) -> Future[Any]:
        """Queue a unit; none of its statements runs before its future is registered here."""
        with self._queue:
            future = queue()
            self._futures.append(future)
        return future

    def answer_all(self, reply: bytes) -> None:
        """Complete all waiting futures."""
        with self._queue:
            for future in self._futures:
                future.set_result(reply)

    def _pass(self, label: str, reply: bytes | None = None) -> None:
        if self._transactions <= self._busy:
            return
        with self._queue:  # dying here ends all other threads too
            self._passed.append(label)
            self._left -= 1
            if not self._left:
                answered = sum(future.done() for future in self._futures[self._busy :])
                point = Point(self._passed, self._commits, self._stored, answered, reply)
                os.write(self._told, msgspec.json.encode(point))
                os.kill(os.getpid(), signal.SIGKILL)
                signal.pause()


class Wire:
    """The writer's connection, as far as the store uses it."""

    def __init__(self, connection: sqlite3.Connection, doom: Doom) -> None:
        self._connection, self._doom = connection, doom

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run a statement, unless the process dies before or after it."""
        self._doom.before(sql)
        cursor = self._run(sql, params)
        self._doom.after(sql)
        return cursor

    def executemany(self, sql: str, rows: Iterable[Sequence[object]]) -> sqlite3.Cursor:
        """Run a statement for every row, unless the process dies before one of them, or after."""
        cursor = self._connection.executemany(sql, self._each(sql, rows))
        self._doom.after(sql)
        return cursor

    def _each(self, sql: str, rows: Iterable[Sequence[object]]) -> Iterator[Sequence[object]]:
        for row in rows:
            self._doom.before(sql)
            yield row

    def _run(self, sql: str, params: Sequence[object]) -> sqlite3.Cursor:
        return self._connection.execute(sql, params)

    def close(self) -> None:
        self._connection.close()


Wiring = Callable[[sqlite3.Connection, Doom], Wire]


def kill_at(number: int, folder: Path, scene: Scene, give: Give, wiring: Wiring = Wire) -> Point:
    """Run a command in its own process, which dies at this point."""
    _be_alone()
    told, status = in_a_child(
        lambda telling: _perform(folder, scene, give, Doom(number, telling, scene.busy), wiring)
    )
    died = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    assert died, f"{scene.name}: the process ended by itself at point {number}, status {status}"
    return msgspec.json.decode(told, type=Point)


def in_a_child(work: Callable[[int], None]) -> tuple[bytes, int]:
    """Fork and run work, which writes to the pipe it is given; return that, and the status."""
    listening, telling = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(listening)
            work(telling)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(telling)
    with os.fdopen(listening, "rb") as pipe:
        told = pipe.read()
    return told, os.waitpid(child, 0)[1]


def _be_alone() -> None:
    """Wait until joined threads are really gone: a thread that is ending may hold OpenSSL's lock.

    A process forked at that moment would inherit the lock without its owner. Python's `join` does
    not wait for a library's thread clean-up.
    """
    tasks = Path("/proc/self/task")
    while tasks.is_dir() and len(list(tasks.iterdir())) > 1:
        time.sleep(0.001)


def _perform(folder: Path, scene: Scene, give: Give, doom: Doom, wiring: Wiring) -> NoReturn:
    """Run the command in this process, which dies."""

    def doomed(path: Path, *, query_only: bool = False) -> sqlite3.Connection | Wire:
        connection = connect(path, query_only=query_only)
        return connection if query_only else wiring(connection, doom)

    kept = SqliteStore.write

    def write(self: SqliteStore, work: Callable[[Tx], Any]) -> Future[Any]:
        return doom.queued(lambda: kept(self, work))

    # One unit per commit, so that every run of a multi-unit command is the same.
    with (
        patch("tapisvert.store.sqlite.connect", doomed),
        patch("tapisvert.store.sqlite._GROUP_MAX", 128 if scene.busy else 1),
        patch.object(SqliteStore, "write", write),
    ):
        doom.replied(outcome(give, open_stage(folder / DATABASE, scene, 1)))
