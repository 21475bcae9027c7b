"""Idempotency: a repeated command gets its first reply again, and has no second effect.

The key, the effect and the reply are written in one commit. Refusals are stored too, so a key has
one outcome for ever. Only a failure of the house itself (disk, dealing) is not stored, because
nothing was written at all. Pure: rounds/command_records.py stores the outcomes.
"""

from __future__ import annotations

import hashlib
from typing import TypeGuard

import msgspec

from tapisvert.decoding import read_json
from tapisvert.refusal import Arg, Refused
from tapisvert.rounds.state import KeyRecord

_KEY_LENGTH_MAX = 255
_NOT_STORED = (
    *("store/", "dealing/", "seal/", "sheet/"),
    *("round/unknown_edition", "request/in_flight"),
)


class _StoredRefusal(msgspec.Struct, frozen=True):
    code: str
    details: dict[str, Arg]


def check_key(key: str | None) -> str:
    """Return a usable idempotency key, or refuse."""
    if not is_usable(key):
        raise Refused("idempotency/missing")
    return key


def is_usable(key: str | None) -> TypeGuard[str]:
    """Tell whether a key can identify a command: 1 to 255 printable ASCII characters."""
    if key is None or not 1 <= len(key) <= _KEY_LENGTH_MAX:
        return False
    return key.isascii() and key.isprintable()


def fingerprint(name: str, request: object) -> bytes:
    """Return the hash of a command's name and body: it distinguishes commands under one key."""
    asked = msgspec.json.encode([name, request], order="sorted")
    return hashlib.sha256(asked).digest()


def repeated(record: KeyRecord, asked: bytes) -> bytes | Refused:
    """Return the first outcome of a command; refuse a key that was used for another body."""
    if record.fingerprint != asked:
        raise Refused("idempotency/reused")
    if record.refusal is None:
        assert record.reply is not None
        return record.reply
    stored = read_json(record.refusal, _StoredRefusal)
    return Refused(stored.code, **stored.details)


def is_stored(refusal: Refused) -> bool:
    """Tell whether a refusal is stored: an outcome of the command, not a failure of the house."""
    return not refusal.code.startswith(_NOT_STORED)


def outcome(answer: bytes | Refused) -> tuple[bytes | None, bytes | None]:
    """Return the stored columns of an outcome: the reply, or the refusal."""
    if isinstance(answer, Refused):
        return None, msgspec.json.encode(_StoredRefusal(answer.code, answer.details))
    return answer, None
