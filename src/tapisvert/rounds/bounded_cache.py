"""A bounded cache: when it is full, a new entry evicts the oldest."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """A dictionary of the newest entries, at most `most`.

    Threads share it without a lock: each operation of the dictionary is atomic in CPython.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._entries: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """Return an entry, or None."""
        return self._entries.get(key)

    def put(self, key: K, value: V) -> V:
        """Store an entry; return its value."""
        self._entries[key] = value
        if len(self._entries) > self.most:
            self._entries.popitem(last=False)
        return value
