"""Logging of database outages: one line at the beginning, one at the end.

Without its database, a server refuses every command with `store/unavailable`. A traceback for each
would fill the disk and hide other errors. So the first refusal is logged with its traceback and the
others are counted. The count is logged when the database works again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Literal, TypeVar

from tapisvert.refusal import Refused
from tapisvert.store.port import Store, Tx
from tapisvert.store.tails import IntegrityKey

T = TypeVar("T")
Kind = Literal["write", "read"]
_log = logging.getLogger("tapisvert")


def is_outage(error: BaseException | None) -> bool:
    """Tell whether an error is an outage, which an `OutageLog` has logged or counted."""
    return isinstance(error, Refused) and error.code == "store/unavailable"


class OutageLog:
    """A store that logs its own outages.

    With a full disk, writes fail and reads work. So the outage ends only when each kind that failed
    works again.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.schema = store.schema
        self.groups_at_once = store.groups_at_once
        self._lock = threading.Lock()
        self._failing: set[Kind] = set()
        self._refused = 0
        self._closed = False

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run work as one atomic unit."""
        return self._watch("write", self.store.write(work))

    def read(self, work: Callable[[Tx], T]) -> Future[T]:
        """Run queries on one consistent snapshot."""
        return self._watch("read", self.store.read(work))

    def protect_with(self, integrity: IntegrityKey) -> None:
        """Store the tail of the unsealed rows in every commit from now on."""
        self.store.protect_with(integrity)

    def barrier(self) -> Future[bool]:
        """Wait until every unit now under way has ended."""
        return self._watch("read", self.store.barrier())

    def close(self) -> None:
        """Finish queued work, then close the store; later refusals are no outage."""
        self._closed = True
        self.store.close()

    def _watch(self, kind: Kind, future: Future[T]) -> Future[T]:
        def done(ended: Future[Any]) -> None:
            if not ended.cancelled():
                self._note(kind, ended.exception())

        future.add_done_callback(done)
        return future

    def _note(self, kind: Kind, error: BaseException | None) -> None:
        """Count a refused unit; log the end of the outage when a unit succeeds."""
        if is_outage(error):
            with self._lock:
                begins = not self._failing and not self._closed
                self._failing.add(kind)
                self._refused += 1
            if begins and error is not None:
                cause = error.__cause__ or error
                _log.error(
                    "the database is unavailable, commands are refused: %s", cause, exc_info=cause
                )
        elif kind in self._failing:
            with self._lock:
                self._failing.discard(kind)
                if self._failing or not self._refused:
                    return  # another kind still fails, or another thread has logged the end
                refused, self._refused = self._refused, 0
            _log.warning("the database is available again; commands refused meanwhile: %d", refused)
