"""PostgreSQL without locks, for controls; and units whose reads are synchronised."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import psycopg

from tapisvert.store import Row
from tapisvert.store.postgres import PostgresStore
from tapisvert.store.postgres_database import Connection
from tapisvert.store.postgres_tx import PostgresTx
from tapisvert.store.tails import IntegrityKey

PATIENCE_S = 30


class MeetingTx(PostgresTx):
    """A transaction that waits after a certain read until the others have read too."""

    def __init__(
        self,
        connection: Connection,
        integrity: IntegrityKey | None,
        reads: str,
        meet: Callable[[], object],
    ) -> None:
        super().__init__(connection, integrity)
        self._reads, self._meet, self._met = reads, meet, False

    def _send(self, sql: str, params: Sequence[object]) -> psycopg.Cursor[Row]:
        """Return the result of a query after all units have theirs."""
        found = super()._send(sql, params)
        if self._reads in sql and not self._met:
            self._met = True
            self._meet()
        return found

    def lock(self, table: str, name: str) -> None:
        """Do nothing."""

    def try_lock(self, table: str, names: Sequence[str]) -> set[str]:
        return set(names)


class UnlockedStore(PostgresStore):
    """A store without locks. `meeting` synchronises the reads of units."""

    groups_at_once = 1_000_000  # with `races.at_once.ungrouped`, all commands run concurrently
    _meeting: tuple[str, threading.Barrier] | None = None

    def meeting(self, units: int, reads: str) -> None:
        """Make this many units wait for each other after each has run such a query."""
        self._meeting = reads, threading.Barrier(units)

    def apart(self) -> None:
        """Stop synchronising units."""
        self._meeting = None

    def transaction(self, connection: Connection) -> PostgresTx:
        """Return a transaction without locks for a unit."""
        reads, barrier = self._meeting or ("nothing of the kind", threading.Barrier(1))
        return MeetingTx(connection, self._integrity, reads, lambda: barrier.wait(PATIENCE_S))


class PotUnlockedTx(PostgresTx):
    """A transaction that locks everything but the pot, and waits for the others there."""

    def __init__(
        self, connection: Connection, integrity: IntegrityKey | None, meet: Callable[[], object]
    ) -> None:
        super().__init__(connection, integrity)
        self._meet, self._next = meet, False

    def lock(self, table: str, name: str) -> None:
        """Take a lock, except a pot's: there all units read, then all continue."""
        if table != "jackpots":
            super().lock(table, name)
        self._next = table == "jackpots"

    def row(self, sql: str, params: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query; for a pot, after all units have read it."""
        found = super().row(sql, params)
        if self._next:
            self._next = False
            self._meet()
        return found


class PotUnlockedStore(PostgresStore):
    """A store without the pot's lock. `meeting` synchronises the reads of units."""

    _met: threading.Barrier | None = None

    def meeting(self, units: int) -> None:
        """Make the next units at the pot wait for each other after each has read it."""
        self._met = threading.Barrier(units, action=self._apart)

    def _apart(self) -> None:
        self._met = None

    def transaction(self, connection: Connection) -> PostgresTx:
        met = self._met
        meet = (lambda: met.wait(PATIENCE_S)) if met else (lambda: None)
        return PotUnlockedTx(connection, self._integrity, meet)
