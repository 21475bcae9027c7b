"""The check value by which a database recognises its key.

A new database gets a new key file and keeps a word to know it by. An old database only opens with
that key: a lost key is never replaced silently, because every open round and pending deal is sealed
under it, and every seal of the books signed with it.
"""

from __future__ import annotations

from pathlib import Path

from tapisvert.bank import keys
from tapisvert.key_file import make_key, read_key
from tapisvert.refusal import Refused
from tapisvert.rounds.books import OPENED, WORD_NAME, word
from tapisvert.sealing import Sealer
from tapisvert.store import Store
from tapisvert.store.cover import Cover


def check_key_file(store: Store, key_file: Path) -> Sealer:
    """Return the sealer of a database."""
    found, opened = store.read(lambda tx: (word(tx), keys.any_key(tx))).result()
    if found is None and not opened:
        return make_key(key_file)
    sealer = read_key(key_file)
    if opened:
        if found != Cover(sealer.cover_key).mark(OPENED):
            raise Refused("seal/wrong_key", file=str(key_file))
        return sealer
    if found == Cover(sealer.cover_key).mark(OPENED):
        # The books were open once: their keys and seals were taken away.
        raise Refused("store/altered", file=str(key_file), what="keys")
    try:
        sealer.open(found or b"", WORD_NAME)  # as it was sealed before there were books
    except Refused:
        raise Refused("seal/wrong_key", file=str(key_file)) from None
    return sealer
