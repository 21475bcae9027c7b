"""Which key belongs to which database.

A new database gets a new key file and keeps a sealed word to know it by. An old database only
opens with that key: a lost key is never replaced silently, because every open round and pending
deal is sealed under it.
"""

from __future__ import annotations

from pathlib import Path

from tapisvert.refusal import Refused
from tapisvert.sealing import Sealer, make_key, read_key
from tapisvert.store import Store, Tx

_NAME = "sealed_word"
_WORD = b"the key of this house is the one that opens this"


def check_key_file(store: Store, key_file: Path) -> Sealer:
    """Return the sealer of a database."""
    word = store.read(_sealed_word).result()
    if word is None:
        sealer = make_key(key_file)
        word = store.write(lambda tx: _keep(tx, sealer.seal(_WORD, _NAME))).result()
    sealer = read_key(key_file)
    try:
        sealer.open(word, _NAME)
    except Refused:
        raise Refused("seal/wrong_key", file=str(key_file)) from None
    return sealer


def _sealed_word(tx: Tx) -> bytes | None:
    row = tx.row("SELECT value FROM facts WHERE name = ?", (_NAME,))
    return row[0] if row else None


def _keep(tx: Tx, sealed: bytes) -> bytes:
    """Keep the word, unless a server starting beside us has; return the one that is kept."""
    tx.run("INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (_NAME, sealed))
    kept = _sealed_word(tx)
    assert kept is not None
    return kept
