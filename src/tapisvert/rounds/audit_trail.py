"""Start of the audit trail of a database: from then on every change can be detected.

This happens once, when a house first opens the database. A new database is empty. A database older
than signed seals gets the marks it lacks and a first seal over all its rows; the audit reports when
its coverage begins. The keys for signing and for marks are derived from the existing key file.
"""

from __future__ import annotations

from collections.abc import Callable

from tapisvert.bank import jackpot, keys, seals
from tapisvert.bank.covered_tables import TABLES
from tapisvert.bank.pot import marked as marked_pot
from tapisvert.players.guests import marked
from tapisvert.refusal import Refused
from tapisvert.rounds.repository import rounds_to_mark, set_mark
from tapisvert.rounds.seed_source import Dealer
from tapisvert.store import Store, Tx
from tapisvert.store.tails import IntegrityKey

CHECK_VALUE_NAME = "sealed_word"
OPENED = b"the books of this house are open under this key"
# The marked tables: the primary key, and every column the mark covers.
MARKED = (
    ("sessions", "token_hash", "token_hash, player_id, created_at_ms"),
    ("operators", "name", "name, token_hash, created_at_ms"),
)
_EVERYTHING = {table.name: 2**63 - 1 for table in TABLES}


def start_audit_trail(store: Store, dealer: Dealer, clock: Callable[[], int]) -> None:
    """Protect every commit from now on; on first opening, cover all existing rows too."""
    integrity = IntegrityKey(dealer.integrity_key)
    store.protect_with(integrity)
    if not store.read(keys.any_key).result():
        store.write(lambda tx: _open(tx, integrity, dealer, store.schema, clock())).result()
    if store.read(check_value).result() != integrity.mark(OPENED):
        raise Refused("seal/wrong_key", file="the key file")


def check_value(tx: Tx) -> bytes | None:
    """Return the check value by which a database recognises its key."""
    row = tx.row("SELECT value FROM facts WHERE name = ?", (CHECK_VALUE_NAME,))
    return row[0] if row else None


def _open(tx: Tx, integrity: IntegrityKey, dealer: Dealer, schema: str, at_ms: int) -> None:
    tx.lock("seals", "")
    if keys.any_key(tx):  # another server that starts at the same time was first
        return
    tx.run(
        "INSERT INTO tails (slot, body, mac) VALUES (0, ?, ?) ON CONFLICT DO NOTHING",
        (b"", integrity.mac(0, b"")),
    )
    write_check_value(tx, integrity)
    mark_everything(tx, dealer, integrity)
    keys.first(tx, at_ms, dealer.public_key, dealer.sign)
    seals.seal(tx, at_ms, _EVERYTHING, schema, dealer.sign)


def write_check_value(tx: Tx, integrity: IntegrityKey) -> None:
    """Write the check value by which the database recognises its key.

    It cannot be forged without the key, so an old database cannot pass for a new one.
    """
    tx.run("DELETE FROM facts WHERE name = ?", (CHECK_VALUE_NAME,))
    tx.run(
        "INSERT INTO facts (name, value) VALUES (?, ?)", (CHECK_VALUE_NAME, integrity.mark(OPENED))
    )


def mark_everything(tx: Tx, dealer: Dealer, integrity: IntegrityKey, *, anew: bool = False) -> None:
    """Mark the rows without a mark; with `anew`, all rows."""
    for stored in rounds_to_mark(tx, anew=anew):
        set_mark(tx, stored.id, dealer.decks.mark(stored))
    for table, key, columns in MARKED:
        for row in tx.rows(f"SELECT {columns}, {key} FROM {table}"):
            mark = integrity.mark(marked(table, row[:-1]))
            tx.run(f"UPDATE {table} SET mark = ? WHERE {key} = ?", (mark, row[-1]))
    for pot in jackpot.pots(tx):
        mark = integrity.mark(marked_pot(pot))
        tx.run("UPDATE jackpots SET mark = ? WHERE id = ?", (mark, pot.id))
