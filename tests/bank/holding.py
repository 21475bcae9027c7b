"""A pot's lock held by another transaction: commands that need it queue up and can be counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rounds.guest_seat import PATIENCE_S
from tapisvert.store.postgres_database import Connection, connect
from tapisvert.store.postgres_tx import PostgresTx

_WAITING = (
    "SELECT COUNT(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database"
    " WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted"
)


class Held:
    """The lock of a pot, held by a transaction that does nothing else."""

    def __init__(self, line: Connection) -> None:
        self._line = line

    def waiting(self) -> int:
        """Count the units waiting for a lock; they get it first come, first served."""
        row = self._line.execute(_WAITING).fetchone()
        assert row is not None
        return int(row[0])

    def until(self, holds: Callable[[], bool]) -> None:
        """Poll until a condition holds."""
        patience = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < patience, "it never came to be"
            time.sleep(0.001)


@contextmanager
def holding(url: str, pot: str) -> Iterator[Held]:
    """Hold a pot's lock while the block runs."""
    line = connect(url)
    try:
        line.execute("BEGIN")
        PostgresTx(line).lock("jackpots", pot)
        yield Held(line)
    finally:
        line.close()
