"""Stores without one protection against crashes: the enumeration must find the errors.

Each wraps the database connection of the real store. Only the process that dies uses it, so the
findings concern the data it left.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from crash.points import Wire, Wiring

_UNITS = ("BEGIN IMMEDIATE", "SAVEPOINT job", "RELEASE job", "ROLLBACK TO job", "COMMIT")


class EachAlone(Wire):
    """Every statement commits by itself: a command is not atomic."""

    def _run(self, sql: str, params: Sequence[object]) -> sqlite3.Cursor:
        return super()._run("SELECT 1" if sql in _UNITS else sql, params)


class KeyApart(Wire):
    """The idempotency record is written in a separate commit, after the effect."""

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        """Commit the effect before the record."""
        self._commit_before(sql)
        return super().execute(sql, params)

    def executemany(self, sql: str, rows: Iterable[Sequence[object]]) -> sqlite3.Cursor:
        """Commit the effect before the record."""
        self._commit_before(sql)
        return super().executemany(sql, rows)

    def _commit_before(self, sql: str) -> None:
        if sql.startswith(("INSERT INTO commands", "INSERT INTO operator_commands")):
            for each in ("RELEASE job", "COMMIT", "BEGIN IMMEDIATE", "SAVEPOINT job"):
                self._run(each, ())


class ToldEarly(Wire):
    """The caller is answered before the commit."""

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        """Answer, then commit."""
        if sql == "COMMIT":
            self._doom.answer_all(b"done")
        return super().execute(sql, params)


class TailApart(Wire):
    """The tail is written in a separate commit, after the rows."""

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        """Commit the rows before their tail."""
        if sql.startswith("UPDATE tails"):
            for each in ("COMMIT", "BEGIN IMMEDIATE"):
                self._run(each, ())
        return super().execute(sql, params)


class SealLost(Wire):
    """A seal is counted but not inserted."""

    def _run(self, sql: str, params: Sequence[object]) -> sqlite3.Cursor:
        lost = sql.startswith("INSERT INTO seals")
        return super()._run("SELECT 1", ()) if lost else super()._run(sql, params)


class SealUnsigned(Wire):
    """A seal is inserted without a signature."""

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
