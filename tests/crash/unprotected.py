"""Stores without the protection a crash needs: the enumeration must find what they do.

Each is a wire between the real store and its database; only the process that dies has it, so what
is found afterwards is what it left behind.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from crash.points import Wire, Wiring

_UNITS = ("BEGIN IMMEDIATE", "SAVEPOINT job", "RELEASE job", "ROLLBACK TO job", "COMMIT")


class EachAlone(Wire):
    """Every statement commits by itself: a command is no atomic unit."""

    def _run(self, sql: str, params: Sequence[object]) -> sqlite3.Cursor:
        return super()._run("SELECT 1" if sql in _UNITS else sql, params)


class KeyApart(Wire):
    """The idempotency record is written in a unit after the one that has the effect."""

    def executemany(self, sql: str, rows: Iterable[Sequence[object]]) -> sqlite3.Cursor:
        """Commit what there is before the record."""
        if sql.startswith(("INSERT INTO commands", "INSERT INTO operator_commands")):
            for each in ("RELEASE job", "COMMIT", "BEGIN IMMEDIATE", "SAVEPOINT job"):
                self._run(each, ())
        return super().executemany(sql, rows)


class ToldEarly(Wire):
    """The caller is answered before the commit."""

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        """Answer, then commit."""
        if sql == "COMMIT":
            self._doom.answer_all(b"done")
        return super().execute(sql, params)


class TailApart(Wire):
    """The tail is written in a unit after the one that has the rows."""

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        """Commit the rows before their tail."""
        if sql.startswith("UPDATE tails"):
            for each in ("COMMIT", "BEGIN IMMEDIATE"):
                self._run(each, ())
        return super().execute(sql, params)


class SealLost(Wire):
    """A seal is counted and said to be made, and is not there."""

    def _run(self, sql: str, params: Sequence[object]) -> sqlite3.Cursor:
        lost = sql.startswith("INSERT INTO seals")
        return super()._run("SELECT 1", ()) if lost else super()._run(sql, params)


class SealUnsigned(Wire):
    """A seal is there, and nobody has signed it."""

    def _run(self, sql: str, params: Sequence[object]) -> sqlite3.Cursor:
        if sql.startswith("INSERT INTO seals"):
            params = (*params[:-1], None)
        return super()._run(sql, params)


UNPROTECTED: dict[str, Wiring] = {
    "each-alone": EachAlone,
    "key-apart": KeyApart,
    "told-early": ToldEarly,
    "tail-apart": TailApart,
    "seal-lost": SealLost,
    "seal-unsigned": SealUnsigned,
}
