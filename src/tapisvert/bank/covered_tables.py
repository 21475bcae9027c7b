"""The append-only tables, covered row by row by seals and tails.

A row is identified by its number and its hash. Transfers, events and commands store their hash;
rows of other tables are hashed on demand, over their immutable columns. A mark (an HMAC,
rounds/round.py) covers the mutable columns of `rounds`. In `contributions` only `fold` is mutable;
the pot's sums check it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from tapisvert.store import Row, Tx

TRANSFER = (
    "at_ms",
    "debit",
    "credit",
    "currency",
    "units",
    "reason",
    "player_id",
    "round_id",
    "bet",
)
EVENT = ("at_ms", "kind", "player_id", "round_id", "data")
COMMAND = ("key", "fingerprint", "at_ms", "reply", "refusal")
SEAT = (
    "id",
    "player_id",
    "game",
    "edition",
    "sheet_hash",
    "commitment",
    "seated_at_ms",
    "replaces",
)
CONTRIBUTION = ("pot", "round_id", "kind", "price_cents", "units", "rate_id")
_PAGE = 10_000
_pack = msgspec.msgpack.Encoder().encode  # copies bytes, which JSON would write as base64
_FIRST, _LAST = -(2**63), 2**63 - 1


class CoveredTable(Struct, frozen=True):
    """A table: its numbering column, its immutable columns, and whether it stores hashes."""

    name: str
    number: str
    content: tuple[str, ...]
    hashed: bool


TRANSFERS = CoveredTable("transfers", "id", TRANSFER, hashed=True)
EVENTS = CoveredTable("significant_events", "id", EVENT, hashed=True)
COMMANDS = CoveredTable("commands", "id", ("player_id", *COMMAND), hashed=True)
OPERATOR_COMMANDS = CoveredTable("operator_commands", "id", ("operator", *COMMAND), hashed=True)
ROUNDS = CoveredTable("rounds", "seq", SEAT, hashed=False)
CONTRIBUTIONS = CoveredTable("contributions", "id", CONTRIBUTION, hashed=False)
TABLES = (TRANSFERS, EVENTS, COMMANDS, OPERATOR_COMMANDS, ROUNDS, CONTRIBUTIONS)


def digest(content: Sequence[object]) -> bytes:
    """Return the hash of a row outside any chain: of its content alone."""
    return hashlib.sha256(_pack(content)).digest()


def rows(
    tx: Tx, table: CoveredTable, columns: Sequence[str], after: int = _FIRST, last: int = _LAST
) -> Iterator[Row]:
    """Yield rows by ascending number, fetched in pages: the number, then the columns."""
    names, number = ", ".join((table.number, *columns)), table.number
    while page := tx.rows(
        f"SELECT {names} FROM {table.name} WHERE {number} > ? AND {number} <= ?"
        f" ORDER BY {number} LIMIT {_PAGE}",
        (after, last),
    ):
        yield from page
        after = page[-1][0]


def hashes(
    tx: Tx, table: CoveredTable, after: int = _FIRST, last: int = _LAST
) -> Iterator[tuple[int, bytes]]:
    """Yield the number and hash of each row, in order."""
    if not table.hashed:
        for number, *content in rows(tx, table, table.content, after, last):
            yield number, digest(content)
        return
    for number, found in rows(tx, table, ("hash",), after, last):
        if found is None:  # written before hashing began: the first signed seal covers it
            (whole,) = rows(tx, table, table.content, number - 1, number)
            found = digest(whole[1:])
        yield number, found
