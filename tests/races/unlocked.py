"""PostgreSQL without the locks, for controls; and units that meet in the worst moment."""

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
    """A transaction that, when it has first read a thing, waits until the others have too."""

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
        """Return what a query has found, when everyone has read theirs."""
        found = super()._send(sql, params)
        if self._reads in sql and not self._met:
            self._met = True
            self._meet()
        return found

    def lock(self, table: str, name: str) -> None:
        """Keep nobody out."""

    def try_lock(self, table: str, names: Sequence[str]) -> set[str]:
        """Keep nobody out."""
        return set(names)


class UnlockedStore(PostgresStore):
    """A store as it must not be: locks do nothing. `meeting` lets units read in step."""

    groups_at_once = 1_000_000  # with `races.at_once.ungrouped`, every command is under way at once
    _meeting: tuple[str, threading.Barrier] | None = None

    def meeting(self, units: int, reads: str) -> None:
        """Make so many units wait for each other once each has read what a query with this has."""
        self._meeting = reads, threading.Barrier(units)

    def apart(self) -> None:
        """Let units go on their own again."""
        self._meeting = None

    def transaction(self, connection: Connection) -> PostgresTx:
        """Return what a unit works with: no locks."""
        reads, barrier = self._meeting or ("nothing of the kind", threading.Barrier(1))
        return MeetingTx(connection, self._integrity, reads, lambda: barrier.wait(PATIENCE_S))


class PotUnlockedTx(PostgresTx):
    """A transaction that locks everything but the pot, and meets others where it would."""

    def __init__(
        self, connection: Connection, integrity: IntegrityKey | None, meet: Callable[[], object]
    ) -> None:
        super().__init__(connection, integrity)
        self._meet, self._next = meet, False

    def lock(self, table: str, name: str) -> None:
        """Keep others out, but not from a pot: all read it, then all go on."""
        if table != "jackpots":
            super().lock(table, name)
        self._next = table == "jackpots"

    def row(self, sql: str, params: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query; of a pot, when everyone has read theirs."""
        found = super().row(sql, params)
        if self._next:
            self._next = False
            self._meet()
        return found


class PotUnlockedStore(PostgresStore):
    """A store as it must not be: the pot's lock does nothing. `meeting` lets units read in step."""

    _met: threading.Barrier | None = None

    def meeting(self, units: int) -> None:
        """Make the next so many units at the pot wait for each other once each has read it."""
        self._met = threading.Barrier(units, action=self._apart)

    def _apart(self) -> None:
        self._met = None

    def transaction(self, connection: Connection) -> PostgresTx:
        """Return what a unit works with."""
        met = self._met
        meet = (lambda: met.wait(PATIENCE_S)) if met else (lambda: None)
        return PotUnlockedTx(connection, self._integrity, meet)
