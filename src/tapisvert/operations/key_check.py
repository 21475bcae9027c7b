"""The key check value, by which a database recognises its key.

A new database gets a new key file and stores a check value. An existing database opens only with
that key. A lost key is never replaced silently: it encrypts every open round and pending deal, and
signs every seal of the audit trail.
"""

from __future__ import annotations

from pathlib import Path

from tapisvert.bank import keys
from tapisvert.key_file import make_key, read_key
from tapisvert.refusal import Refused
from tapisvert.rounds.audit_trail import CHECK_VALUE_NAME, OPENED, check_value
from tapisvert.sealing import Sealer
from tapisvert.store import Store
from tapisvert.store.tails import IntegrityKey


def check_key_file(store: Store, key_file: Path) -> Sealer:
    """Return the sealer of a database, after checking its key file."""
    found, opened = store.read(lambda tx: (check_value(tx), keys.any_key(tx))).result()
    if found is None and not opened:
        return make_key(key_file)
    sealer = read_key(key_file)
    if opened:
        if found != IntegrityKey(sealer.integrity_key).mark(OPENED):
            raise Refused("seal/wrong_key", file=str(key_file))
        return sealer
    if found == IntegrityKey(sealer.integrity_key).mark(OPENED):
        # The audit trail was started, but its keys and seals have been deleted.
        raise Refused("store/altered", file=str(key_file), what="keys")
    try:
        sealer.open(found or b"", CHECK_VALUE_NAME)  # the check value before audit trails
    except Refused:
        raise Refused("seal/wrong_key", file=str(key_file)) from None
    return sealer
