"""Loading the state from which a void is decided (operations/voiding.py)."""

from __future__ import annotations

from tapisvert.bank import awards, ledger
from tapisvert.games.registry import GAMES
from tapisvert.operations.voiding import VoidState
from tapisvert.players.repository import find_player
from tapisvert.rounds.load import SharedState, state_of
from tapisvert.rounds.repository import owner_of
from tapisvert.rounds.reversal_repository import find_reversal
from tapisvert.store import Tx


def load_void_state(tx: Tx, round_id: str, now_ms: int, shared: SharedState) -> VoidState | None:
    """Lock the player of a round, then load all that a void depends on; None if there is none."""
    player_id = owner_of(tx, round_id)
    if player_id is None:
        return None
    tx.lock("players", player_id)
    state = state_of(tx, find_player(tx, player_id), round_id, now_ms, shared)
    stored = state.rounds[round_id]
    return VoidState(
        command=state,
        stored=stored,
        reversed=find_reversal(tx, round_id) is not None,
        award=awards.paid_to(tx, round_id) if stored.game in state.tables.pots else None,
        transfers=() if stored.game in GAMES else tuple(ledger.round_transfers(tx, round_id)),
    )
