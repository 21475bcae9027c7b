"""Guests: players with play money and no account, who authenticate with a token."""

from __future__ import annotations

from tapisvert.bank import ledger, money
from tapisvert.players.player import FIRST_GRANT_CENTS, Player
from tapisvert.players.repository import add_player, open_session
from tapisvert.store import Tx


def create_guest(tx: Tx, player_id: str, token: str, at_ms: int) -> Player:
    """Create a guest with play money; only the token's hash is stored."""
    player = Player(player_id, money.PLAY_MONEY)
    add_player(tx, player, "guest", at_ms)
    open_session(tx, player.id, token, at_ms)
    ledger.grant(tx, money.Purse(player.id, player.currency, at_ms), FIRST_GRANT_CENTS)
    return player
