"""Players, their sessions and operators in the database."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from tapisvert.bank import ledger, money
from tapisvert.players.player import Player
from tapisvert.refusal import Refused
from tapisvert.store import Row, Tx
from tapisvert.store.tails import IntegrityKey

_OWN_RULES = " LEFT JOIN own_rules ON own_rules.player_id = players.id AND own_rules.in_force = 1"
# The marked tables: the primary key, and every column the mark covers.
MARKED = (
    ("sessions", "token_hash", "token_hash, player_id, created_at_ms"),
    ("operators", "name", "name, token_hash, created_at_ms"),
)


class PlayerRecord(NamedTuple):
    """A player, with its kind and time of creation."""

    player: Player
    kind: str  # guest or account
    created_at_ms: int


# Players ----------------------------------------------------------------------------------


def add_player(tx: Tx, player: Player, kind: str, at_ms: int) -> None:
    """Store a player, with an empty account."""
    tx.run(
        "INSERT INTO players (id, kind, currency, created_at_ms) VALUES (?, ?, ?, ?)",
        (player.id, kind, player.currency, at_ms),
    )
    ledger.open_account(tx, money.player_account(player.id), player.currency)


def find_record(tx: Tx, player_id: str) -> PlayerRecord:
    """Return a player by id, for an operator."""
    row = tx.row("SELECT id, currency, kind, created_at_ms FROM players WHERE id = ?", (player_id,))
    if row is None:
        raise Refused("player/unknown", player_id=player_id[:64])
    return PlayerRecord(Player(row[0], row[1]), row[2], row[3])


def find_player(tx: Tx, player_id: str) -> Player:
    """Return a player by id; the rules the player has chosen are not loaded."""
    return find_record(tx, player_id).player


def is_player(tx: Tx, player_id: str) -> bool:
    """Tell whether a player has this id."""
    return tx.row("SELECT 1 FROM players WHERE id = ?", (player_id,)) is not None


# Sessions ---------------------------------------------------------------------------------


def open_session(tx: Tx, player_id: str, token: str, at_ms: int) -> None:
    """Store a session: a token that authenticates a player."""
    row = (token_hash(token), player_id, at_ms)
    tx.run(
        "INSERT INTO sessions (token_hash, player_id, created_at_ms, mark) VALUES (?, ?, ?, ?)",
        (*row, tx.mark(marked("sessions", row))),
    )


def close_sessions(tx: Tx, player_id: str) -> int:
    """Remove a player's sessions; return how many there were."""
    return tx.run("DELETE FROM sessions WHERE player_id = ?", (player_id,))


def players_of(tx: Tx, tokens: Sequence[str | None]) -> dict[str | None, Player]:
    """Return the player of each token; unknown tokens are absent."""
    by_hash = {token_hash(token): token for token in tokens if token}
    rows = tx.look_up(
        "SELECT given.token_hash, players.id, players.currency, own_rules.game, sheet_hash"
        " FROM given JOIN sessions ON sessions.token_hash = given.token_hash"
        f" JOIN players ON players.id = sessions.player_id{_OWN_RULES}",
        {"token_hash": "bytea"},
        [(each,) for each in by_hash],
    )
    by_token: dict[str | None, list[Row]] = {}
    for token, *row in rows:
        by_token.setdefault(by_hash[token], []).append(tuple(row))
    return {token: _player(found) for token, found in by_token.items()}


def player_of(tx: Tx, token: str | None) -> Player:
    """Return the player of a token."""
    rows = token and tx.rows(
        "SELECT players.id, players.currency, own_rules.game, sheet_hash FROM sessions"
        f" JOIN players ON players.id = sessions.player_id{_OWN_RULES}"
        " WHERE sessions.token_hash = ?",
        (token_hash(token),),
    )
    if not rows:
        raise Refused("session/missing")
    return _player(rows)


def _player(rows: Sequence[Row]) -> Player:
    """Return the player of joined rows, one for each of the player's own rules.

    Real money is played by the house's sheet, whatever the table of own rules contains.
    """
    player_id, currency = rows[0][:2]
    if currency != money.PLAY_MONEY:
        return Player(player_id, currency)
    own = sorted((game, sheet) for _, _, game, sheet in rows if game is not None)
    return Player(player_id, currency, tuple(own))


# Operators --------------------------------------------------------------------------------


def add_operator(tx: Tx, name: str, token: str, at_ms: int) -> None:
    """Store an operator of the HTTP API, under the name's lock; refuse a name that exists."""
    if tx.row("SELECT 1 FROM operators WHERE name = ?", (name,)):
        raise Refused("operator/exists", name=name)
    row = (name, token_hash(token), at_ms)
    tx.run(
        "INSERT INTO operators (name, token_hash, created_at_ms, mark) VALUES (?, ?, ?, ?)",
        (*row, tx.mark(marked("operators", row))),
    )


def remove_operator(tx: Tx, name: str) -> int:
    """Remove an operator; return the number removed, 1 or 0."""
    return tx.run("DELETE FROM operators WHERE name = ?", (name,))


def operator_of(tx: Tx, token: str | None) -> str:
    """Return the name of the operator a token belongs to."""
    row = token and tx.row("SELECT name FROM operators WHERE token_hash = ?", (token_hash(token),))
    if not row:
        raise Refused("operator/missing")
    name: str = row[0]
    return name


# Tokens and marks -------------------------------------------------------------------------


def token_hash(token: str) -> bytes:
    """Return the stored hash of a token. Tokens have 256 random bits, so a plain hash suffices."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


def marked(table: str, row: Sequence[object]) -> bytes:
    """Return the bytes that a row's mark covers: the table name and all columns."""
    return msgspec.json.encode((table, *row))


def mark_again(tx: Tx, integrity: IntegrityKey) -> None:
    """Write the mark of every session and operator, under this key."""
    for table, key, columns in MARKED:
        for row in tx.rows(f"SELECT {columns}, {key} FROM {table}"):
            mark = integrity.mark(marked(table, row[:-1]))
            tx.run(f"UPDATE {table} SET mark = ? WHERE {key} = ?", (mark, row[-1]))
