"""Rounds of games no longer installed: listed, and refunded from the ledger.

Without its script a round cannot be replayed. The ledger still holds the stake of each bet. Past
the round's delay it is refunded, with the same result as a replay (G11).
"""

from __future__ import annotations

from tapisvert.bank import money
from tapisvert.bank.money import Transfer
from tapisvert.games.registry import GAMES
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.repository import count_by_game
from tapisvert.rounds.round import Round, VoidReason
from tapisvert.rounds.settlement import close
from tapisvert.store import Tx


def refund(tx: Tx, draft: Draft, stored: Round, reason: VoidReason) -> Round:
    """Refund the stake of each bet of an open round, and close the round."""
    held, mine = money.round_account(stored.id), money.player_account(stored.player_id)
    rows = tx.rows(
        "SELECT bet, SUM(CASE WHEN credit = ? THEN units ELSE -units END) FROM transfers"
        " WHERE round_id = ? AND (credit = ? OR debit = ?) GROUP BY bet ORDER BY MIN(id)",
        (held, stored.id, held, held),
    )
    back = [
        Transfer(held, mine, int(units) // money.UNITS_PER_CENT, "return", bet)
        for bet, units in rows
        if units
    ]
    draft.move(draft.state.purse(stored.id), *back)
    staked = _moved_cents(tx, stored.id, "debit", mine)
    returned = _moved_cents(tx, stored.id, "credit", mine)
    returned += sum(transfer.cents for transfer in back)
    return close(draft, stored, reason, staked, returned)


def _moved_cents(tx: Tx, round_id: str, side: str, account: str) -> int:
    row = tx.row(
        f"SELECT SUM(units) FROM transfers WHERE round_id = ? AND {side} = ?", (round_id, account)
    )
    return int(row[0] or 0) // money.UNITS_PER_CENT if row else 0


def uninstalled(tx: Tx) -> tuple[str, ...]:
    """Describe the games that are not installed here but have rounds, with the number of rounds."""
    rows = count_by_game(tx)
    return tuple(f"{count} rounds of {game}" for game, count in rows if game not in GAMES)
