"""The one gate every stake passes: is this player allowed to open a round here, now.

Limits, exclusion and the minimum cycle will stand here too. Whether the money is there is the
ledger's own check.
"""

from __future__ import annotations

from tapisvert.refusal import Refused
from tapisvert.rounds import switches
from tapisvert.rounds.desk import Desk

_ROUND = "round"  # sorts after every scope of a switch: of several reasons the widest is told
_WHAT_STOPS = (
    "SELECT scope, reason FROM switches WHERE scope IN (?, ?, ?, ?) UNION ALL"
    f" SELECT '{_ROUND}', id FROM rounds WHERE player_id = ? AND game = ? AND state = 'open'"
    " ORDER BY 1"
)


def may_stake(desk: Desk, game: str) -> frozenset[str]:
    """Refuse a new round while dealing is down, a switch is off, or another is open here (G2).

    What is stopped and keeps nobody from the table is returned: the game's pot.
    """
    desk.dealer.must_work()
    *_, pot = where = switches.scopes(desk.player.id, game)
    rows = desk.tx.rows(_WHAT_STOPS, (*where, desk.player.id, game))
    for scope, reason in rows:
        if scope == _ROUND:
            raise Refused("round/already_open", round_id=reason)
        if scope != pot:
            raise Refused("play/stopped", scope=scope.partition(":")[0], reason=reason)
    return frozenset(scope for scope, _ in rows)
