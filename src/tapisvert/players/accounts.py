"""Players with real money, and operators. Both authenticate with a token; only its hash is stored.

The operator registers players: a command creates a player and prints the token once.
"""

from __future__ import annotations

import re

from tapisvert.bank import journal, money
from tapisvert.players import repository
from tapisvert.players.player import Player
from tapisvert.refusal import Refused
from tapisvert.store import Tx


def create_player(
    tx: Tx, player_id: str, token: str, currency: str, *, by: str, at_ms: int
) -> Player:
    """Create a player with an empty account in a real currency."""
    money.must_be_real(currency)
    player = Player(player_id, currency)
    repository.add_player(tx, player, "account", at_ms)
    repository.open_session(tx, player.id, token, at_ms)
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
    gone = repository.close_sessions(tx, player.id)
    repository.open_session(tx, player.id, token, at_ms)
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
    gone = repository.close_sessions(tx, player.id)
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


def create_operator(tx: Tx, name: str, token: str, *, by: str, at_ms: int) -> None:
    """Create an operator of the HTTP API."""
    if not re.fullmatch(r"[\w.@-]{1,64}", name):
        raise Refused("operator/name", name=name[:64])
    tx.lock("operators", name)
    repository.add_operator(tx, name, token, at_ms)
    journal.record(tx, at_ms, "operator_created", by=by, after={"name": name})


def revoke_operator(tx: Tx, name: str, *, by: str, reason: str, at_ms: int) -> int:
    """Revoke an operator's access; return the number revoked, 1 or 0."""
    tx.lock("operators", name)
    if not repository.remove_operator(tx, name):
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
