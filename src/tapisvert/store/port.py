"""The database interface: plain SQL in transactions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from tapisvert.store.tails import IntegrityKey

T = TypeVar("T")
Row = tuple[Any, ...]


class Tx(Protocol):
    """An open transaction."""

    def run(self, sql: str, params: Sequence[object] = ()) -> int:
        """Run a statement; return the number of rows changed."""

    def inserted_ids(
        self, sql: str, params: Sequence[object] = (), *, number: str = "id", rows: int = 1
    ) -> Sequence[int]:
        """Insert rows in order; return the numbers the database assigned, from column `number`."""

    def row(self, sql: str, params: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query."""

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Return all rows of a query."""

    def look_up(self, sql: str, columns: Mapping[str, str], given: Sequence[Row]) -> list[Row]:
        """Query by many keys at once: `sql` reads them from a table named `given`.

        `columns` names the columns of `given` and the type of each, `text` or `bytea`. The rows of
        `given` must be distinct, and `sql` must join them: SQLite adds rows of NULL, which join
        nothing.
        """

    def insert(
        self, table: str, columns: Sequence[str], rows: Sequence[Row], *, number: str = "id"
    ) -> Sequence[int]:
        """Insert rows in order in one statement; return their numbers, from column `number`, in
        order.
        """

    def insert_missing(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Insert those rows whose key is not in the table yet, in order, in one statement."""

    def update(
        self, table: str, columns: Sequence[str], keys: Sequence[str], rows: Sequence[Row]
    ) -> int:
        """Update columns of many rows in one statement; return the number of rows changed.

        Each row holds the new values, then the values of `keys` that select the row to change.
        """

    def try_lock(self, table: str, names: Sequence[str]) -> set[str]:
        """Take the locks that are free, without waiting; return their names."""

    def lock(self, table: str, name: str) -> None:
        """Wait for this lock and hold it until the unit ends. Lock before reading what it protects.

        Take locks in one order: an operator's keys, the player (which protects the player's
        rounds), the jackpot, the journal, the seals. A lock taken before the first write survives
        `undo`.
        """

    def undo(self) -> None:
        """Roll back everything this unit has written so far, and continue the unit."""

    def add_to_tail(self, table: str, number: int, digest: bytes, count: int = 1) -> None:
        """Add a new row to this commit's tail; a count of -1 removes a row just sealed."""

    def mark(self, content: bytes) -> bytes:
        """Return a row's MAC under the house key, or empty bytes if there is no key."""


class Store(Protocol):
    """A database that commits before it answers."""

    groups_at_once: int  # number of command groups it commits in parallel
    schema: str  # digest of the expected tables, indexes and triggers

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run work as one atomic unit; the future completes when the commit is durable on disk.

        The store may run work again from its beginning: after a deadlock, or after a connection was
        lost during COMMIT. So work has no effects except through its transaction, and running it
        twice must be harmless.
        """

    def read(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run queries on one consistent snapshot."""

    def protect_with(self, integrity: IntegrityKey) -> None:
        """Store the tail of the unsealed rows in every commit from now on."""

    def barrier(self) -> Future[bool]:
        """Wait until every unit now under way has ended; return False after a timeout.

        After that, no row below a number read before the call can still be committed.
        """

    def close(self) -> None:
        """Finish queued work, then close the database."""
