"""Sheets in the database: stored once, whole, under the hash of their content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import load_body
from tapisvert.games.game import Edition
from tapisvert.games.registry import edition
from tapisvert.refusal import Refused
from tapisvert.rounds.round import Round
from tapisvert.store import Tx

_SHEETS_MAX = 256


def store_sheets(tx: Tx, sheets: Mapping[str, Sheet]) -> None:
    """Store the bodies of sheets once, under their hashes."""
    for name, sheet in sorted(sheets.items()):  # in one order, so that no two units wait in a ring
        tx.run(
            "INSERT INTO sheets (hash, game, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (name, sheet.game, sheet.body),
        )


def sheets_of(tx: Tx, rounds: Sequence[Round]) -> dict[str, Sheet | Refused]:
    """Return the sheets of rounds by hash, or why one cannot be read.

    A round of an edition that is not installed has none.
    """
    found: dict[str, Sheet | Refused] = {}
    for stored in rounds:
        with suppress(Refused):
            by = edition(stored.game, stored.edition)
            try:
                found[stored.sheet_hash] = stored_sheet(tx, stored.sheet_hash, by)
            except Refused as refusal:
                found[stored.sheet_hash] = refusal
    return found


def stored_sheet(tx: Tx, name: str, by: Edition) -> Sheet:
    """Load a stored sheet; its name is the hash of its content, so a copy in memory never ages."""
    found = _SHEETS.get(name)
    if found is None:
        if len(_SHEETS) >= _SHEETS_MAX:
            _SHEETS.clear()
        found = _SHEETS[name] = load_body(stored_body(tx, name), by.sheet_type)
    return found


def stored_body(tx: Tx, name: str) -> bytes:
    """Return the text a sheet was stored as."""
    row = tx.row("SELECT body FROM sheets WHERE hash = ?", (name,))
    if row is None:
        raise Refused("sheet/unreadable", file=name, reason="not stored")
    body: bytes = row[0]
    return body


_SHEETS: dict[str, Sheet] = {}
