"""Refunding a round whose game is no longer installed.

Without its script a round cannot be replayed. The ledger still holds the stake of each bet. Past
the round's delay the stakes are refunded, with the same result as a replay (G11). Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.bank import money
from tapisvert.bank.money import UNITS_PER_CENT, RoundTransfer, Transfer
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.round import Round, VoidReason
from tapisvert.rounds.settlement import close


def refund(
    draft: Draft, stored: Round, reason: VoidReason, moved: Sequence[RoundTransfer]
) -> Round:
    """Refund the stake of each bet of an open round, and close the round; `moved` has all its
    transfers.
    """
    held, mine = money.round_account(stored.id), money.player_account(stored.player_id)
    units: dict[str | None, int] = {}
    for each in moved:
        if held in (each.credit, each.debit):
            sign = 1 if each.credit == held else -1
            units[each.bet] = units.get(each.bet, 0) + sign * each.units
    back = [
        Transfer(held, mine, left // UNITS_PER_CENT, "return", bet)
        for bet, left in units.items()
        if left
    ]
    draft.move(draft.state.purse(stored.id), *back)
    staked = sum(each.units for each in moved if each.debit == mine) // UNITS_PER_CENT
    returned = sum(each.units for each in moved if each.credit == mine) // UNITS_PER_CENT
    returned += sum(transfer.cents for transfer in back)
    return close(draft, stored, reason, staked, returned)
