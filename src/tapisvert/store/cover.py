"""The cover: which rows stand after the last seal, under the house's key, in their own commit.

Every commit adds the rows it wrote to a tail, and a seal takes away the rows it covers. A tail
holds, for each table, how many rows there are and the sum of their keyed hashes modulo 2^256. A
sum does not depend on order, so every connection of PostgreSQL keeps a tail of its own and waits
for no other; an audit adds the tails up. Without the key nobody can make a tail, so no row after
the last seal can be put in, changed or taken out unnoticed.
"""

from __future__ import annotations

import hashlib
import hmac
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
_WHOLE = 1 << 8 * _SUM
Counted = tuple[str, int, bytes, int]  # table, number, hash, and 1 for put in or -1 for taken out


class Tail:
    """How many rows of each table, and the sum of their values."""

    def __init__(self, body: bytes = b"") -> None:
        self.counts, self.sums = [0] * len(TABLES), [0] * len(TABLES)
        for place, start in enumerate(range(0, len(body), _COUNT + _SUM)):
            count, total = body[start : start + _COUNT], body[start + _COUNT :][:_SUM]
            self.counts[place] = int.from_bytes(count, "big", signed=True)
            self.sums[place] = int.from_bytes(total, "big")

    def add(self, table: str, value: int, count: int) -> None:
        """Put a row in, or take it out with a count of -1."""
        place = _PLACE[table]
        self.counts[place] += count
        self.sums[place] = (self.sums[place] + count * value) % _WHOLE

    def body(self) -> bytes:
        """Return what is stored."""
        parts = zip(self.counts, self.sums, strict=True)
        return b"".join(
            count.to_bytes(_COUNT, "big", signed=True) + total.to_bytes(_SUM, "big")
            for count, total in parts
        )


class Cover:
    """Makes tails and marks under one key."""

    def __init__(self, key: bytes) -> None:
        self._rows = hashlib.sha256(b"rows" + key).digest()
        self._tails = hashlib.sha256(b"tails" + key).digest()
        self._marks = hashlib.sha256(b"small rows" + key).digest()

    def value(self, table: str, number: int, digest: bytes) -> int:
        """Return what a row adds to a tail."""
        content = b"%s %d %s" % (table.encode(), number, digest)
        return int.from_bytes(hashlib.blake2b(content, key=self._rows, digest_size=_SUM).digest())

    def mark(self, content: bytes) -> bytes:
        """Return what shows that the house wrote a small row: nobody without the key can."""
        return hashlib.blake2b(content, key=self._marks, digest_size=32).digest()

    def mac(self, slot: int, body: bytes) -> bytes:
        """Return what shows that the house wrote a tail."""
        content = b"%d %s" % (slot, body)
        return hashlib.blake2b(content, key=self._tails, digest_size=32).digest()

    def read(self, slot: int, body: bytes, mac: bytes) -> Tail:
        """Return a tail as it was stored; one the house did not write is refused."""
        if not hmac.compare_digest(self.mac(slot, body), mac):
            raise Refused("store/altered", file="", what="tails")
        return Tail(body)

    def grown(self, slot: int, tail: Tail, counted: Iterable[Counted]) -> tuple[bytes, bytes]:
        """Count rows into a tail; return what is to be stored of it."""
        for table, number, digest, count in counted:
            tail.add(table, self.value(table, number, digest), count)
        body = tail.body()
        return body, self.mac(slot, body)
