"""The public keys of the house in order of use, each signed by the one before.

The first key signs itself. An auditor who trusts it, from a source outside the database, can verify
the others. A new key is stored with two signatures: its own, and that of the key it replaces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from tapisvert.sealing import signed
from tapisvert.store import Tx

Sign = Callable[[bytes], bytes]


class Key(Struct, frozen=True):
    """One row of `keys`. Field names are column names."""

    id: int
    at_ms: int
    public_key: bytes
    signature: bytes
    passed_on: bytes | None


_COLUMNS = ", ".join(Key.__struct_fields__)


def any_key(tx: Tx) -> bool:
    """Tell whether the database has a key: its audit trail has been started."""
    return tx.row("SELECT 1 FROM keys LIMIT 1") is not None


def all_keys(tx: Tx) -> list[Key]:
    """Return the keys, oldest first."""
    return [Key(*row) for row in tx.rows(f"SELECT {_COLUMNS} FROM keys ORDER BY id")]


def newest_id(tx: Tx) -> int:
    """Return the number of the key in use."""
    row = tx.row("SELECT MAX(id) FROM keys")
    assert row is not None
    return int(row[0])


def first(tx: Tx, at_ms: int, public_key: bytes, sign: Sign) -> None:
    """Store the first key of the database."""
    _write(tx, Key(1, at_ms, public_key, sign(_content(1, at_ms, public_key, b"")), None))


def pass_on(tx: Tx, at_ms: int, public_key: bytes, sign: Sign, sign_before: Sign) -> None:
    """Store a new key, signed by itself and by the key it replaces."""
    before = all_keys(tx)[-1]
    content = _content(before.id + 1, at_ms, public_key, before.public_key)
    _write(tx, Key(before.id + 1, at_ms, public_key, sign(content), sign_before(content)))


def first_wrong(keys: Sequence[Key]) -> int | None:
    """Return the number of the first key whose signatures do not verify."""
    before = b""
    for number, key in enumerate(keys, start=1):
        content = _content(number, key.at_ms, key.public_key, before)
        passed_on = key.passed_on is None if number == 1 else signed(before, content, key.passed_on)
        if key.id != number or not passed_on or not signed(key.public_key, content, key.signature):
            return key.id
        before = key.public_key
    return None


def _content(number: int, at_ms: int, public_key: bytes, before: bytes) -> bytes:
    return msgspec.json.encode(("tapis key", number, at_ms, public_key, before))


def _write(tx: Tx, key: Key) -> None:
    tx.run(f"INSERT INTO keys ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)", msgspec.structs.astuple(key))
