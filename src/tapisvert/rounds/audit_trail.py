"""Start of the audit trail of a database: from then on every change can be detected.

This happens once, when a house first opens the database. A database older than signed seals gets
the marks it lacks and a first seal over all its rows; the audit reports when its coverage begins.
The keys for signing and for marks are derived from the existing key file.
"""

from __future__ import annotations

from collections.abc import Callable

from tapisvert.bank import jackpot, keys, seals
from tapisvert.bank.covered_tables import TABLES
from tapisvert.bank.pot import marked as marked_pot
from tapisvert.players.repository import mark_again
from tapisvert.refusal import Refused
from tapisvert.rounds.repository import rounds_to_mark, set_mark
from tapisvert.rounds.seed_source import Dealer
from tapisvert.store import Store, Tx, tail_repository
from tapisvert.store.tails import IntegrityKey

CHECK_VALUE_NAME = "sealed_word"
OPENED = b"the books of this house are open under this key"
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
    """Return the key check value."""
    row = tx.row("SELECT value FROM facts WHERE name = ?", (CHECK_VALUE_NAME,))
    return row[0] if row else None


def _open(tx: Tx, integrity: IntegrityKey, dealer: Dealer, schema: str, at_ms: int) -> None:
    tx.lock("seals", "")
    if keys.any_key(tx):  # another server that starts at the same time was first
        return
    tail_repository.begin(tx, integrity)
    write_check_value(tx, integrity)
    mark_everything(tx, dealer, integrity)
    keys.first(tx, at_ms, dealer.public_key, dealer.sign)
    seals.seal(tx, at_ms, _EVERYTHING, schema, dealer.sign)


def write_check_value(tx: Tx, integrity: IntegrityKey) -> None:
    """Write the key check value.

    It cannot be forged without the key, so an old database cannot pass for a new one.
    """
    tx.run("DELETE FROM facts WHERE name = ?", (CHECK_VALUE_NAME,))
    tx.run(
        "INSERT INTO facts (name, value) VALUES (?, ?)", (CHECK_VALUE_NAME, integrity.mark(OPENED))
    )


def mark_everything(tx: Tx, dealer: Dealer, integrity: IntegrityKey, *, anew: bool = False) -> None:
    """Mark every session, operator and pot, and rounds without a mark; with `anew`, all rounds."""
    for stored in rounds_to_mark(tx, anew=anew):
        set_mark(tx, stored.id, dealer.decks.mark(stored))
    mark_again(tx, integrity)
    for pot in jackpot.pots(tx):
        jackpot.set_mark(tx, pot, integrity.mark(marked_pot(pot)))
