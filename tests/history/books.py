"""The state of the model: one plain dict with undo.

A search tries an order of operations and backtracks; so `put` records the previous value. The
digest identifies a state without comparing its content: it changes with every `put` and depends on
the content only, not on its history.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

Key = Hashable
_NOTHING = object()


class Books:
    """Names and values; `None` means absent."""

    def __init__(self) -> None:
        self._kept: dict[Key, Any] = {}
        self._trail: list[tuple[Key, Any]] = []
        self.digest = 0

    def get(self, key: Key, default: Any = None) -> Any:
        return self._kept.get(key, default)

    def put(self, key: Key, value: Hashable) -> None:
        before = self._kept.get(key, _NOTHING)
        if before is not _NOTHING:
            if before == value:
                return
            self.digest ^= hash((key, before))
        self._trail.append((key, before))
        self._kept[key] = value
        self.digest ^= hash((key, value))

    def add(self, name: str, value: Hashable) -> None:
        length = self.get(name, 0)
        self.put((name, length), value)
        self.put(name, length + 1)

    def mark(self) -> int:
        return len(self._trail)

    def undo(self, mark: int) -> None:
        while len(self._trail) > mark:
            key, before = self._trail.pop()
            self.digest ^= hash((key, self._kept[key]))
            if before is _NOTHING:
                del self._kept[key]
            else:
                self._kept[key] = before
                self.digest ^= hash((key, before))
