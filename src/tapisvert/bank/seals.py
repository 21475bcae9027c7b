"""Seals: every few seconds, a signed hash over all rows since the last seal, and over that seal.

A seal holds, for each covered table (bank/covered_tables.py), the last row number and the digest of
the new rows. It also holds the digest of the schema. The house signs it with its Ed25519 key, so
anyone with the public key can verify it. The first signed seal of a database covers all rows before
it.

The hash of a seal noted outside the database (`tapis audit --anchor`) reveals a database that was
set back to an earlier state: it cannot produce that hash again. Sealing is safe in any number of
processes: each seal is one transaction, and without new rows none is written. A seal covers a
bounded number of rows, so that a long backlog blocks no command.

Rows are numbered when they are written, not when they are committed. So the sealer reads the last
numbers (`unsealed`), waits until every transaction under way at that time has ended (the store's
barrier), and seals up to those numbers. No lower number can appear after that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from itertools import islice

import msgspec
from msgspec import Struct

from tapisvert.bank import chain, covered_tables, keys
from tapisvert.bank.covered_tables import TABLES, CoveredTable
from tapisvert.decoding import read_json
from tapisvert.store import Tx

Reach = dict[str, int]  # last row number, by table
Sign = Callable[[bytes], bytes]


class Part(Struct, frozen=True, array_like=True):
    """A table's part of a seal: the last row number, the number of new rows, their digest."""

    last: int
    rows: int = 0
    digest: str = ""


class Body(Struct, frozen=True):
    """The content of a seal: its key's number, the digest of the schema, its parts by table."""

    key: int
    schema: str
    parts: dict[str, Part]


class Seal(Struct, frozen=True):
    """One row of `seals`. An unsigned seal, of the older format, has neither body nor signature."""

    id: int
    at_ms: int
    last_transfer: int
    last_event: int
    hash: bytes
    body: str | None = None
    signature: bytes | None = None

    @property
    def content(self) -> Body:
        """Return the body; a malformed body covers no table."""
        try:
            return read_json(self.body or "", Body)
        except (msgspec.DecodeError, TypeError):
            return Body(0, "", {})

    @property
    def reach(self) -> Reach:
        """Return the last row number covered, by table."""
        parts = self.content.parts
        return {table.name: parts.get(table.name, Part(0)).last for table in TABLES}


ROWS_MAX = 20_000  # per table and seal: about a tenth of a second
NONE = Seal(0, 0, 0, 0, chain.BEGINNING)
SELECT = f"SELECT {', '.join(Seal.__struct_fields__)} FROM seals"


def last_seal(tx: Tx) -> Seal:
    """Return the newest seal."""
    row = tx.row(f"{SELECT} ORDER BY id DESC LIMIT 1")
    return Seal(*row) if row else NONE


def unsealed(tx: Tx) -> Reach | None:
    """Return the last row number of each table, or None if the newest seal covers them all."""
    reach = {table.name: _end(tx, table) for table in TABLES}
    sealed = last_seal(tx).reach
    return reach if any(reach[name] > sealed[name] for name in reach) else None


def seal(tx: Tx, at_ms: int, upto: Mapping[str, int], schema: str, sign: Sign) -> bool:
    """Seal new rows, oldest first; tell whether rows are left for another seal."""
    tx.lock("seals", "")
    before = last_seal(tx)
    parts = {table.name: _part(tx, table, before, upto[table.name]) for table in TABLES}
    if before.signature and not any(part.rows for part in parts.values()):
        return False
    _write(tx, at_ms, before, parts, schema, sign)
    return any(parts[name].last < upto[name] for name in parts)


def _part(tx: Tx, table: CoveredTable, before: Seal, upto: int) -> Part:
    """Cover the new rows of a table, and remove them from the tail."""
    last, rows, new = before.reach[table.name], 0, hashlib.sha256()
    found = covered_tables.hashes(tx, table, last, upto) if upto > last else iter(())
    if before.signature:  # else the first signed seal: it covers all rows, and no tail counts them
        found = islice(found, ROWS_MAX)
    for number, row in found:
        new.update(_line(number, row))
        last, rows = number, rows + 1
        if before.signature:
            tx.add_to_tail(table.name, number, row, -1)
    return Part(last, rows, new.hexdigest() if rows else "")


def _write(
    tx: Tx, at_ms: int, before: Seal, parts: dict[str, Part], schema: str, sign: Sign
) -> None:
    body = msgspec.json.encode(Body(keys.newest_id(tx), schema, parts)).decode()
    number = before.id + 1
    found = digest(before.hash, number, at_ms, body)
    ends = (parts["transfers"].last, parts["significant_events"].last)
    tx.run(
        f"INSERT INTO seals ({', '.join(Seal.__struct_fields__)}) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (number, at_ms, *ends, found, body, sign(found)),
    )
    if before.signature:
        tx.add_to_tail("seals", before.id, before.hash, -1)
    tx.add_to_tail("seals", number, found)


def digest(before: bytes, number: int, at_ms: int, body: str) -> bytes:
    """Return the hash of a signed seal, over the hash before it and its content."""
    return hashlib.sha256(before + msgspec.json.encode((number, at_ms, body))).digest()


def part_of(tx: Tx, table: CoveredTable, after: int, last: int) -> Part:
    """Return a table's part of a seal: its rows numbered above `after`, up to `last`."""
    new, rows = hashlib.sha256(), 0
    for number, found in covered_tables.hashes(tx, table, after, last):
        new.update(_line(number, found))
        rows += 1
    return Part(last, rows, new.hexdigest() if rows else "")


def unsigned_digest(tx: Tx, before: Seal, new: Seal) -> bytes:
    """Return the hash of an unsigned seal, the older format."""
    content = (new.id, new.at_ms, new.last_transfer, new.last_event)
    sealed = hashlib.sha256(before.hash + msgspec.json.encode(content))
    for table, first, last in (
        (covered_tables.TRANSFERS, before.last_transfer, new.last_transfer),
        (covered_tables.EVENTS, before.last_event, new.last_event),
    ):
        for row in covered_tables.rows(tx, table, (*table.content, "hash"), first, last):
            sealed.update(msgspec.json.encode(row))
    return sealed.digest()


def _line(number: int, found: bytes) -> bytes:
    return number.to_bytes(8, "big", signed=True) + found


def _end(tx: Tx, table: CoveredTable) -> int:
    row = tx.row(f"SELECT MAX({table.number}) FROM {table.name}")
    return row[0] if row and row[0] is not None else 0
