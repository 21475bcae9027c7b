"""Guests: players with play money and no account, known by a token only they hold."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from tapisvert.bank import ledger
from tapisvert.refusal import Refused
from tapisvert.store import Tx

FIRST_GRANT_CENTS = 100_000  # 1,000.00 of play money, and as much again when broke


@dataclass(frozen=True, slots=True)
class Player:
    """Who acts."""

    id: str
    currency: str


def create_guest(tx: Tx, player_id: str, token: str, at_ms: int) -> Player:
    """Create a guest with play money; only the token's hash is kept."""
    player = Player(player_id, ledger.PLAY_MONEY)
    tx.run(
        "INSERT INTO players (id, kind, currency, created_at_ms) VALUES (?, 'guest', ?, ?)",
        (player.id, player.currency, at_ms),
    )
    open_session(tx, player.id, token, at_ms)
    ledger.open_account(tx, ledger.player_account(player.id), player.currency)
    ledger.grant(tx, ledger.Purse(player.id, player.currency, at_ms), FIRST_GRANT_CENTS)
    return player


def open_session(tx: Tx, player_id: str, token: str, at_ms: int) -> None:
    """Let a token act for a player."""
    row = (token_hash(token), player_id, at_ms)
    tx.run(
        "INSERT INTO sessions (token_hash, player_id, created_at_ms, mark) VALUES (?, ?, ?, ?)",
        (*row, tx.mark(marked("sessions", row))),
    )


def marked(table: str, row: Sequence[object]) -> bytes:
    """Return what the mark of a small row covers: the table and all of its columns."""
    return msgspec.json.encode((table, *row))


def player_of(tx: Tx, token: str | None) -> Player:
    """Return the player a token belongs to."""
    row = token and tx.row(
        "SELECT players.id, players.currency FROM sessions"
        " JOIN players ON players.id = sessions.player_id WHERE sessions.token_hash = ?",
        (token_hash(token),),
    )
    if not row:
        raise Refused("session/missing")
    return Player(*row)


def token_hash(token: str) -> bytes:
    """Return what is stored of a token; it has 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode(errors="replace")).digest()
