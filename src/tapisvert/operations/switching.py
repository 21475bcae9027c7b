"""Switching: an operator stops new rounds for everyone, at one game, or for one player (G12).

An open round goes on to its end, raises included; only new rounds are refused. A stopped jackpot
refuses only bets on it, so it neither grows nor is won (J6).
"""

from __future__ import annotations

from tapisvert.bank import jackpot, journal
from tapisvert.games.registry import GAMES
from tapisvert.players.repository import is_player
from tapisvert.refusal import Refused
from tapisvert.rounds import switches
from tapisvert.rounds.switches import ALL, stopped
from tapisvert.store import Tx


def scope_of(tx: Tx, scope: str) -> str:
    """Return the scope if it exists: `all`, `game:<id>`, `jackpot:<game>` or `player:<id>`."""
    kind, _, name = scope.partition(":")
    if scope == ALL:
        return scope
    if kind == "game" and name in GAMES:
        return scope
    if kind == "jackpot" and jackpot.find(tx, name):
        return scope
    if kind == "player" and is_player(tx, name):
        return scope
    raise Refused("switch/unknown", scope=scope[:80])


def stop(tx: Tx, scope: str, *, by: str, reason: str, at_ms: int) -> None:
    """Refuse new rounds in this scope from now on."""
    before = _found(tx, scope)
    if scope.startswith("jackpot:"):
        jackpot.fold(tx, scope.removeprefix("jackpot:"), at_ms)  # show all contributions
    switches.add(tx, scope, by=by, reason=reason, at_ms=at_ms)
    _write_down(tx, "stopped", scope, before, by=by, reason=reason, at_ms=at_ms)


def resume(tx: Tx, scope: str, *, by: str, reason: str, at_ms: int) -> None:
    """Allow new rounds in this scope again."""
    before = _found(tx, scope)
    if switches.remove(tx, scope):
        _write_down(tx, "resumed", scope, before, by=by, reason=reason, at_ms=at_ms)


def _found(tx: Tx, scope: str) -> dict[str, str] | None:
    """Lock a switch; return its row if it is off, or None."""
    tx.lock("switches", scope_of(tx, scope))
    return stopped(tx).get(scope)


def _write_down(
    tx: Tx,
    kind: str,
    scope: str,
    before: dict[str, str] | None,
    *,
    by: str,
    reason: str,
    at_ms: int,
) -> None:
    """Journal a switch; `stopped` is the reason, or None while new rounds are allowed."""
    after = reason if kind == "stopped" else None
    journal.record(
        tx,
        at_ms,
        kind,
        by=by,
        player_id=scope.removeprefix("player:") if scope.startswith("player:") else None,
        before={"scope": scope, "stopped": before and before["reason"]},
        after={"scope": scope, "stopped": after},
        reason=reason,
    )
