"""One database in memory, and the ways it fails under a server.

A crash may come before or after any statement, the commit included, or between the commit and the
answers; what was not committed is then gone, as after a `kill -9`. A disk may also refuse a
statement. Triggers of our own, which the house does not know, note what becomes of every round.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tapisvert.store.sqlite_file import connect, migrations

_NOTES = """
CREATE TEMP TABLE steps (n INTEGER PRIMARY KEY, round_id TEXT, was TEXT, now TEXT);
CREATE TEMP TRIGGER seated AFTER INSERT ON main.rounds BEGIN
    INSERT INTO steps (round_id, was, now) VALUES (NEW.id, NULL, NEW.state);
END;
CREATE TEMP TRIGGER changed AFTER UPDATE ON main.rounds BEGIN
    INSERT INTO steps (round_id, was, now) VALUES (NEW.id, OLD.state, NEW.state);
END;
"""


class Crash(BaseException):
    """The server's process has died here."""


@dataclass
class Fault:
    """What will go wrong, and at how many points from now: there are two to a statement."""

    kind: Literal["crash", "disk"]
    points: int


class Disk:
    """The database all servers share; only what is committed outlives a crash."""

    def __init__(self) -> None:
        self.connection = connect(Path(":memory:"))
        for path in migrations():
            self.connection.executescript(path.read_text(encoding="utf-8"))
        self.connection.executescript(_NOTES)

    def lose(self) -> bool:
        """Take back what was not committed; tell whether there was anything to take back."""
        unfinished = self.connection.in_transaction
        if unfinished:
            self.connection.execute("ROLLBACK")
        return unfinished


class Wire:
    """A server's connection: once it has broken, nothing goes through it any more."""

    def __init__(self, disk: Disk, fault: Fault | None) -> None:
        self._connection = disk.connection
        self._fault = fault
        self._points = fault.points if fault else 0
        self.dead = False

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        """Pass a statement on, unless something goes wrong before or after it."""
        self._point(before=True)
        cursor = self._connection.execute(sql, params)
        self._point(before=False)
        return cursor

    def _point(self, *, before: bool) -> None:
        if self.dead:
            raise Crash
        if self._fault is None:
            return
        self._points -= 1
        if self._points > 0:
            return
        if self._fault.kind == "crash":
            self.dead = True
            raise Crash
        if before:
            self._fault = None
            raise sqlite3.OperationalError("disk I/O error")
