"""Spies on the connections of a PostgreSQL store that drop them at a chosen statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
import pytest

from tapisvert.store.postgres_database import Connection, connect
from tapisvert.store.postgres_tx import BEGIN


class Line:
    """A connection that drops where the spy says so."""

    def __init__(self, connection: Connection, spy: LineSpy) -> None:
        self._connection, self._spy = connection, spy
        self.lost = False

    def execute(self, sql: str, params: Sequence[object] | None = None, **how: Any) -> Any:
        """Pass a statement on, and drop the connection before or after it."""
        # BEGIN and COMMIT come in one message with other statements; an insertion is named by its
        # table.
        name = BEGIN if sql.startswith(BEGIN) else sql.rpartition("; ")[2].partition(" (")[0]
        self._spy.told.append(name)
        if name in self._spy.lose_before:
            self._spy.lose_before.remove(name)
            self._lose()
        done = self._connection.execute(sql, params, **how)
        if name in self._spy.lose_after:
            self._spy.lose_after.remove(name)
            self._lose()
        return done

    def close(self) -> None:
        self._connection.close()

    @property
    def broken(self) -> bool:
        return self.lost or self._connection.broken

    @property
    def closed(self) -> bool:
        return self._connection.closed

    def _lose(self) -> None:
        self.lost = True
        self._connection.close()  # the server rolls back the open transaction
        raise psycopg.OperationalError("the connection is lost")


class LineSpy:
    """Wraps the connections that a store opens from now on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: list[str] = []
        self.lines: list[Line] = []
        self.lose_before: list[str] = []
        self.lose_after: list[str] = []
        monkeypatch.setattr("tapisvert.store.postgres.connect", self._connect)

    def _connect(self, url: str, *, by_key: bool) -> Line:
        self.lines.append(Line(connect(url, by_key=by_key), self))
        return self.lines[-1]
