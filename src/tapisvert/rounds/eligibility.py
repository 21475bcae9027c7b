"""Whether a player may open a round here and now. Pure.

Funds are checked where they move: `bank.money.holding`.
"""

from __future__ import annotations

from tapisvert.refusal import Refused
from tapisvert.rounds.state import CommandState


def scopes(player_id: str, game: str) -> tuple[str, str, str, str]:
    """Return the switch scopes of a player's round; the scope of the game's pot comes last."""
    return ("all", f"game:{game}", f"player:{player_id}", f"jackpot:{game}")


def may_stake(state: CommandState, game: str) -> None:
    """Refuse a new round if dealing is down, a switch is off, or another round is open here (G2).

    Of several switches, the refusal names the widest. A stopped jackpot refuses only bets on it
    (J6).
    """
    if isinstance(state.drawn, Refused):
        raise state.drawn
    *where, _ = scopes(state.player.id, game)
    for scope in sorted(where):
        if scope in state.stopped:
            kind = scope.partition(":")[0]
            raise Refused("play/stopped", scope=kind, reason=state.stopped[scope])
    already = state.in_state(game, "open")
    if already is not None:
        raise Refused("round/already_open", round_id=already.id)
