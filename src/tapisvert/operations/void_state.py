"""Loading the state from which a void is decided (operations/voiding.py)."""

from __future__ import annotations

from tapisvert.bank import awards, jackpot, ledger
from tapisvert.games.registry import GAMES
from tapisvert.operations.voiding import VoidState, WonPot
from tapisvert.rounds.load import SharedState, state_of
from tapisvert.rounds.repository import owner_of
from tapisvert.rounds.reversal_repository import find_reversal
from tapisvert.rounds.round import Round
from tapisvert.store import Tx


def load_void_state(tx: Tx, round_id: str, now_ms: int, shared: SharedState) -> VoidState | None:
    """Lock a round's player, then load all that a void depends on; None for an unknown round."""
    player = owner_of(tx, round_id)
    if player is None:
        return None
    tx.lock("players", player.id)
    state = state_of(tx, player, round_id, now_ms, shared)
    stored = state.rounds[round_id]
    return VoidState(
        command=state,
        stored=stored,
        reversed=stored.over and find_reversal(tx, round_id) is not None,
        won=_won(tx, stored),
        transfers=() if stored.game in GAMES else tuple(ledger.round_transfers(tx, round_id)),
    )


def _won(tx: Tx, stored: Round) -> WonPot | None:
    """Return the award of a round, if the bank has answered a claim on a pot."""
    claimed = any(not isinstance(answer, str) for answer in stored.answers)
    paid = awards.paid_to(tx, stored.id) if claimed else None
    return None if paid is None else WonPot(jackpot.load(tx, paid.pot), paid)
