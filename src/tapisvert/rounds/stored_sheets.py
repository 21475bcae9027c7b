"""Sheets in the database: each body is stored once, under its hash."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from contextlib import suppress

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import load_body
from tapisvert.games.game import Edition
from tapisvert.games.registry import GAMES, current, edition
from tapisvert.players.player import Player
from tapisvert.refusal import Refused
from tapisvert.rounds.round import Round
from tapisvert.store import Tx

_SHEETS_MAX = 256


def store_sheets(tx: Tx, sheets: Mapping[str, Sheet]) -> None:
    """Store sheets once each, under their hashes."""
    for name, sheet in sorted(sheets.items()):  # sorted, so that two units cannot deadlock
        tx.run(
            "INSERT INTO sheets (hash, game, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (name, sheet.game, sheet.body),
        )


def sheets_of(tx: Tx, rounds: Sequence[Round]) -> dict[str, Sheet | Refused]:
    """Return the sheets of rounds by hash; a refusal stands for an unreadable sheet.

    Rounds of editions that are not installed are absent.
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


def own_sheets_of(
    tx: Tx, players: Sequence[Player], games: Container[str]
) -> dict[str, Sheet | Refused]:
    """Return the sheets that players have chosen for these games, by hash."""
    found: dict[str, Sheet | Refused] = {}
    for game, name in {own for player in players for own in player.own_sheets}:
        if game in games and game in GAMES:
            try:
                found[name] = stored_sheet(tx, name, current(game))
            except Refused as refusal:
                found[name] = refusal
    return found


def stored_sheet(tx: Tx, name: str, by: Edition) -> Sheet:
    """Load a stored sheet. The cache key is the hash of the content, so no entry is stale."""
    found = _SHEETS.get(name)
    if found is None:
        if len(_SHEETS) >= _SHEETS_MAX:
            _SHEETS.clear()
        found = _SHEETS[name] = load_body(stored_body(tx, name), by.sheet_type)
    return found


def stored_body(tx: Tx, name: str) -> bytes:
    """Return the stored body of a sheet."""
    row = tx.row("SELECT body FROM sheets WHERE hash = ?", (name,))
    if row is None:
        raise Refused("sheet/unreadable", file=name, reason="not stored")
    body: bytes = row[0]
    return body


_SHEETS: dict[str, Sheet] = {}
