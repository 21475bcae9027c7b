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
from tapisvert.rounds.bounded_cache import BoundedCache
from tapisvert.rounds.round import Round
from tapisvert.store import Tx

# The key is the hash of the content, so no entry is ever out of date.
_SHEETS: BoundedCache[str, Sheet] = BoundedCache(256)
_BODIES = "SELECT sheets.hash, sheets.body FROM given JOIN sheets ON sheets.hash = given.hash"


def store_sheets(tx: Tx, sheets: Mapping[str, Sheet]) -> None:
    """Store those sheets that are not stored yet, under their hashes, in one statement."""
    # Sorted, so that two units that store the same sheets cannot deadlock.
    rows = [(name, sheet.game, sheet.body) for name, sheet in sorted(sheets.items())]
    tx.insert_missing("sheets", ("hash", "game", "body"), rows)


def sheets_for(
    tx: Tx, rounds: Sequence[Round], players: Sequence[Player], games: Container[str]
) -> dict[str, Sheet | Refused]:
    """Return by hash the sheets of rounds, and those that players have chosen for these games.

    Those that are not in memory are read in one statement. A refusal stands for an unreadable
    sheet. Rounds of editions that are not installed are absent.
    """
    wanted: dict[str, Edition] = {
        name: current(game)
        for player in players
        for game, name in player.own_sheets
        if game in games and game in GAMES
    }
    for stored in rounds:
        with suppress(Refused):
            wanted[stored.sheet_hash] = edition(stored.game, stored.edition)
    found: dict[str, Sheet | Refused] = {
        name: sheet for name in wanted if (sheet := _SHEETS.get(name)) is not None
    }
    missing = [name for name in wanted if name not in found]
    bodies: dict[str, bytes] = dict(
        tx.look_up(_BODIES, {"hash": "text"}, [(name,) for name in missing])
    )
    for name in missing:
        try:
            found[name] = _loaded(name, bodies.get(name), wanted[name])
        except Refused as refusal:
            found[name] = refusal
    return found


def stored_sheet(tx: Tx, name: str, by: Edition) -> Sheet:
    """Load one stored sheet."""
    found = _SHEETS.get(name)
    return found if found is not None else _loaded(name, _body(tx, name), by)


def stored_body(tx: Tx, name: str) -> bytes:
    """Return the stored body of a sheet."""
    return _is_stored(name, _body(tx, name))


def _body(tx: Tx, name: str) -> bytes | None:
    row = tx.row("SELECT body FROM sheets WHERE hash = ?", (name,))
    return None if row is None else row[0]


def _is_stored(name: str, body: bytes | None) -> bytes:
    if body is None:
        raise Refused("sheet/unreadable", file=name, reason="not stored")
    return body


def _loaded(name: str, body: bytes | None, by: Edition) -> Sheet:
    return _SHEETS.put(name, load_body(_is_stored(name, body), by.sheet_type))
