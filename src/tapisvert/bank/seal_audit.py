"""Audit of keys, seals and tails: every row matches a signed seal or a tail.

Seals are verified with a public key from outside the database. Tails need the house key; without it
they are not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from tapisvert.bank import covered_tables, keys, seals
from tapisvert.bank.audit import Finding
from tapisvert.bank.covered_tables import TABLES
from tapisvert.bank.keys import Key
from tapisvert.bank.seals import Seal
from tapisvert.refusal import Refused
from tapisvert.sealing import signed
from tapisvert.store import Tx
from tapisvert.store.tails import TABLES as COUNTED
from tapisvert.store.tails import IntegrityKey, Tail

# Housekeeping seals every few seconds, so two minutes of work without a seal are an error. A gap
# between two rows, or a changed clock, counts as at most PAUSE_MS of work.
LATE_MS, PAUSE_MS = 120_000, 10_000


class Trust(Struct, frozen=True):
    """The auditor's trust anchors: a public key of the house, and the hash of a noted seal."""

    public_key: bytes
    anchor: bytes | None = None


def check_keys(tx: Tx, trust: Trust) -> Iterator[Finding]:
    """Verify the keys; the trusted one must be among them."""
    found = keys.all_keys(tx)
    wrong = keys.first_wrong(found)
    if not found:
        yield Finding("keys", "1", "is missing: no key was ever stored, or all were deleted")
    elif wrong is not None:
        yield Finding("keys", str(wrong), "is not signed both by itself and by the previous key")
    elif trust.public_key not in [key.public_key for key in found]:
        yield Finding("keys", str(found[-1].id), "no stored key is the public key you trust")


def check_seals(tx: Tx, trust: Trust) -> Iterator[Finding]:
    """Recompute every seal; the seal noted earlier must be among them."""
    known = keys.all_keys(tx)
    before, anchored = seals.NONE, trust.anchor in (None, seals.NONE.hash)
    for row in tx.rows(f"{seals.SELECT} ORDER BY id"):
        found = Seal(*row)
        wrong = next(_wrong_with(tx, known, before, found), None)
        if wrong is not None:
            yield Finding("seals", str(found.id), wrong)
            return
        anchored = anchored or found.hash == trust.anchor
        before = found
    if before.signature is None:
        yield Finding("seals", str(before.id + 1), "is missing: no signed seal covers the rows")
    if not anchored:
        noted = (trust.anchor or b"").hex()
        yield Finding("seals", noted, "no seal has this hash: seals were deleted")


def _wrong_with(tx: Tx, known: Sequence[Key], before: Seal, found: Seal) -> Iterator[str]:
    """Yield the errors of a seal, and of the rows it covers."""
    if found.id != before.id + 1:
        yield f"does not follow seal {before.id}"
    if found.body is None:
        if before.signature is not None:
            yield "is not signed"
        if seals.unsigned_digest(tx, before, found) != found.hash:
            yield (
                f"transfers {before.last_transfer + 1} to {found.last_transfer} or"
                f" events {before.last_event + 1} to {found.last_event} do not match the seal"
            )
        return
    body = found.content
    if body.parts.keys() != {table.name for table in TABLES}:
        yield "its body is malformed or does not list the covered tables"
        return
    signer = [key.public_key for key in known if key.id == body.key]
    if not signer or not signed(signer[0], found.hash, found.signature):
        yield "is not signed by the house's key"
    if body.key < before.content.key:
        yield "is signed with a key that was replaced"
    if found.hash != seals.digest(before.hash, found.id, found.at_ms, found.body):
        yield "its hash does not follow from the one before"
    ends = (body.parts["transfers"].last, body.parts["significant_events"].last)
    if (found.last_transfer, found.last_event) != ends:
        yield "its last row numbers differ from those in its body"
    for table in TABLES:
        first, part = before.reach[table.name], body.parts[table.name]
        if seals.part_of(tx, table, first, part.last) != part:
            yield f"{table.name} {first + 1} to {part.last} do not match the seal"


def check_tails(tx: Tx, integrity: IntegrityKey) -> Iterator[Finding]:
    """Recompute the tail of the rows after the last seal; compare with the stored tails."""
    total = Tail()
    for slot, body, mac in tx.rows("SELECT slot, body, mac FROM tails ORDER BY slot"):
        try:
            tail = integrity.read(slot, body, mac)
        except Refused:
            yield Finding("tails", str(slot), "was not written with the house key")
            return
        for place, _ in enumerate(COUNTED):
            total.counts[place] += tail.counts[place]
            total.sums[place] += tail.sums[place]
    now, newest = Tail(), seals.last_seal(tx)
    if newest.signature:
        now.add("seals", integrity.value("seals", newest.id, newest.hash), 1)
    for table in TABLES:
        for number, found in covered_tables.hashes(tx, table, newest.reach[table.name]):
            now.add(table.name, integrity.value(table.name, number, found), 1)
    for place, table_name in enumerate(COUNTED):
        written, there = total.counts[place], now.counts[place]
        if (total.sums[place] - now.sums[place]) % 2**256 or written != there:
            what = f"the tails count {written} rows after seal {newest.id}; the table has {there}"
            same = "the rows after seal {} do not match the tails"
            yield Finding(table_name, "", same.format(newest.id) if written == there else what)


def check_lateness(tx: Tx) -> Iterator[Finding]:
    """Check that the house has not worked for long without sealing.

    This compares the times of rows with one another, not with today's clock, so rows that a crash
    left unsealed are no finding.
    """
    newest = seals.last_seal(tx)
    rows = covered_tables.rows(tx, covered_tables.TRANSFERS, ("at_ms",), newest.reach["transfers"])
    times = [at_ms for _, at_ms in rows]
    worked = sum(min(max(0, after - before), PAUSE_MS) for before, after in pairwise(times))
    if worked > LATE_MS:
        yield Finding("seals", str(newest.id + 1), f"is {worked // 1000} s overdue")


def unsealed(tx: Tx) -> int:
    """Return the number of transfers after the last seal."""
    reach = seals.last_seal(tx).reach
    row = tx.row("SELECT COUNT(*) FROM transfers WHERE id > ?", (reach["transfers"],))
    return int(row[0]) if row else 0


def first_signed(tx: Tx) -> Seal:
    """Return the first signed seal; rows it covers may have no hash of their own."""
    row = tx.row(f"{seals.SELECT} WHERE signature IS NOT NULL ORDER BY id LIMIT 1")
    return Seal(*row) if row else seals.NONE
