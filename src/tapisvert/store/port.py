"""What the house asks of a database: plain SQL in transactions, one atomic unit per command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Row = tuple[Any, ...]


class Tx(Protocol):
    """An open transaction."""

    def run(self, sql: str, params: Sequence[object] = ()) -> int:
        """Run a statement; return how many rows it changed."""

    def row(self, sql: str, params: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query."""

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Return all rows of a query."""

    def lock(self, table: str, id: str) -> None:
        """Hold a row until the end of this unit; whoever locks it too waits until then."""

    def undo(self) -> None:
        """Take back everything this unit has done so far, and go on."""


class Store(Protocol):
    """A database that commits before it answers."""

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run work as one atomic unit; the future is done only when it is safe on disk."""

    def read(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run queries on one consistent snapshot."""

    def close(self) -> None:
        """Finish what is queued, then let go of the database."""
