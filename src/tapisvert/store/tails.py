"""Tails: a MAC over the rows since the last seal, stored in the commit that writes them.

Every commit adds its rows to a tail, and a seal removes the rows it covers. A tail holds, for each
table, the number of rows and the sum of their keyed hashes modulo 2^256. A sum does not depend on
order, so every PostgreSQL connection has its own tail and waits for no other; an audit adds the
tails up. A tail cannot be computed without the key, so inserting, changing or deleting a row after
the last seal is detected.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable

from tapisvert.refusal import Refused

# The order must never change: tails are read by position. Append new tables at the end.
TABLES = (
    "transfers",
    "significant_events",
    "commands",
    "operator_commands",
    "rounds",
    "contributions",
    "seals",
)
_PLACE = {table: place for place, table in enumerate(TABLES)}
_COUNT, _SUM = 8, 32  # bytes
_number = struct.Struct(">q").pack
_WHOLE = 1 << 8 * _SUM
Stored = tuple[bytes, bytes]  # the body and the MAC of a tail
Counted = tuple[str, int, bytes, int]  # table, row number, hash, and 1 to add or -1 to remove


class Tail:
    """The number of rows of each table, and the sum of their keyed hashes."""

    def __init__(self, body: bytes = b"") -> None:
        self.counts, self.sums = [0] * len(TABLES), [0] * len(TABLES)
        self._parts = [bytes(_COUNT + _SUM)] * len(TABLES)
        self._changed: set[int] = set()
        for place, start in enumerate(range(0, len(body), _COUNT + _SUM)):
            part = self._parts[place] = body[start : start + _COUNT + _SUM]
            self.counts[place] = int.from_bytes(part[:_COUNT], "big", signed=True)
            self.sums[place] = int.from_bytes(part[_COUNT:], "big")

    def add(self, table: str, value: int, count: int) -> None:
        """Add a row, or remove it with a count of -1."""
        place = _PLACE[table]
        self.counts[place] += count
        self.sums[place] += count * value
        self._changed.add(place)

    def body(self) -> bytes:
        """Return the stored form."""
        for place in self._changed:
            self.sums[place] %= _WHOLE
            count = self.counts[place].to_bytes(_COUNT, "big", signed=True)
            self._parts[place] = count + self.sums[place].to_bytes(_SUM, "big")
        self._changed.clear()
        return b"".join(self._parts)


class IntegrityKey:
    """Computes tails and marks under one key."""

    def __init__(self, key: bytes) -> None:
        rows = hashlib.sha256(b"rows" + key).digest()
        # Initialised once per table and copied per row: this halves the time.
        self._begun = {
            table: hashlib.blake2b(key=rows, digest_size=_SUM, person=b"row %d" % place)
            for place, table in enumerate(TABLES)
        }
        self._tails = hashlib.sha256(b"tails" + key).digest()
        self._marks = hashlib.sha256(b"small rows" + key).digest()

    def value(self, table: str, number: int, digest: bytes) -> int:
        """Return a row's keyed hash, the value it adds to a tail."""
        made = self._begun[table].copy()
        made.update(_number(number) + digest)
        return int.from_bytes(made.digest(), "big")

    def mark(self, content: bytes) -> bytes:
        """Return the MAC of a small row under the house key."""
        return hashlib.blake2b(content, key=self._marks, digest_size=32).digest()

    def mac(self, slot: int, body: bytes) -> bytes:
        """Return the MAC of a tail under the house key."""
        content = b"%d %s" % (slot, body)
        return hashlib.blake2b(content, key=self._tails, digest_size=32).digest()

    def read(self, slot: int, body: bytes, mac: bytes) -> Tail:
        """Return a stored tail; refuse one with a wrong MAC."""
        if not hmac.compare_digest(self.mac(slot, body), mac):
            raise Refused("store/altered", file="", what="tails")
        return Tail(body)


class TailWriter:
    """The tail of one slot, cached by its writer."""

    def __init__(self, integrity: IntegrityKey, slot: int) -> None:
        self._integrity, self._slot = integrity, slot
        self._stored: Stored | None = None
        self._tail = Tail()

    def grow(self, stored: Stored, counted: Iterable[Counted]) -> Stored:
        """Add rows to the stored tail; return the tail to store in its place."""
        if stored != self._stored:
            self._tail = self._integrity.read(self._slot, *stored)
        self._stored = None  # after an error below, the next call reads the store
        for table, number, digest, count in counted:
            self._tail.add(table, self._integrity.value(table, number, digest), count)
        body = self._tail.body()
        self._stored = body, self._integrity.mac(self._slot, body)
        return self._stored
