"""The tail of one PostgreSQL connection. No other connection writes it."""

from __future__ import annotations

from collections.abc import Iterable

from tapisvert.refusal import Refused
from tapisvert.store.postgres_database import Connection
from tapisvert.store.tails import Counted, IntegrityKey, TailWriter

_SLOTS_MAX = 10_000
_CLASS = 1413566538  # "TAPJ": the class of the advisory locks on slots


class ConnectionTail:
    """A slot of `tails`, locked while the connection lives."""

    def __init__(self, connection: Connection, integrity: IntegrityKey) -> None:
        self.connection = connection
        self._slot = self._take_slot()
        row = connection.execute(
            "SELECT body, mac FROM tails WHERE slot = %s", (self._slot,)
        ).fetchone()
        if row is None:
            empty = integrity.mac(self._slot, b"")
            connection.execute("INSERT INTO tails VALUES (%s, '', %s)", (self._slot, empty))
            row = (b"", empty)
        self._stored = self._next = (bytes(row[0]), bytes(row[1]))
        integrity.read(self._slot, *self._stored)  # refuses a tail with a wrong MAC
        self._writer = TailWriter(integrity, self._slot)

    def save_statement(self, counted: Iterable[Counted]) -> str:
        """Add rows; return the statement that stores the tail, to be sent with COMMIT."""
        body, mac = self._next = self._writer.grow(self._stored, counted)
        old, new = self._stored[1].hex(), mac.hex()
        return f"SELECT keep_tail({self._slot}, '\\x{old}', '\\x{body.hex()}', '\\x{new}')"

    def was_saved(self) -> None:
        """Record that the tail was committed; the next one continues it."""
        self._stored = self._next

    def _take_slot(self) -> int:
        """Lock the lowest slot that no live connection holds."""
        for slot in range(_SLOTS_MAX):
            row = self.connection.execute(
                "SELECT pg_try_advisory_lock(%s, %s)", (_CLASS, slot)
            ).fetchone()
            if row and row[0]:
                return slot
        raise Refused("store/unavailable")
