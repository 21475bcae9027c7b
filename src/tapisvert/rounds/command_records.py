"""Stored outcomes of commands, by idempotency key."""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.bank.covered_tables import COMMAND, digest
from tapisvert.rounds.draft import CommandRow
from tapisvert.rounds.state import KeyRecord
from tapisvert.rounds.stored_reply import pack, unpack
from tapisvert.store import Tx

_KEYS = (
    "SELECT commands.player_id, fingerprint, reply, refusal FROM given JOIN commands"
    " ON commands.player_id = given.player_id AND commands.key = given.key"
)


def key_records(tx: Tx, keys: Sequence[tuple[str, str]]) -> dict[str, KeyRecord]:
    """Return the stored outcomes of players' idempotency keys, by player."""
    rows = tx.look_up(_KEYS, {"player_id": "text", "key": "text"}, keys)
    return {row[0]: _record(*row[1:]) for row in rows}


def operator_record(tx: Tx, operator: str, key: str) -> KeyRecord | None:
    """Return the stored outcome of an operator's idempotency key."""
    row = tx.row(
        "SELECT fingerprint, reply, refusal FROM operator_commands WHERE operator = ? AND key = ?",
        (operator, key),
    )
    return _record(*row) if row else None


def add_commands(tx: Tx, commands: Sequence[CommandRow]) -> None:
    """Store the outcomes of players' commands, under their idempotency keys."""
    _add_commands(tx, "commands", "player_id", commands)


def add_operator_command(tx: Tx, command: CommandRow) -> None:
    """Store the outcome of an operator's command, under its idempotency key."""
    _add_commands(tx, "operator_commands", "operator", [command])


def _add_commands(tx: Tx, table: str, owner: str, commands: Sequence[CommandRow]) -> None:
    rows = [row._replace(reply=row.reply and pack(row.reply)) for row in commands]
    written = [(*row, digest(row)) for row in rows]
    numbers = tx.insert(table, (owner, *COMMAND, "hash"), written)
    for number, each in zip(numbers, written, strict=True):
        tx.add_to_tail(table, number, each[-1])


def _record(fingerprint: bytes, reply: bytes | None, refusal: bytes | None) -> KeyRecord:
    return KeyRecord(fingerprint, None if reply is None else unpack(reply), refusal)
