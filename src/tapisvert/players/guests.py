"""Guests: players with play money and no account, who authenticate with a token."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from tapisvert.bank import ledger, money
from tapisvert.players.player import FIRST_GRANT_CENTS, Player
from tapisvert.refusal import Refused
from tapisvert.store import Row, Tx

_OWN_RULES = " LEFT JOIN own_rules ON own_rules.player_id = players.id AND own_rules.in_force = 1"


def create_guest(tx: Tx, player_id: str, token: str, at_ms: int) -> Player:
    """Create a guest with play money; only the token's hash is stored."""
    player = Player(player_id, money.PLAY_MONEY)
    tx.run(
        "INSERT INTO players (id, kind, currency, created_at_ms) VALUES (?, 'guest', ?, ?)",
        (player.id, player.currency, at_ms),
    )
    open_session(tx, player.id, token, at_ms)
    ledger.open_account(tx, money.player_account(player.id), player.currency)
    ledger.grant(tx, money.Purse(player.id, player.currency, at_ms), FIRST_GRANT_CENTS)
    return player


def open_session(tx: Tx, player_id: str, token: str, at_ms: int) -> None:
    """Store a session: a token that authenticates a player."""
    row = (token_hash(token), player_id, at_ms)
    tx.run(
        "INSERT INTO sessions (token_hash, player_id, created_at_ms, mark) VALUES (?, ?, ?, ?)",
        (*row, tx.mark(marked("sessions", row))),
    )


def marked(table: str, row: Sequence[object]) -> bytes:
    """Return the bytes that a row's mark covers: the table name and all columns."""
    return msgspec.json.encode((table, *row))


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
    """Return the player of rows that differ in the rules they name.

    Real money is played by the house's sheet, whatever the table of own rules contains.
    """
    player_id, currency = rows[0][:2]
    if currency != money.PLAY_MONEY:
        return Player(player_id, currency)
    own = sorted((game, sheet) for _, _, game, sheet in rows if game is not None)
    return Player(player_id, currency, tuple(own))


def token_hash(token: str) -> bytes:
    """Return the stored hash of a token. Tokens have 256 random bits, so a plain hash suffices."""
    return hashlib.sha256(token.encode(errors="replace")).digest()
