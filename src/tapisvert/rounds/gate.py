"""The one gate every stake passes: is this player allowed to open a round here, now.

Limits, exclusion and the minimum cycle will stand here too. Whether the money is there is the
ledger's own check.
"""

from __future__ import annotations

from tapisvert.refusal import Refused
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.switches import must_be_on


def may_stake(desk: Desk, game: str) -> frozenset[str]:
    """Refuse a new round while dealing is down, a switch is off, or another is open here (G2).

    What is stopped and keeps nobody from the table is returned: the game's pot.
    """
    desk.dealer.must_work()
    stopped = must_be_on(desk.tx, desk.player.id, game)
    row = desk.tx.row(
        "SELECT id FROM rounds WHERE player_id = ? AND game = ? AND state = 'open'",
        (desk.player.id, game),
    )
    if row is not None:
        raise Refused("round/already_open", round_id=row[0])
    return stopped
