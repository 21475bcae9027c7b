"""Tails: a MAC over the rows written since the last seal, in the commit that writes them.

Every commit adds the rows it wrote to a tail, and a seal takes away the rows it covers. A tail
holds, for each table, how many rows there are and the sum of their keyed hashes modulo 2^256. A
sum does not depend on order, so every connection of PostgreSQL keeps a tail of its own and waits
for no other; an audit adds the tails up. Without the key nobody can make a tail, so no row after
the last seal can be put in, changed or taken out unnoticed.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable

from tapisvert.refusal import Refused

# In this order for ever: a tail is read by position. New tables go to the end.
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
Stored = tuple[bytes, bytes]  # the body of a tail, and its MAC
Counted = tuple[str, int, bytes, int]  # table, number, hash, and 1 for put in or -1 for taken out


class Tail:
    """How many rows of each table, and the sum of their values."""

    def __init__(self, body: bytes = b"") -> None:
        self.counts, self.sums = [0] * len(TABLES), [0] * len(TABLES)
        self._parts = [bytes(_COUNT + _SUM)] * len(TABLES)
        self._changed: set[int] = set()
        for place, start in enumerate(range(0, len(body), _COUNT + _SUM)):
            part = self._parts[place] = body[start : start + _COUNT + _SUM]
            self.counts[place] = int.from_bytes(part[:_COUNT], "big", signed=True)
            self.sums[place] = int.from_bytes(part[_COUNT:], "big")

    def add(self, table: str, value: int, count: int) -> None:
        """Put a row in, or take it out with a count of -1."""
        place = _PLACE[table]
        self.counts[place] += count
        self.sums[place] += count * value
        self._changed.add(place)

    def body(self) -> bytes:
        """Return what is stored."""
        for place in self._changed:
            self.sums[place] %= _WHOLE
            count = self.counts[place].to_bytes(_COUNT, "big", signed=True)
            self._parts[place] = count + self.sums[place].to_bytes(_SUM, "big")
        self._changed.clear()
        return b"".join(self._parts)


class IntegrityKey:
    """Makes tails and marks under one key."""

    def __init__(self, key: bytes) -> None:
        rows = hashlib.sha256(b"rows" + key).digest()
        # Begun once for each table and copied for each row: half the time.
        self._begun = {
            table: hashlib.blake2b(key=rows, digest_size=_SUM, person=b"row %d" % place)
            for place, table in enumerate(TABLES)
        }
        self._tails = hashlib.sha256(b"tails" + key).digest()
        self._marks = hashlib.sha256(b"small rows" + key).digest()

    def value(self, table: str, number: int, digest: bytes) -> int:
        """Return what a row adds to a tail."""
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
        """Return a tail as it was stored; one the house did not write is refused."""
        if not hmac.compare_digest(self.mac(slot, body), mac):
            raise Refused("store/altered", file="", what="tails")
        return Tail(body)


class KeptTail:
    """The tail of one slot as its writer left it, so that it is not read again and again."""

    def __init__(self, integrity: IntegrityKey, slot: int) -> None:
        self._integrity, self._slot = integrity, slot
        self._stored: Stored | None = None
        self._tail = Tail()

    def grow(self, stored: Stored, counted: Iterable[Counted]) -> Stored:
        """Count rows into what is stored; return what is to be stored instead."""
        if stored != self._stored:
            self._tail = self._integrity.read(self._slot, *stored)
        self._stored = None  # whatever goes wrong from here on, the next begins from the store
        for table, number, digest, count in counted:
            self._tail.add(table, self._integrity.value(table, number, digest), count)
        body = self._tail.body()
        self._stored = body, self._integrity.mac(self._slot, body)
        return self._stored
