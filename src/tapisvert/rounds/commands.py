"""One key, one effect: a command that is repeated gets the reply it got the first time.

The key, the effect and the reply are written in one transaction. Refusals are kept too, so that a
key means one outcome for ever; only a failure of the house itself (disk, dealing) is not, because
then nothing was written at all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from tapisvert.bank.covered import digest
from tapisvert.refusal import Arg, Refused
from tapisvert.rounds.desk import Desk
from tapisvert.store import Tx

_KEY_LENGTH_MAX = 255
_NOT_KEPT = (
    *("store/", "dealing/", "seal/", "sheet/"),
    *("round/unknown_edition", "request/in_flight"),
)


class _KeptRefusal(msgspec.Struct, frozen=True):
    code: str
    details: dict[str, Arg]


def check_key(key: str | None) -> str:
    """Return a usable idempotency key, or refuse."""
    if not key or len(key) > _KEY_LENGTH_MAX or not (key.isascii() and key.isprintable()):
        raise Refused("idempotency/missing")
    return key


def fingerprint(name: str, request: object) -> bytes:
    """Return what tells two commands apart: what is asked, of what."""
    asked = msgspec.json.encode([name, request], order="sorted")
    return hashlib.sha256(asked).digest()


@dataclass(frozen=True, slots=True)
class Keys:
    """Whose keys these are, and the table they are kept in."""

    table: str
    column: str
    owner: str


def once(desk: Desk, key: str, asked: bytes, effect: Callable[[], bytes]) -> bytes | Refused:
    """Run a player's command, or return what it came to the first time."""
    keys = Keys("commands", "player_id", desk.player.id)
    return once_by(desk.tx, keys, desk.now_ms, key, asked, effect)


def once_by(
    tx: Tx, keys: Keys, at_ms: int, key: str, asked: bytes, effect: Callable[[], bytes]
) -> bytes | Refused:
    """Run a command's effect, or return what it came to the first time."""
    row = tx.row(
        f"SELECT fingerprint, reply, refusal FROM {keys.table} WHERE {keys.column} = ? AND key = ?",
        (keys.owner, key),
    )
    if row is not None:
        if row[0] != asked:
            raise Refused("idempotency/reused")
        if row[2] is None:
            reply: bytes = row[1]
            return reply
        kept = msgspec.json.decode(row[2], type=_KeptRefusal)
        return Refused(kept.code, **kept.details)
    outcome = _try(tx, effect)
    refusal = None
    if isinstance(outcome, Refused):
        refusal = msgspec.json.encode(_KeptRefusal(outcome.code, outcome.details))
    written = (keys.owner, key, asked, at_ms, None if refusal else outcome, refusal)
    found = digest(written)
    (number,) = tx.numbers(
        f"INSERT INTO {keys.table} ({keys.column}, key, fingerprint, at_ms, reply, refusal, hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*written, found),
    )
    tx.cover(keys.table, number, found)
    return outcome


def _try(tx: Tx, effect: Callable[[], bytes]) -> bytes | Refused:
    try:
        return effect()
    except Refused as refusal:
        if refusal.code.startswith(_NOT_KEPT):
            raise
        tx.undo()
        return refusal
