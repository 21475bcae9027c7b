"""Starting the audit trail of a database: from here on every change can be detected.

It happens once for a database, when a house first opens it. A new one is empty. One from before
there were signed seals gets marks where it had none, and a first seal over every row it has; the
audit says from when on it is covered. The key file stays the same: the keys for signing and
covering are derived from it.
"""

from __future__ import annotations

from collections.abc import Callable

from tapisvert.bank import jackpot, keys, seals
from tapisvert.bank.covered import TABLES
from tapisvert.bank.pot import marked as marked_pot
from tapisvert.players.guests import marked
from tapisvert.refusal import Refused
from tapisvert.rounds.repository import rounds_to_mark, set_mark
from tapisvert.rounds.seed_source import Dealer
from tapisvert.store import Store, Tx
from tapisvert.store.cover import Cover

WORD_NAME = "sealed_word"
OPENED = b"the books of this house are open under this key"
# The tables of small rows with a mark: the key, and every column it covers.
MARKED = (
    ("sessions", "token_hash", "token_hash, player_id, created_at_ms"),
    ("operators", "name", "name, token_hash, created_at_ms"),
)
_EVERYTHING = {table.name: 2**63 - 1 for table in TABLES}


def open_books(store: Store, dealer: Dealer, clock: Callable[[], int]) -> None:
    """Cover every commit from now on; for the first house on a database, all there is."""
    cover = Cover(dealer.cover_key)
    store.cover_with(cover)
    if not store.read(keys.any_key).result():
        store.write(lambda tx: _open(tx, cover, dealer, store.schema, clock())).result()
    if store.read(word).result() != cover.mark(OPENED):
        raise Refused("seal/wrong_key", file="the key file")


def word(tx: Tx) -> bytes | None:
    """Return the word by which a database knows its key."""
    row = tx.row("SELECT value FROM facts WHERE name = ?", (WORD_NAME,))
    return row[0] if row else None


def _open(tx: Tx, cover: Cover, dealer: Dealer, schema: str, at_ms: int) -> None:
    tx.lock("seals", "")
    if keys.any_key(tx):  # a server that starts beside us was faster
        return
    tx.run(
        "INSERT INTO tails (slot, body, mac) VALUES (0, ?, ?) ON CONFLICT DO NOTHING",
        (b"", cover.mac(0, b"")),
    )
    write_word(tx, cover)
    mark_everything(tx, dealer, cover)
    keys.first(tx, at_ms, dealer.public_key, dealer.sign)
    seals.seal(tx, at_ms, _EVERYTHING, schema, dealer.sign)


def write_word(tx: Tx, cover: Cover) -> None:
    """Write the word by which the database knows its key.

    Nobody without the key can put an earlier word back, and so have the books opened again.
    """
    tx.run("DELETE FROM facts WHERE name = ?", (WORD_NAME,))
    tx.run("INSERT INTO facts (name, value) VALUES (?, ?)", (WORD_NAME, cover.mark(OPENED)))


def mark_everything(tx: Tx, dealer: Dealer, cover: Cover, *, anew: bool = False) -> None:
    """Mark the rows that have no mark yet; `anew`, all of them."""
    for stored in rounds_to_mark(tx, anew=anew):
        set_mark(tx, stored.id, dealer.decks.mark(stored))
    for table, key, columns in MARKED:
        for row in tx.rows(f"SELECT {columns}, {key} FROM {table}"):
            mark = cover.mark(marked(table, row[:-1]))
            tx.run(f"UPDATE {table} SET mark = ? WHERE {key} = ?", (mark, row[-1]))
    for pot in jackpot.pots(tx):
        mark = cover.mark(marked_pot(pot))
        tx.run("UPDATE jackpots SET mark = ? WHERE id = ?", (mark, pot.id))
