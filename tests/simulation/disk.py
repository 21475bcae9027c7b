"""The database shared by all servers, and its faults: SQLite, in memory.

A crash may come before or after any statement, the commit included, or between the commit and the
answers. Uncommitted rows are then lost, as after a `kill -9`. The disk may also refuse a statement.
Triggers of the simulation, unknown to the house, record every change of a round.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, cast

from simulation.letters import Request, Unit
from tapisvert.refusal import Refused
from tapisvert.sealing import Sealer
from tapisvert.store import Tx
from tapisvert.store.sqlite import SqliteStore, _commit_group, _Job
from tapisvert.store.sqlite_file import connect, migrations
from tapisvert.store.sqlite_tx import SqliteTx
from tapisvert.store.tails import IntegrityKey, TailWriter

T = TypeVar("T")
KEY = bytes(range(32))
COVER = IntegrityKey(Sealer(KEY).integrity_key)

_NOTES = """
CREATE TEMP TABLE steps (n INTEGER PRIMARY KEY, round_id TEXT, was TEXT, now TEXT);
CREATE TEMP TRIGGER seated AFTER INSERT ON main.rounds BEGIN
    INSERT INTO steps (round_id, was, now) VALUES (NEW.id, NULL, NEW.state);
END;
CREATE TEMP TRIGGER changed AFTER UPDATE ON main.rounds BEGIN
    INSERT INTO steps (round_id, was, now) VALUES (NEW.id, OLD.state, NEW.state);
END;
"""


Kind = Literal["crash", "disk", "lost"]


class Crash(BaseException):
    """The server's process dies here."""


@dataclass
class Fault:
    """A fault, and the number of points until it occurs; a statement has two points."""

    kind: Kind
    points: int


class Job(_Job):
    """A piece of work, and the request it belongs to."""

    def __init__(self, work: Callable[[Tx], Any], request: Request, future: Future[Any]) -> None:
        super().__init__(work)
        self.request, self.future = request, future


class Ended(NamedTuple):
    """The result of a group: the committed units, and whether its server died."""

    committed: list[Unit]
    died: bool


class Disk(Protocol):
    """The database all servers share; only committed rows survive a crash."""

    troubles: tuple[Kind, ...]  # what can go wrong short of a crash
    groups_at_once: int  # of players' commands
    objection: Exception  # its exception for a violated constraint
    looking: Tx  # sees committed rows; within a unit, also its own writes

    def commit(self, jobs: Sequence[Job], fault: Fault | None, units: list[Unit]) -> Ended:
        """Run a group; each unit appends itself to `units` when its work is done."""

    def look(self, work: Callable[[Tx], T]) -> T:
        """Run queries on committed rows."""

    def close(self) -> None:
        """Delete everything."""


class SqliteDisk:
    """SQLite: a group is one transaction."""

    troubles: tuple[Kind, ...] = ("disk",)
    groups_at_once = SqliteStore.groups_at_once
    objection: Exception = sqlite3.IntegrityError("a rule of the database")

    def __init__(self) -> None:
        self._connection = connect(Path(":memory:"))
        for path in migrations():
            self._connection.executescript(path.read_text(encoding="utf-8"))
        self._connection.executescript(_NOTES)
        self.looking: Tx = SqliteTx(self._connection)

    def commit(self, jobs: Sequence[Job], fault: Fault | None, units: list[Unit]) -> Ended:
        """Commit a group by the code of the real store."""
        wire = Wire(self._connection, fault)
        try:
            _commit_group(cast(sqlite3.Connection, wire), jobs, COVER, TailWriter(COVER, 0))
        except Crash:
            wire.dead = True
        except sqlite3.Error:
            for job in jobs:
                job.error = Refused("store/unavailable")
        unfinished = self._connection.in_transaction
        if unfinished:
            self._connection.execute("ROLLBACK")
        return Ended([] if unfinished else [*units], wire.dead)

    def look(self, work: Callable[[Tx], T]) -> T:
        """Run queries on committed rows."""
        self._connection.execute("PRAGMA query_only = ON")
        self._connection.execute("BEGIN")
        try:
            return work(self.looking)
        finally:
            self._connection.execute("ROLLBACK")
            self._connection.execute("PRAGMA query_only = OFF")

    def close(self) -> None:
        self._connection.close()


class Fuse:
    """The planned fault of a server's connection; once dead or broken, it stays so."""

    def __init__(self, fault: Fault | None, error: type[Exception]) -> None:
        self._fault, self._error = fault, error
        self._points = fault.points if fault else 0
        self.dead = self.broken = False

    def point(self, *, before: bool) -> None:
        """Pass a point: there is one before every statement and one after it."""
        if self.dead:
            raise Crash
        if self.broken:
            raise self._error("the connection is lost")
        if self._fault is None:
            return
        self._points -= 1
        if self._points > 0:
            return
        if self._fault.kind == "crash":
            self.dead = True
            raise Crash
        if self._fault.kind == "lost":
            self.broken = True
            raise self._error("the connection is lost")
        if before:
            self._fault = None
            raise self._error("the disk refuses")


class Wire(Fuse):
    """A server's connection to SQLite."""

    def __init__(self, connection: sqlite3.Connection, fault: Fault | None) -> None:
        super().__init__(fault, sqlite3.OperationalError)
        self._connection = connection

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        """Execute a statement, unless a fault occurs before or after it."""
        self.point(before=True)
        cursor = self._connection.execute(sql, params)
        self.point(before=False)
        return cursor

    def executemany(self, sql: str, rows: Iterable[Sequence[object]]) -> sqlite3.Cursor:
        """Execute a statement for every row; a fault may occur between rows too."""
        self.point(before=True)
        cursor = self._connection.executemany(sql, self._each(rows))
        self.point(before=False)
        return cursor

    def _each(self, rows: Iterable[Sequence[object]]) -> Iterator[Sequence[object]]:
        for place, row in enumerate(rows):
            if place:
                self.point(before=True)
            yield row
