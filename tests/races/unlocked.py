"""PostgreSQL without the locks, for controls; and units that meet in the worst moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from tapisvert.store import Row, Tx
from tapisvert.store.postgres import PostgresStore, PostgresTx
from tapisvert.store.postgres_database import Connection

PATIENCE_S = 30


class MeetingTx(PostgresTx):
    """A transaction that, when it has first read a thing, waits until the others have too."""

    def __init__(self, connection: Connection, reads: str, meet: Callable[[], object]) -> None:
        super().__init__(connection)
        self._reads, self._meet, self._met = reads, meet, False

    def row(self, sql: str, params: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query, when everyone has read theirs."""
        found = super().row(sql, params)
        if self._reads in sql and not self._met:
            self._met = True
            self._meet()
        return found

    def lock(self, table: str, name: str) -> None:
        """Keep nobody out."""


class UnlockedStore(PostgresStore):
    """A store as it must not be: `Tx.lock` does nothing. `meeting` lets units read in step."""

    _meeting: tuple[str, threading.Barrier] | None = None

    def meeting(self, units: int, reads: str) -> None:
        """Make so many units wait for each other once each has read what a query with this has."""
        self._meeting = reads, threading.Barrier(units)

    def apart(self) -> None:
        """Let units go on their own again."""
        self._meeting = None

    def transaction(self, connection: Connection) -> Tx:
        """Return what a unit works with: no locks."""
        reads, barrier = self._meeting or ("nothing of the kind", threading.Barrier(1))
        return MeetingTx(connection, reads, lambda: barrier.wait(PATIENCE_S))
