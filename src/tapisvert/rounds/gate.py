"""The one gate every stake passes: is this player allowed to open a round here, now.

Limits, exclusion, switches and the minimum cycle will stand here too. Whether the money is there
is the ledger's own check.
"""

from __future__ import annotations

from tapisvert.refusal import Refused
from tapisvert.rounds.desk import Desk


def may_stake(desk: Desk, game: str) -> None:
    """Refuse a new round while dealing is down or another is open at this game (G2)."""
    desk.dealer.must_work()
    row = desk.tx.row(
        "SELECT id FROM rounds WHERE player_id = ? AND game = ? AND state = 'open'",
        (desk.player.id, game),
    )
    if row is not None:
        raise Refused("round/already_open", round_id=row[0])
