"""One PostgreSQL database for all simulated servers: each unit is a transaction.

Besides the faults of SQLite (`disk.py`), a connection can be lost at any statement. The store then
runs the unit again on a new one. If it was lost after COMMIT, the second run finds the stored key.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import psycopg
from psycopg.pq import TransactionStatus

import postgres
from simulation.disk import COVER, Crash, Ended, Fault, Fuse, Job, Kind
from simulation.letters import Unit
from tapisvert.store import Row, Tx
from tapisvert.store.postgres import PostgresStore, _look
from tapisvert.store.postgres_database import Connection, connect
from tapisvert.store.postgres_tx import PostgresTx

T = TypeVar("T")
_NOTES = """
CREATE TABLE steps (n BIGSERIAL PRIMARY KEY, round_id TEXT, was TEXT, now TEXT);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO steps (round_id, was, now) VALUES (NEW.id, OLD.state, NEW.state);
    RETURN NULL;
END $$;
CREATE TRIGGER noted AFTER INSERT OR UPDATE ON rounds FOR EACH ROW EXECUTE FUNCTION note();
"""


class PostgresDisk:
    """PostgreSQL: units are committed one by one."""

    troubles: tuple[Kind, ...] = ("disk", "lost")
    groups_at_once = PostgresStore.groups_at_once
    objection: Exception = psycopg.IntegrityError("a rule of the database")

    def __init__(self) -> None:
        self._url = postgres.server().fresh()
        self._connection = connect(self._url)
        self._connection.execute(_NOTES)
        self.looking: Tx = PostgresTx(self._connection)

    def commit(self, jobs: Sequence[Job], fault: Fault | None, units: list[Unit]) -> Ended:
        """Commit units by the code of the real store, one after the other."""
        server = _Units(self._connection, fault, units)
        try:
            for job in jobs:
                if not job.future.set_running_or_notify_cancel():
                    continue
                try:
                    job.result = server._write(job.work)
                except Exception as error:
                    job.error = error
        except Crash:
            server.wire.end()
        return Ended(server.committed, server.wire.dead)

    def look(self, work: Callable[[Tx], T]) -> T:
        """Run queries on one snapshot."""
        return _look(self._connection, work)

    def close(self) -> None:
        self._connection.close()
        postgres.server().drop(self._url)


class _Units(PostgresStore):
    """The store of one server for one group: all its connections are the same one."""

    def __init__(self, connection: Connection, fault: Fault | None, units: list[Unit]) -> None:
        self._real, self._noted = connection, units
        self._integrity, self._of_thread = COVER, threading.local()
        self.committed: list[Unit] = []
        self.wire = _Wire(connection, fault, self._ended)

    def _connection(self) -> Connection:
        return cast(Connection, self.wire)

    def _let_go(self, connection: Connection | None) -> None:
        self.wire.end()
        self.wire = _Wire(self._real, None, self._ended)

    def _ended(self, *, kept: bool) -> None:
        """Record a unit when it is committed, or when it wrote nothing and was refused."""
        refused = [unit for unit in self._noted if unit.raised and not _of_the_line(unit.outcome)]
        self.committed += self._noted if kept else refused
        self._noted.clear()


def _of_the_line(outcome: object) -> bool:
    return isinstance(outcome, psycopg.Error)


class _Wire(Fuse):
    """A connection: dead with its server, or lost while the server lives."""

    def __init__(
        self, connection: Connection, fault: Fault | None, ended: Callable[..., None]
    ) -> None:
        super().__init__(fault, psycopg.OperationalError)
        self._connection, self._ended = connection, ended

    def execute(
        self, sql: str, params: Sequence[object] = (), *, prepare: bool | None = None
    ) -> psycopg.Cursor[Row]:
        """Execute a statement, unless a fault occurs before or after it."""
        self.point(before=True)
        done = self._connection.execute(cast(Any, sql), params, prepare=prepare)
        if sql.endswith(("COMMIT", "ROLLBACK")):
            self._ended(kept=sql.endswith("COMMIT"))
        self.point(before=False)
        return done

    def end(self) -> None:
        """Close the connection: uncommitted rows are lost."""
        if self._connection.info.transaction_status != TransactionStatus.IDLE:
            self._connection.execute("ROLLBACK")
        self._ended(kept=False)
