"""Players with real money, and operators. Both authenticate with a token; only its hash is stored.

The operator registers players: a command creates a player and prints the token once.
"""

from __future__ import annotations

import re

from tapisvert.bank import journal, ledger, money
from tapisvert.players.guests import marked, open_session, token_hash
from tapisvert.players.player import Player
from tapisvert.refusal import Refused
from tapisvert.store import Tx


def create_player(
    tx: Tx, player_id: str, token: str, currency: str, *, by: str, at_ms: int
) -> Player:
    """Create a player with an empty account in a real currency."""
    money.must_be_real(currency)
    player = Player(player_id, currency)
    tx.run(
        "INSERT INTO players (id, kind, currency, created_at_ms) VALUES (?, 'account', ?, ?)",
        (player.id, currency, at_ms),
    )
    open_session(tx, player.id, token, at_ms)
    ledger.open_account(tx, money.player_account(player.id), currency)
    journal.record(
        tx,
        at_ms,
        "player_created",
        by=by,
        player_id=player.id,
        after={"currency": currency},
    )
    return player


def new_token(tx: Tx, player: Player, token: str, *, by: str, at_ms: int) -> None:
    """Replace a player's tokens with a new one."""
    gone = tx.run("DELETE FROM sessions WHERE player_id = ?", (player.id,))
    open_session(tx, player.id, token, at_ms)
    journal.record(
        tx,
        at_ms,
        "token_replaced",
        by=by,
        player_id=player.id,
        before={"sessions": gone},
        after={"sessions": 1},
    )


def revoke_tokens(tx: Tx, player: Player, *, by: str, reason: str, at_ms: int) -> int:
    """Revoke a player's tokens; return how many there were.

    The player keeps the money and can be given a new token.
    """
    gone = tx.run("DELETE FROM sessions WHERE player_id = ?", (player.id,))
    journal.record(
        tx,
        at_ms,
        "token_revoked",
        by=by,
        player_id=player.id,
        before={"sessions": gone},
        after={"sessions": 0},
        reason=reason,
    )
    return gone


def find_player(tx: Tx, player_id: str) -> Player:
    """Return a player by id, for an operator."""
    row = tx.row("SELECT id, currency FROM players WHERE id = ?", (player_id,))
    if row is None:
        raise Refused("player/unknown", player_id=player_id[:64])
    return Player(*row)


def create_operator(tx: Tx, name: str, token: str, *, by: str, at_ms: int) -> None:
    """Create an operator of the HTTP API."""
    if not re.fullmatch(r"[\w.@-]{1,64}", name):
        raise Refused("operator/name", name=name[:64])
    tx.lock("operators", name)
    if tx.row("SELECT 1 FROM operators WHERE name = ?", (name,)):
        raise Refused("operator/exists", name=name)
    row = (name, token_hash(token), at_ms)
    tx.run(
        "INSERT INTO operators (name, token_hash, created_at_ms, mark) VALUES (?, ?, ?, ?)",
        (*row, tx.mark(marked("operators", row))),
    )
    journal.record(tx, at_ms, "operator_created", by=by, after={"name": name})


def revoke_operator(tx: Tx, name: str, *, by: str, reason: str, at_ms: int) -> int:
    """Revoke an operator's access; return the number revoked, 1 or 0."""
    tx.lock("operators", name)
    if not tx.run("DELETE FROM operators WHERE name = ?", (name,)):
        return 0
    journal.record(
        tx,
        at_ms,
        "operator_revoked",
        by=by,
        before={"name": name},
        after={"name": None},
        reason=reason,
    )
    return 1


def operator_of(tx: Tx, token: str | None) -> str:
    """Return the name of the operator a token belongs to."""
    row = token and tx.row("SELECT name FROM operators WHERE token_hash = ?", (token_hash(token),))
    if not row:
        raise Refused("operator/missing")
    name: str = row[0]
    return name
