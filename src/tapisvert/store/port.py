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
        """Run a statement; return how many rows it changed."""

    def inserted_ids(
        self, sql: str, params: Sequence[object] = (), *, number: str = "id", rows: int = 1
    ) -> Sequence[int]:
        """Insert rows in order; return what the database has numbered them with, in `number`."""

    def row(self, sql: str, params: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query."""

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Return all rows of a query."""

    def look_up(self, sql: str, columns: Mapping[str, str], given: Sequence[Row]) -> list[Row]:
        """Query by many keys at once: `sql` reads them from a table named `given`.

        `columns` names the columns of `given` and the type of each, `text` or `bytea`; no two rows
        of it are equal.
        """

    def insert(
        self, table: str, columns: Sequence[str], rows: Sequence[Row], *, number: str = "id"
    ) -> Sequence[int]:
        """Insert rows in order by one statement; return their numbers, in `number`, in order."""

    def update(
        self, table: str, columns: Sequence[str], keys: Sequence[str], rows: Sequence[Row]
    ) -> int:
        """Set columns of many rows by one statement; return how many rows it changed.

        Each row holds the new values, then the values of `keys` that find what it changes.
        """

    def try_lock(self, table: str, names: Sequence[str]) -> set[str]:
        """Take the locks of these names that no other unit holds; return those. Never wait."""

    def lock(self, table: str, name: str) -> None:
        """Wait for this lock and hold it until the unit ends; lock before reading what it covers.

        Always in one order: an operator's keys, the player (which covers the player's rounds), the
        jackpot, the journal, the seals. Held through `undo` when taken before the first write.
        """

    def undo(self) -> None:
        """Take back everything this unit has done so far, and go on."""

    def add_to_tail(self, table: str, number: int, digest: bytes, count: int = 1) -> None:
        """Add a row just written to this commit's tail; count -1 takes out one just sealed."""

    def mark(self, content: bytes) -> bytes:
        """Return a row's MAC under the house key, or nothing while there is no key."""


class Store(Protocol):
    """A database that commits before it answers."""

    groups_at_once: int  # how many units of many commands each it runs beside one another
    schema: str  # the digest of its tables, indexes and triggers as they must be

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run work as one atomic unit; the future is done only when it is safe on disk.

        Work may be run again from its beginning: after a deadlock, or where a lost connection left
        open whether it was committed. So it does nothing but through its transaction, and what it
        does is found done the second time, or does no harm twice.
        """

    def read(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run queries on one consistent snapshot."""

    def protect_with(self, integrity: IntegrityKey) -> None:
        """Write the tail of the rows that no seal covers in every commit from now on."""

    def barrier(self) -> Future[bool]:
        """Wait until every unit that is under way now has ended; tell whether it has in good time.

        What was read before then has no gaps: no row that was numbered lower is still to come.
        """

    def close(self) -> None:
        """Finish what is queued, then let go of the database."""
