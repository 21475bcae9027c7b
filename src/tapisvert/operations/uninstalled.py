"""Rounds of games no longer installed: listed, and refunded from the ledger.

Without its script a round cannot be replayed. The ledger still holds the stake of each bet. Past
the round's delay it is refunded, with the same result as a replay (G11).
"""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.bank import money
from tapisvert.bank.ledger import RoundTransfer
from tapisvert.bank.money import UNITS_PER_CENT, Transfer
from tapisvert.games.registry import GAMES
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.repository import count_by_game
from tapisvert.rounds.round import Round, VoidReason
from tapisvert.rounds.settlement import close
from tapisvert.store import Tx


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


def uninstalled(tx: Tx) -> tuple[str, ...]:
    """Describe the games that are not installed here but have rounds, with the number of rounds."""
    rows = count_by_game(tx)
    return tuple(f"{count} rounds of {game}" for game, count in rows if game not in GAMES)
